import type { Metrics } from '../kernel/metrics.ts'
import { pause } from '../kernel/pause.ts'
import type { Exporter } from './exporter.ts'
import { type KeyValue, type Resource, type Scope, toAttributes, toNanos } from './wire.ts'

/** `AGGREGATION_TEMPORALITY_CUMULATIVE`: since the start of the process, as Prometheus counts. */
const cumulative = 2

type Labels = Record<string, string | number>
/** A metric of prom-client: each bucket, sum and count of a histogram is a value of its own. */
type Read = {
  name: string
  help: string
  type: unknown
  values: { value: number; metricName?: string; labels: Labels }[]
}

/**
 * Sends the metrics of `/metrics`, under the same names, at an interval. A reading that cannot be sent is dropped: the
 * next one contains it.
 * @returns a function that sends them a last time and ends
 */
export function startMetricsExport(
  metrics: Metrics,
  exporter: Exporter,
  intervalMs: number,
  resource: Resource,
  scope: Scope,
): (signal: AbortSignal) => Promise<void> {
  const closing = new AbortController()

  async function send(signal?: AbortSignal): Promise<void> {
    const read = (await metrics.getMetricsAsJSON()) as Read[]
    if (signal?.aborted) return
    await exporter.send(requestOf(read, resource, scope), signal)
  }

  async function run(): Promise<void> {
    for (;;) {
      await pause(intervalMs, closing.signal)
      if (closing.signal.aborted) return
      await send()
    }
  }
  void run()
  return async (signal) => {
    closing.abort()
    await send(signal)
  }
}

function requestOf(read: Read[], resource: Resource, scope: Scope) {
  const times = {
    startTimeUnixNano: toNanos(performance.timeOrigin),
    timeUnixNano: toNanos(performance.timeOrigin + performance.now()),
  }
  const records = read.filter(({ values }) => values.length > 0).map((each) => recordOf(each, times))
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: records }] }] }
}

type Times = { startTimeUnixNano: string; timeUnixNano: string }

function recordOf(metric: Read, times: Times) {
  const { name, help: description, type, values } = metric
  const common = { name, description, unit: unitOf(name) }
  if (type === 'histogram')
    return {
      ...common,
      histogram: { dataPoints: histogramPoints(metric, times), aggregationTemporality: cumulative },
    }
  const known = values.filter(({ value }) => Number.isFinite(value)) // a figure that could not be read is NaN
  const points = known.map(({ value, labels }) => ({
    attributes: toAttributes(labels),
    ...times,
    asDouble: value,
  }))
  return type === 'counter'
    ? { ...common, sum: { dataPoints: points, aggregationTemporality: cumulative, isMonotonic: true } }
    : { ...common, gauge: { dataPoints: points } }
}

type HistogramPoint = Times & {
  attributes: KeyValue[]
  count: string
  sum: number
  bucketCounts: string[]
  explicitBounds: number[]
}

/** Collects the values of one set of labels to one point. Buckets are cumulative in Prometheus and not in OTLP. */
function histogramPoints({ name, values }: Read, times: Times): HistogramPoint[] {
  const points = new Map<string, { point: HistogramPoint; below: number }>()
  for (const { value, metricName, labels } of values) {
    const { le, ...rest } = labels
    const key = JSON.stringify(Object.entries(rest).sort())
    const known = points.get(key) ?? {
      point: {
        attributes: toAttributes(rest),
        ...times,
        count: '0',
        sum: 0,
        bucketCounts: [],
        explicitBounds: [],
      },
      below: 0,
    }
    points.set(key, known)
    const { point } = known
    if (metricName === `${name}_sum`) point.sum = value
    else if (metricName === `${name}_count`) point.count = String(value)
    else {
      point.bucketCounts.push(String(value - known.below))
      known.below = value
      if (le !== '+Inf') point.explicitBounds.push(Number(le))
    }
  }
  return [...points.values()].map(({ point }) => point)
}

/** The unit in UCUM, from the suffix of the name. */
const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : '1'
