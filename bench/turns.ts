import type pg from 'pg'
import type { Load, Loads } from './load.ts'
import { measureLoad, type Row } from './measure.ts'
import type { Measurable } from './server.ts'
import { describeMachine, formatNumber, printTable } from './table.ts'

/*
 * Two servers beside each other: they are loaded in turns, one at a time, with the same requests. Figures are medians of
 * the rounds.
 */

const connections = 64
const seconds = 4
/** Before each load of the first round: V8 compiles the code of a new process. */
const warmUpSeconds = 4
const endUsers = 1_000

export type Contestant = {
  name: string
  server: Measurable
  /** Connected to its PostgreSQL. */
  client: pg.Client
  /** Ids of the conversations that are read and written to; without it the newest 100. */
  conversations?: string[]
}

type Rows = Record<string, Row[]>

/**
 * Prints what the operations of the first one cost, compared with the second.
 * @param settleSeconds after each load that count for it: what a server does behind its responses
 */
export async function measureInTurns(
  contestants: [Contestant, Contestant],
  rounds: number,
  settleSeconds = 0,
): Promise<void> {
  const rows = contestants.map((): Rows => ({}))
  for (let round = 0; round < rounds; round++)
    for (const [i, contestant] of contestants.entries())
      await measureRound(contestant, rows[i]!, { round, settleSeconds })
  console.log(`${describeMachine()}, ${rounds} rounds of ${seconds} s each, ${connections} connections\n`)
  const [subject, reference] = rows as [Rows, Rows]
  const [{ name: ofSubject }, { name: ofReference }] = contestants
  printTable(
    ['request', 'server', 'requests/s', 'p99 ms', 'server µs', 'PostgreSQL µs', 'processor time', 'failed'],
    Object.keys(subject).flatMap((name) => {
      const [measured, compared] = [medians(subject[name]!), medians(reference[name]!)]
      const ratio = `${formatNumber(microsOf(measured) / microsOf(compared), 2)} ×`
      return [cellsOf(name, ofSubject, measured, ratio), cellsOf(name, ofReference, compared, '1')]
    }),
  )
}

async function measureRound(
  { server, client, conversations }: Contestant,
  rows: Rows,
  { round, settleSeconds }: { round: number; settleSeconds: number },
): Promise<void> {
  const measure = async (name: string, load: () => Load) => {
    const warmupSeconds = round === 0 ? warmUpSeconds : 0
    const times = { connections, seconds, warmupSeconds, settleSeconds }
    const measured = await measureLoad(server, client, load, times)
    rows[name] = [...(rows[name] ?? []), { ...measured, name, ratio: null }]
    console.error(`${round + 1}: ${name}: ${measured.perSecond.toFixed(0)}/s`)
  }
  await measure('create', createConversation)
  const ids = conversations ?? (await newestConversations(server))
  for (const [name, load] of Object.entries(loadsOf(ids))) await measure(name, load)
}

export const createConversation = (): Load => ({
  method: 'POST',
  paths: ['/v1/conversations'],
  bodies: Array.from({ length: endUsers }, (_, i) =>
    JSON.stringify({ external_user_id: `user_${i}`, subject: 'Card declined, case {unique}' }),
  ),
  idempotencyKey: '{unique}',
})

const loadsOf = (ids: string[]): Loads => ({
  message: () => ({
    method: 'POST',
    paths: ids.map((id) => `/v1/conversations/${id}/messages`),
    bodies: [JSON.stringify({ author_side: 'end_user', body: 'It was declined again, case {unique}.' })],
    idempotencyKey: '{unique}',
  }),
  get: () => ({ method: 'GET', paths: ids.map((id) => `/v1/conversations/${id}`) }),
  'page of 20': () => ({ method: 'GET', paths: ['/v1/conversations?limit=20'] }),
  'page of 20, status=new': () => ({ method: 'GET', paths: ['/v1/conversations?limit=20&status=new'] }),
})

/** The ids of the newest 100 conversations. */
export async function newestConversations({ url, apiKey }: Measurable): Promise<string[]> {
  const response = await fetch(`${url}/v1/conversations?limit=100`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

type Medians = ReturnType<typeof medians>

const cellsOf = (name: string, server: string, row: Medians, ratio: string) => [
  name,
  server,
  formatNumber(row.perSecond),
  formatNumber(row.p99Ms, 1),
  formatNumber(row.serverMicros),
  formatNumber(row.postgresMicros),
  ratio,
  row.failed,
]

const medians = (rows: Row[]) => ({
  perSecond: median(rows.map(({ perSecond }) => perSecond)),
  p99Ms: median(rows.map(({ p99Ms }) => p99Ms)),
  serverMicros: median(rows.map(({ cost }) => cost!.serverMicros)),
  postgresMicros: median(rows.map(({ cost }) => cost!.postgresMicros)),
  failed: rows.reduce((sum, { failed }) => sum + failed, 0),
})

const microsOf = ({ serverMicros, postgresMicros }: Medians) => serverMicros + postgresMicros

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
