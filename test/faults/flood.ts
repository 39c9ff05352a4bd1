import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * Creates conversations over many connections at a rate that does not depend on responses. It is a separate process, so
 * that it does not slow down the test or the server. The order is JSON in the first argument; the report goes to
 * standard output.
 */

export type FloodOrder = {
  url: string
  apiKey: string
  /** A prefix that makes keys and marks unique. */
  name: string
  connections: number
  seconds: number
  /** Requests per second over all connections; null: each connection sends after its last response. */
  perSecond: number | null
}

export type Latencies = { count: number; p50Ms: number; p99Ms: number; longestMs: number }

export type FloodReport = {
  statuses: Record<string, number>
  /** Requests whose connection ended without a response. */
  unanswered: number
  /** 503 and 429 without Retry-After. */
  withoutRetryAfter: number
  accepted: Latencies
  refused: Latencies
  /** Created conversations: id and external_user_id. */
  made: [id: string, mark: string][]
}

const patienceMs = 30_000
/** The pause before a failed connection is tried again. */
const pauseMs = 100
const tickMs = 5
/** The server accepts connections later than its operating system does; this measures requests only. */
const settlingMs = 500

type Line = { socket: Socket; received: string; mark: string; sentAt: number; isBusy: boolean }

if (import.meta.main) console.log(JSON.stringify(await flood(JSON.parse(process.argv[2]!))))

async function flood(order: FloodOrder): Promise<FloodReport> {
  const { hostname, port } = new URL(order.url)
  const report = { statuses: {} as Record<string, number>, unanswered: 0, withoutRetryAfter: 0 }
  const made: [string, string][] = []
  const durations: { accepted: number[]; refused: number[] } = { accepted: [], refused: [] }
  const sockets = new Set<Socket>()
  const idle: Line[] = []
  let sent = 0
  let busy = 0
  let isOver = false

  function open(): void {
    if (isOver) return
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    sockets.add(socket)
    const line: Line = { socket, received: '', mark: '', sentAt: 0, isBusy: false }
    socket.setEncoding('latin1')
    let wasOpen = false
    socket.once('connect', () => {
      wasOpen = true
      ready(line)
    })
    socket.on('data', (text: string) => receive(line, text))
    socket.on('error', () => undefined) // its close event counts
    socket.once('close', () => {
      sockets.delete(socket)
      if (line.isBusy) {
        report.unanswered++
        busy--
      }
      const place = idle.indexOf(line)
      if (place >= 0) idle.splice(place, 1)
      if (wasOpen) open()
      else setTimeout(open, pauseMs)
    })
  }

  function ready(line: Line): void {
    if (order.perSecond === null && !isOver) request(line)
    else idle.push(line)
  }

  function request(line: Line): void {
    line.mark = `${order.name}-${sent++}`
    const body = JSON.stringify({ external_user_id: line.mark, subject: 'Card declined' })
    line.isBusy = true
    busy++
    line.sentAt = performance.now()
    line.socket.write(
      `POST /v1/conversations HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${order.apiKey}\r\n` +
        `Idempotency-Key: ${line.mark}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  }

  function receive(line: Line, text: string): void {
    line.received += text
    const headEnd = line.received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = line.received.slice(0, headEnd).toLowerCase()
    const bodyLength = Number(/\ncontent-length: (\d+)/.exec(head)![1])
    if (line.received.length < headEnd + 4 + bodyLength) return
    take(line, head, line.received.slice(headEnd + 4))
    line.received = ''
    line.isBusy = false
    busy--
    if (head.includes('\nconnection: close')) line.socket.destroy()
    else ready(line)
  }

  function take(line: Line, head: string, body: string): void {
    const status = head.slice(9, 12)
    report.statuses[status] = (report.statuses[status] ?? 0) + 1
    if (status === '201') made.push([JSON.parse(body).id, line.mark])
    else if (!head.includes('\nretry-after: ')) report.withoutRetryAfter++
    durations[status === '201' ? 'accepted' : 'refused'].push(performance.now() - line.sentAt)
  }

  for (let i = 0; i < order.connections; i++) open()
  if (order.perSecond !== null) {
    const openedBy = performance.now() + patienceMs
    while (idle.length < order.connections) {
      if (performance.now() > openedBy)
        throw new Error(`${idle.length} of ${order.connections} connections were open after ${patienceMs} ms`)
      await sleep(tickMs)
    }
    await sleep(settlingMs)
  }
  const startedAt = performance.now()
  while (performance.now() - startedAt < order.seconds * 1000) {
    await sleep(tickMs)
    const due = ((performance.now() - startedAt) / 1000) * (order.perSecond ?? 0)
    while (sent < due && idle.length > 0) request(idle.shift()!)
    // requests without a connection are not made up for
    if (order.perSecond !== null) sent = Math.max(sent, Math.floor(due))
  }
  isOver = true
  const isLate = () => performance.now() - startedAt > order.seconds * 1000 + patienceMs
  while (busy > 0 && !isLate()) await sleep(tickMs)
  for (const socket of sockets) socket.destroy()
  return {
    ...report,
    unanswered: report.unanswered + busy,
    made,
    accepted: latenciesOf(durations.accepted),
    refused: latenciesOf(durations.refused),
  }
}

function latenciesOf(durations: number[]): Latencies {
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), longestMs: at(1) }
}
