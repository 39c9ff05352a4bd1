import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { until } from './processes.ts'

/* A receiver of OTLP over HTTP that keeps what it is sent. */

// biome-ignore lint/suspicious/noExplicitAny: messages are what the tests are about
type Message = any

export type Export = { path: string; headers: IncomingHttpHeaders; message: Message }

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  ms: number
  isFailed: boolean
  attributes: Record<string, string | number | boolean>
}

export type Collector = {
  url: string
  exports: Export[]
  /** The spans so far. */
  spans(): ReceivedSpan[]
  /** The spans of a trace, as soon as it has this number. */
  trace(traceId: string, count: number): Promise<ReceivedSpan[]>
  /** The metrics of the latest export by name. */
  metrics(): Map<string, Message>
}

/** Listens on 127.0.0.1 until the process ends, without keeping it alive. @param status of every response */
export async function collector(status: (path: string) => number = () => 200): Promise<Collector> {
  const exports: Export[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      const code = status(incoming.url!)
      outgoing.writeHead(code).end('{}')
      if (code !== 200) return
      const bytes = Buffer.concat(chunks)
      const plain = incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      exports.push({
        path: incoming.url!,
        headers: incoming.headers,
        message: JSON.parse(plain.toString()),
      })
    })
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const spans = () => exports.flatMap(({ message }) => (message.resourceSpans ?? []).flatMap(spansOf))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports,
    spans,
    trace: (traceId, count) =>
      until(`the trace has ${count} spans`, () => {
        const found = spans().filter((span) => span.traceId === traceId)
        return found.length >= count && found
      }),
    metrics() {
      const latest = exports.findLast(({ message }) => message.resourceMetrics)
      const metrics = latest?.message.resourceMetrics[0].scopeMetrics[0].metrics ?? []
      return new Map(metrics.map((metric: Message) => [metric.name, metric]))
    },
  }
}

const spansOf = ({ scopeSpans }: Message): ReceivedSpan[] =>
  scopeSpans[0].spans.map((span: Message) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    ms: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
    isFailed: span.status?.code === 2,
    attributes: attributesOf(span.attributes),
  }))

export const attributesOf = (attributes: Message[]): Record<string, string | number | boolean> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ??
        value.boolValue ??
        (value.intValue === undefined ? value.doubleValue : Number(value.intValue)),
    ]),
  )
