import type { MetricsRequest, TracesRequest } from './wire.ts'

/*
 * The binary encoding of OTLP 1: the field numbers of opentelemetry-proto for the messages of wire.ts, and an encoder
 * for them (https://protobuf.dev/programming-guides/encoding). It writes from the end to the beginning, so the length
 * of a message is known when its prefix is written.
 */

type Type = 'string' | 'hex' | 'bool' | 'enum' | 'int64' | 'fixed32' | 'fixed64' | 'double' | Message
type Message = { [field: string]: [number: number, type: Type] }

const anyValue: Message = {
  stringValue: [1, 'string'],
  boolValue: [2, 'bool'],
  intValue: [3, 'int64'],
  doubleValue: [4, 'double'],
}
const keyValue: Message = { key: [1, 'string'], value: [2, anyValue] }
const resource: Message = { attributes: [1, keyValue] }
const scope: Message = { name: [1, 'string'] }
const span: Message = {
  traceId: [1, 'hex'],
  spanId: [2, 'hex'],
  parentSpanId: [4, 'hex'],
  name: [5, 'string'],
  kind: [6, 'enum'],
  startTimeUnixNano: [7, 'fixed64'],
  endTimeUnixNano: [8, 'fixed64'],
  attributes: [9, keyValue],
  status: [15, { code: [3, 'enum'] }],
  flags: [16, 'fixed32'],
}
const numberPoint: Message = {
  startTimeUnixNano: [2, 'fixed64'],
  timeUnixNano: [3, 'fixed64'],
  asDouble: [4, 'double'],
  attributes: [7, keyValue],
}
const histogramPoint: Message = {
  startTimeUnixNano: [2, 'fixed64'],
  timeUnixNano: [3, 'fixed64'],
  count: [4, 'fixed64'],
  sum: [5, 'double'],
  bucketCounts: [6, 'fixed64'],
  explicitBounds: [7, 'double'],
  attributes: [9, keyValue],
}
const metric: Message = {
  name: [1, 'string'],
  description: [2, 'string'],
  unit: [3, 'string'],
  gauge: [5, { dataPoints: [1, numberPoint] }],
  sum: [7, { dataPoints: [1, numberPoint], aggregationTemporality: [2, 'enum'], isMonotonic: [3, 'bool'] }],
  histogram: [9, { dataPoints: [1, histogramPoint], aggregationTemporality: [2, 'enum'] }],
}
const request: Message = {
  resourceSpans: [1, { resource: [1, resource], scopeSpans: [2, { scope: [1, scope], spans: [2, span] }] }],
  resourceMetrics: [
    1,
    { resource: [1, resource], scopeMetrics: [2, { scope: [1, scope], metrics: [2, metric] }] },
  ],
}

export function toProtobuf(message: TracesRequest | MetricsRequest): Buffer {
  const writer = new Writer()
  writer.message(message as unknown as Fields, request)
  return writer.written()
}

type Fields = Record<string, unknown>
type Scalar = Exclude<Type, Message>

const wireTypes = { bool: 0, enum: 0, int64: 0, fixed64: 1, double: 1, string: 2, hex: 2, fixed32: 5 }
const lengthDelimited = 2

class Writer {
  #buffer = Buffer.allocUnsafe(64 * 1024)
  /** The first byte that has been written. */
  #at = this.#buffer.length

  written(): Buffer {
    return this.#buffer.subarray(this.#at)
  }

  message(fields: Fields, message: Message): void {
    for (const [name, value] of Object.entries(fields).reverse()) {
      if (value === undefined) continue
      const [number, type] = message[name]!
      if (!Array.isArray(value)) this.#field(number, type, value)
      else if (typeof type === 'string') this.#packed(number, type, value)
      else for (let i = value.length - 1; i >= 0; i--) this.#field(number, type, value[i])
    }
  }

  #field(number: number, type: Type, value: unknown): void {
    const end = this.#at
    if (typeof type === 'string') this.#scalar(type, value)
    else this.message(value as Fields, type)
    const wireType = typeof type === 'string' ? wireTypes[type] : lengthDelimited
    if (wireType === lengthDelimited) this.#varint(end - this.#at)
    this.#varint((number << 3) | wireType)
  }

  /** A list of numbers is one field. */
  #packed(number: number, type: Scalar, values: unknown[]): void {
    if (values.length === 0) return
    const end = this.#at
    for (let i = values.length - 1; i >= 0; i--) this.#scalar(type, values[i])
    this.#varint(end - this.#at)
    this.#varint((number << 3) | lengthDelimited)
  }

  #scalar(type: Scalar, value: unknown): void {
    if (type === 'string' || type === 'hex') {
      const encoding = type === 'hex' ? 'hex' : 'utf8'
      const length = Buffer.byteLength(value as string, encoding)
      this.#make(length)
      this.#buffer.write(value as string, this.#at, encoding)
    } else if (type === 'fixed64') {
      this.#make(8)
      this.#buffer.writeBigUInt64LE(BigInt(value as string), this.#at)
    } else if (type === 'double') {
      this.#make(8)
      this.#buffer.writeDoubleLE(value as number, this.#at)
    } else if (type === 'fixed32') {
      this.#make(4)
      this.#buffer.writeUInt32LE(value as number, this.#at)
    } else this.#varint(Number(value))
  }

  /** Seven bits per byte, the lowest first. A negative number has the 64 bits of its two's complement. */
  #varint(value: number): void {
    const bytes: number[] = []
    for (let rest = value < 0 ? BigInt.asUintN(64, BigInt(value)) : value; ; ) {
      const low = Number(typeof rest === 'bigint' ? rest & 0x7fn : rest % 128)
      rest = typeof rest === 'bigint' ? rest >> 7n : Math.floor(rest / 128)
      const isLast = Number(rest) === 0
      bytes.push(isLast ? low : low | 0x80)
      if (isLast) break
    }
    this.#make(bytes.length)
    this.#buffer.set(bytes, this.#at)
  }

  /** Makes room for a number of bytes before those that were written. */
  #make(length: number): void {
    if (length > this.#at) {
      const larger = Buffer.allocUnsafe(2 * this.#buffer.length + length)
      const at = larger.length - (this.#buffer.length - this.#at)
      this.#buffer.copy(larger, at, this.#at)
      this.#buffer = larger
      this.#at = at
    }
    this.#at -= length
  }
}
