import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { until } from './processes.ts'

/* A receiver of OTLP over HTTP that keeps what it is sent, in either encoding. */

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
      const isJson = incoming.headers['content-type'] === 'application/json'
      const message = isJson ? JSON.parse(plain.toString()) : decode(plain, request)
      exports.push({ path: incoming.url!, headers: incoming.headers, message })
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

/*
 * The messages of opentelemetry-proto 1.x as far as the server uses them: the field numbers with the names of the JSON
 * encoding. A field that is not listed fails the test.
 */
type Kind = 'text' | 'hex' | 'bool' | 'int' | 'double' | 'fixed' | Fields
type Fields = { [number: number]: [name: string, kind: Kind, isList?: 'list'] }

const value: Fields = {
  1: ['stringValue', 'text'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'int'],
  4: ['doubleValue', 'double'],
}
const keyValue: Fields = { 1: ['key', 'text'], 2: ['value', value] }
const resource: Fields = { 1: ['attributes', keyValue, 'list'] }
const scope: Fields = { 1: ['name', 'text'] }
const times: Fields = { 2: ['startTimeUnixNano', 'fixed'], 3: ['timeUnixNano', 'fixed'] }
const points: Fields = { ...times, 4: ['asDouble', 'double'], 7: ['attributes', keyValue, 'list'] }
const histogramPoints: Fields = {
  ...times,
  4: ['count', 'fixed'],
  5: ['sum', 'double'],
  6: ['bucketCounts', 'fixed', 'list'],
  7: ['explicitBounds', 'double', 'list'],
  9: ['attributes', keyValue, 'list'],
}
const span: Fields = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'int'],
  7: ['startTimeUnixNano', 'fixed'],
  8: ['endTimeUnixNano', 'fixed'],
  9: ['attributes', keyValue, 'list'],
  15: ['status', { 3: ['code', 'int'] }],
  16: ['flags', 'fixed'],
}
const metric: Fields = {
  1: ['name', 'text'],
  2: ['description', 'text'],
  3: ['unit', 'text'],
  5: ['gauge', { 1: ['dataPoints', points, 'list'] }],
  7: [
    'sum',
    { 1: ['dataPoints', points, 'list'], 2: ['aggregationTemporality', 'int'], 3: ['isMonotonic', 'bool'] },
  ],
  9: ['histogram', { 1: ['dataPoints', histogramPoints, 'list'], 2: ['aggregationTemporality', 'int'] }],
}
const scopeSpans: Fields = { 1: ['scope', scope], 2: ['spans', span, 'list'] }
const scopeMetrics: Fields = { 1: ['scope', scope], 2: ['metrics', metric, 'list'] }
const isTraces = { 1: ['resource', resource], 2: ['scopeSpans', scopeSpans, 'list'] } satisfies Fields
const isMetrics = { 1: ['resource', resource], 2: ['scopeMetrics', scopeMetrics, 'list'] } satisfies Fields

/** Both requests have one field of number 1; a metric begins with its name, a span with 16 bytes. */
const request = (bytes: Buffer): Fields => {
  for (const [name, fields] of [
    ['resourceSpans', isTraces],
    ['resourceMetrics', isMetrics],
  ] as const) {
    try {
      const candidate: Fields = { 1: [name, fields, 'list'] }
      decode(bytes, candidate)
      return candidate
    } catch {}
  }
  throw new Error('Neither traces nor metrics')
}

function decode(bytes: Buffer, given: Fields | ((bytes: Buffer) => Fields)): Message {
  const fields = typeof given === 'function' ? given(bytes) : given
  const message: Message = {}
  let at = 0
  const varint = (): bigint => {
    let [result, shift] = [0n, 0n]
    for (;;) {
      const byte = bytes[at++]!
      result |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return result
      shift += 7n
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const known = fields[tag >> 3]
    if (!known) throw new Error(`Unknown field ${tag >> 3}`)
    const [name, kind, isList] = known
    const width = [null, 8, null, null, null, 4][tag & 7] ?? null
    let raw: bigint | Buffer
    if ((tag & 7) === 0) raw = varint()
    else {
      const length = width ?? Number(varint())
      raw = bytes.subarray(at, at + length)
      if (raw.length < length) throw new Error('The message ends early')
      at += length
    }
    const isPacked = isList && (kind === 'fixed' || kind === 'double')
    if (isPacked)
      message[name] = Array.from({ length: (raw as Buffer).length / 8 }, (_, i) =>
        plain((raw as Buffer).subarray(8 * i, 8 * i + 8), kind),
      )
    else if (isList) message[name] = [...(message[name] ?? []), plain(raw, kind)]
    else message[name] = plain(raw, kind)
  }
  return message
}

function plain(raw: bigint | Buffer, kind: Kind): Message {
  if (typeof kind === 'object') return decode(raw as Buffer, kind)
  if (kind === 'bool') return raw === 1n
  if (kind === 'int') return Number(raw)
  if (kind === 'double') return (raw as Buffer).readDoubleLE()
  if (kind === 'text') return new TextDecoder('utf-8', { fatal: true }).decode(raw as Buffer)
  if (kind === 'hex') return (raw as Buffer).toString('hex')
  const bytes = raw as Buffer
  return bytes.length === 4 ? bytes.readUInt32LE() : String(bytes.readBigUInt64LE())
}
