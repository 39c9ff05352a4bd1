import { once } from 'node:events'
import { type Agent, createServer, Agent as HttpAgent, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { cursorCodec } from '@backline/server/platform/http/request/pagination.ts'
import type pg from 'pg'
import type { Loads, Measured, Target } from './load.ts'

/*
 * The readers of the journal: the feed, the stream, and webhooks to receivers on this machine. Server, database, load
 * generator and receivers share its two cores.
 */

/** The position of the deep page. */
const depth = 1_000_000
const idleStreams = 1_000
const eventsPerSecond = 100

export type Journal = { name: string; measured: Measured }

type Ask = (method: string, path: string, body?: unknown) => Promise<Record<string, string>>

const askOf =
  (server: Target): Ask =>
  async (method, path, body) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${server.apiKey}`,
        ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? {} : ((await response.json()) as Record<string, string>)
  }

const noLatency = { p50Ms: Number.NaN, p99Ms: Number.NaN }

/** Copies of one event with a small object; only the position of a page matters. */
async function appendEvents(client: pg.Client, tenantId: string, count: number, type: string): Promise<void> {
  await client.query(
    `with head as (update journal_heads
       set position = greatest(position, (extract(epoch from clock_timestamp()) * 1000000)::bigint) + $2::integer
       where tenant_id = $1 returning position)
     insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version,
       actor_type, object, previous)
     select $1, ((select position from head) - $2::integer + n)::text::xid8, gen_random_uuid(), $3, now(), tenant_id, 'tag', gen_random_uuid(), 1, 'system',
       json_build_object('id', n, 'object', 'tag', 'name', 'tag ' || n), '{}'
     from generate_series(1, $2::integer) n, (select $1::uuid as tenant_id) one`,
    [tenantId, count, type],
  )
}

/** Pages of 100 of the feed: the first, and the one after a million events. */
export async function prepareFeed(client: pg.Client, tenantId: string): Promise<Loads> {
  await appendEvents(client, tenantId, depth + 1_000, 'tag.updated')
  await client.query('vacuum analyze events')
  const { rows: secrets } = await client.query("select value from installation_secrets where name = 'cursor'")
  const { rows } = await client.query(
    'select epoch, position::text, ordinal from events where tenant_id = $1 order by epoch, position, ordinal offset $2 limit 1',
    [tenantId, depth],
  )
  const { epoch, position, ordinal } = rows[0]
  const scope = { tenantId, path: '/v1/events', filters: {}, sort: 'commit' }
  const cursor = cursorCodec(secrets[0].value).write(scope, [epoch, position, ordinal])
  return {
    'journal: feed, page 1': () => ({ method: 'GET', paths: ['/v1/events?limit=100'] }),
    [`journal: feed, page at ${depth.toLocaleString('en')}`]: () => ({
      method: 'GET',
      paths: [`/v1/events?limit=100&cursor=${cursor}`],
    }),
  }
}

/** Reads the stream and reports each event on arrival. */
function readStream(server: Target, agent: Agent, onEvent: (event: { created_at: string }) => void) {
  return new Promise<() => void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.apiKey}` }
    const outgoing = request(`${server.url}/v1/events/stream`, { agent, headers }, (incoming) => {
      let rest = ''
      incoming.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!
        for (const line of lines) if (line.startsWith('data: ')) onEvent(JSON.parse(line.slice(6)))
        resolve(() => outgoing.destroy())
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Creates at a steady rate, independent of the response times. */
async function createSteadily(ask: Ask, seconds: number): Promise<number> {
  const sent: Promise<unknown>[] = []
  const total = seconds * eventsPerSecond
  const begun = performance.now()
  for (let i = 0; i < total; i++) {
    await sleep(Math.max(0, begun + (i * 1000) / eventsPerSecond - performance.now()))
    sent.push(ask('POST', '/v1/tags', { name: `steady ${crypto.randomUUID()}` }))
  }
  await Promise.all(sent)
  return total
}

const quantile = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

const latencyOf = (delays: number[], seconds: number, expected: number): Measured => {
  const sorted = delays.toSorted((a, b) => a - b)
  return {
    perSecond: delays.length / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    failed: expected - delays.length,
  }
}

/** Measures from before the commit (`created_at`) to the arrival in the stream, with a thousand idle readers. */
export async function measureStream(server: Target & { residentBytes(): Promise<number> }, seconds: number) {
  const agent = new HttpAgent({ maxSockets: Number.POSITIVE_INFINITY })
  const ask = askOf(server)
  const delays: number[] = []
  const note = ({ created_at }: { created_at: string }) => delays.push(Date.now() - Date.parse(created_at))
  const close = await readStream(server, agent, note)
  const alone = await createSteadily(ask, seconds)
  await sleep(500)
  const results: Journal[] = [
    { name: 'journal: stream, commit to client', measured: latencyOf(delays.splice(0), seconds, alone) },
  ]
  const before = await server.residentBytes()
  const idle = []
  for (let i = 0; i < idleStreams; i += 50)
    idle.push(
      ...(await Promise.all(Array.from({ length: 50 }, () => readStream(server, agent, () => undefined)))),
    )
  await sleep(6_000)
  const perStreamKb = ((await server.residentBytes()) - before) / idleStreams / 1024
  results.push({
    name: `journal: ${idleStreams} streams, ${perStreamKb.toFixed(0)} kB each`,
    measured: { ...noLatency, perSecond: idle.length, failed: 0 },
  })
  for (const end of [...idle, close]) end()
  return results
}

type Receiver = { url: string; server: Server; received: number; delays: number[] }

/** Responds at once, or never. */
async function receiver(hangs = false): Promise<Receiver> {
  const self: Receiver = { url: '', server: createServer(), received: 0, delays: [] }
  self.server.on('request', (incoming, outgoing) => {
    let text = ''
    incoming.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    incoming.on('end', () => {
      self.received++
      const [, createdAt] = /"created_at":"([^"]+)"/.exec(text) ?? []
      self.delays.push(Date.now() - Date.parse(createdAt!))
      if (!hangs) outgoing.writeHead(204).end()
    })
  })
  self.server.listen(0, '127.0.0.1')
  await once(self.server, 'listening')
  self.url = `http://127.0.0.1:${(self.server.address() as AddressInfo).port}/hook`
  return self
}

const closeAll = (receivers: Receiver[]) => {
  for (const { server } of receivers) {
    server.closeAllConnections()
    server.close()
  }
}

const subscribe = (ask: Ask, { url }: Receiver, type: string) =>
  ask('POST', '/v1/webhook_endpoints', { url, enabled_events: [type] })

async function untilReceived(receivers: Receiver[], each: number, patienceMs = 120_000): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  while (receivers.some(({ received }) => received < each) && performance.now() < giveUpAt) await sleep(5)
}

/** The rate of deliveries to a receiver that responds at once. */
async function measureThroughput(client: pg.Client, tenantId: string, ask: Ask): Promise<Measured> {
  const count = 20_000
  const to = await receiver()
  const { id } = await subscribe(ask, to, 'tag.merged')
  await sleep(1_500)
  const begun = performance.now()
  await appendEvents(client, tenantId, count, 'tag.merged')
  await ask('POST', '/v1/tags', { name: `bell ${crypto.randomUUID()}` })
  await untilReceived([to], count)
  const seconds = (performance.now() - begun) / 1000
  await ask('DELETE', `/v1/webhook_endpoints/${id}`)
  closeAll([to])
  return { ...noLatency, perSecond: to.received / seconds, failed: Math.max(0, count - to.received) }
}

async function measureLatency(ask: Ask, seconds: number): Promise<Measured> {
  const to = await receiver()
  const { id } = await subscribe(ask, to, 'tag.created')
  await sleep(1_500)
  const total = await createSteadily(ask, seconds)
  await untilReceived([to], total, 5_000)
  await ask('DELETE', `/v1/webhook_endpoints/${id}`)
  closeAll([to])
  return latencyOf(to.delays, seconds, total)
}

/** The rate of deliveries to fifty endpoints that respond, beside others that never do. */
async function measureFifty(
  client: pg.Client,
  tenantId: string,
  ask: Ask,
  hanging: number,
): Promise<Measured> {
  const each = 200
  const [well, hung] = [await receivers(50, false), await receivers(hanging, true)]
  const ids = []
  for (const to of [...well, ...hung]) ids.push((await subscribe(ask, to, 'tag.merged')).id)
  await sleep(1_500)
  const begun = performance.now()
  await appendEvents(client, tenantId, each, 'tag.merged')
  await ask('POST', '/v1/tags', { name: `bell ${crypto.randomUUID()}` })
  await untilReceived(well, each)
  const seconds = (performance.now() - begun) / 1000
  for (const id of ids) await ask('DELETE', `/v1/webhook_endpoints/${id}`)
  closeAll([...well, ...hung])
  const received = well.reduce((sum, to) => sum + to.received, 0)
  return { ...noLatency, perSecond: received / seconds, failed: Math.max(0, well.length * each - received) }
}

const receivers = (count: number, hangs: boolean) =>
  Promise.all(Array.from({ length: count }, () => receiver(hangs)))

export async function measureWebhooks(
  client: pg.Client,
  server: Target,
  tenantId: string,
  seconds: number,
): Promise<Journal[]> {
  const ask = askOf(server)
  return [
    { name: 'journal: webhooks, to one receiver', measured: await measureThroughput(client, tenantId, ask) },
    { name: 'journal: webhooks, commit to receipt', measured: await measureLatency(ask, seconds) },
    { name: 'journal: webhooks, to 50 receivers', measured: await measureFifty(client, tenantId, ask, 0) },
    {
      name: 'journal: webhooks, to 50 beside 50 that hang',
      measured: await measureFifty(client, tenantId, ask, 50),
    },
  ]
}
