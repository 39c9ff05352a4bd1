import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { generator, type Load, type Measured } from './load.ts'
import type { Measurable } from './server.ts'

/** The cost of one request: processor time in µs and bytes of write-ahead log. */
export type Cost = { serverMicros: number; postgresMicros: number; walBytes: number }

export type Row = Measured & {
  name: string
  /** 0 for a measurement without a load generator. */
  connections: number
  /** The rate divided by that of the limit in the same run; null if they are not comparable. */
  ratio: number | null
  cost: Cost | null
  /** Resident memory of the server after the measurement; null if it was not involved. */
  residentMb: number | null
}

type Times = {
  connections: number
  seconds: number
  warmupSeconds: number
  /** After the load, of which the costs count for its requests: what a server does behind its responses. */
  settleSeconds?: number
}

/** Measures a load after a warm-up, with its cost per request. */
export async function measureLoad(
  server: Measurable,
  client: pg.Client,
  load: () => Load,
  { connections, seconds, warmupSeconds, settleSeconds = 0 }: Times,
): Promise<Omit<Row, 'name' | 'ratio'>> {
  if (warmupSeconds > 0) await generator.run(server, load(), connections, warmupSeconds)
  const before = await server.usage(client)
  const measured = await generator.run(server, load(), connections, seconds)
  await sleep(settleSeconds * 1000)
  const after = await server.usage(client)
  const requests = measured.perSecond * seconds
  const each = (used: number) => used / requests
  return {
    ...measured,
    connections,
    cost: {
      serverMicros: each(after.serverSeconds - before.serverSeconds) * 1e6,
      postgresMicros: each(after.postgresSeconds - before.postgresSeconds) * 1e6,
      walBytes: each(after.walBytes - before.walBytes),
    },
    residentMb: await residentMb(server),
  }
}

/** A measurement without a load generator. */
export const rowOf = (name: string, measured: Measured, residentMb: number | null = null): Row => ({
  ...measured,
  name,
  connections: 0,
  ratio: null,
  cost: null,
  residentMb,
})

export const residentMb = async (server: Measurable): Promise<number> =>
  (await server.residentBytes()) / 1024 ** 2
