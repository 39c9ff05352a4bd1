import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from './server.ts'

/*
 * The streams of end users: `node bench/me-streams.ts`. Opens idle streams of as many persons, and measures the memory
 * of each in a warm server, the processor time while nothing happens, and the time from a message to its stream.
 */

const warm = 1_000
const idle = 5_000
const together = 50
const messages = 200

const server = await startServer()
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

async function call(method: string, path: string, key: string, body?: unknown) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'idempotency-key': randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string; token: string }
}

const newToken = async () =>
  (await call('POST', '/v1/end_user_sessions', server.apiKey, { external_user_id: randomUUID() })).token

/** Opens a stream and reports the arrival of each message. */
const open = (token: string, onMessage: (body: string) => void) =>
  new Promise<() => void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const outgoing = request(`${server.url}/v1/me/stream`, { agent, headers }, (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`The stream answers ${incoming.statusCode}`))
      let rest = ''
      incoming.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!
        for (const line of lines)
          if (line.startsWith('data: ') && line.includes('"object":"message"'))
            onMessage(JSON.parse(line.slice(6)).body)
        resolve(() => outgoing.destroy())
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

async function inBatches<Result>(count: number, make: () => Promise<Result>): Promise<Result[]> {
  const made: Result[] = []
  for (let i = 0; i < count; i += together)
    made.push(...(await Promise.all(Array.from({ length: together }, make))))
  return made
}

const tokens = await inBatches(warm + idle, newToken)
const openNext = async () => open(tokens.pop()!, () => undefined)
for (const close of await inBatches(warm, openNext)) close()
await sleep(10_000)
const before = await server.residentBytes()
const streams = await inBatches(idle, openNext)
await sleep(15_000)
const usedMs = async () => {
  const fields = (await readFile(`/proc/${server.pid}/stat`, 'utf8')).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}
const usedBefore = await usedMs()
await sleep(10_000)
const load = ((await usedMs()) - usedBefore) / 10_000
const perStreamKb = ((await server.residentBytes()) - before) / idle / 1024
console.log(
  `${idle} idle streams: ${perStreamKb.toFixed(1)} kB each, ${(100 * load).toFixed(0)} % of a processor`,
)

const delays: number[] = []
const sentAt = new Map<string, number>()
const speaker = await newToken()
const listener = await open(speaker, (body) => delays.push(performance.now() - sentAt.get(body)!))
const { id } = await call('POST', '/v1/conversations', server.apiKey, {
  end_user_id: (await call('GET', '/v1/me', speaker)).id,
})
for (let i = 0; i < messages; i++) {
  const body = `message ${i}`
  sentAt.set(body, performance.now())
  await call('POST', `/v1/conversations/${id}/messages`, server.apiKey, { author_side: 'operator', body })
  await sleep(20)
}
await sleep(1_000)
delays.sort((a, b) => a - b)
const at = (share: number) => delays[Math.floor(delays.length * share)]!.toFixed(1)
console.log(
  `${delays.length} of ${messages} messages: from request to stream p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
)
for (const close of [...streams, listener]) close()
await server.stop()
