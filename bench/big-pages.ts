import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type BenchServer, startServer } from './server.ts'
import { formatNumber, printTable } from './table.ts'

/*
 * One environment asks for a hundred pages of 4 MB at once while another one reads a short list: how long the short
 * reads take, compared with a quiet server. Then clients that read nothing of their pages.
 */

const articles = 30
const bodyBytes = 500_000
const pages = 100
const deafClients = 150
const quietMs = 4_000
/** The time between two short reads. */
const everyMs = 5
/** The time for which clients that read nothing are open. */
const deafMs = 10_000

type Flood = { port: number; key: string; clients: number; reads: boolean }
type Probe = { p50Ms: number; p99Ms: number; maxMs: number; count: number; refused: number }

async function main(): Promise<void> {
  const server = await startServer()
  try {
    for (let i = 0; i < articles; i++) await createArticle(server, i)
    const quiet = await probe(server, quietMs)
    const rows = [rowOf('quiet', quiet, quiet, null)]
    for (const clients of [10, 40, pages]) {
      const begun = performance.now()
      const { during, statuses } = await beside(server, { clients, reads: true })
      rows.push(rowOf(`${clients} pages`, during, quiet, performance.now() - begun, statuses))
    }
    const { during, statuses } = await beside(server, { clients: deafClients, reads: false })
    rows.push(rowOf(`${deafClients} clients that read nothing`, during, quiet, null, statuses))
    printTable(
      ['beside', 'done after s', 'p50 ms', 'p99 ms', 'max ms', 'p99 of quiet', 'reads', 'refused', 'pages'],
      rows,
    )
  } finally {
    await server.stop()
  }
}

const rowOf = (
  name: string,
  { p50Ms, p99Ms, maxMs, count, refused }: Probe,
  quiet: Probe,
  tookMs: number | null,
  statuses = '',
) => [
  name,
  formatNumber(tookMs === null ? null : tookMs / 1000, 1),
  formatNumber(p50Ms, 1),
  formatNumber(p99Ms, 1),
  formatNumber(maxMs, 1),
  formatNumber(p99Ms / quiet.p99Ms, 1),
  count,
  refused,
  statuses,
]

async function createArticle({ url, apiKey }: BenchServer, i: number): Promise<void> {
  const response = await fetch(`${url}/v1/kb/articles`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `article-${i}`,
    },
    body: JSON.stringify({ title: `Article ${i}`, locale: 'en', body: 'word '.repeat(bodyBytes / 5) }),
  })
  if (response.status !== 201) throw new Error(await response.text())
}

/** Measures the short reads while the other environment's pages are asked for. */
async function beside(
  server: BenchServer,
  how: { clients: number; reads: boolean },
): Promise<{ during: Probe; statuses: string }> {
  const port = Number(new URL(server.url).port)
  const workerData = { port, key: server.apiKey, ...how } satisfies Flood
  const worker = new Worker(new URL(import.meta.url), { workerData })
  await once(worker, 'message') // all are connected
  const ended = once(worker, 'message')
  const stop = new AbortController()
  void ended.then(() => stop.abort())
  worker.postMessage('begin')
  const during = await probe(server, how.reads ? Number.POSITIVE_INFINITY : deafMs, stop.signal)
  worker.postMessage('end')
  const [statuses] = await ended
  await worker.terminate()
  return { during, statuses }
}

/** Short reads of the test environment, at a constant rate, whether earlier ones have been answered or not. */
async function probe({ url, testKey }: BenchServer, forMs: number, signal?: AbortSignal): Promise<Probe> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  let refused = 0
  async function read(): Promise<void> {
    const sent = performance.now()
    const headers = { authorization: `Bearer ${testKey}` }
    const [response] = await once(get(`${url}/v1/conversations?limit=1`, { agent, headers }), 'response')
    response.resume()
    await once(response, 'end')
    if (response.statusCode !== 200) refused++
    times.push(performance.now() - sent)
  }
  const reads: Promise<void>[] = []
  const begun = performance.now()
  for (; performance.now() - begun < forMs && !signal?.aborted; await sleep(everyMs)) reads.push(read())
  await Promise.all(reads)
  agent.destroy()
  times.sort((one, other) => one - other)
  const at = (part: number) => times[Math.floor((times.length - 1) * part)]!
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), count: times.length, refused }
}

/** Asks for pages at once when told to, and tells their statuses when all have come, or when told to end. */
async function flood({ port, key, clients, reads }: Flood): Promise<void> {
  const statuses = new Map<string, number>()
  const sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  parentPort!.postMessage('connected')
  await once(parentPort!, 'message')
  const all = sockets.map(async (socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (head: Buffer) => {
      const status = head.subarray(9, 12).toString()
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (!reads) socket.pause()
    })
    socket.write(
      `GET /v1/kb/articles?limit=100 HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
    )
    await once(socket, 'close')
  })
  parentPort!.once('message', () => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(all)
  parentPort!.postMessage([...statuses].map(([status, count]) => `${count} × ${status}`).join(', '))
}

if (isMainThread) await main()
else await flood(workerData as Flood)
