import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/*
 * The metrics of a process, in one registry per server. `/metrics` and the export by OTLP read it. A function that is
 * called twice with one name returns the same metric, because an API and a worker may share a process.
 */

export type Metrics = Registry

type About = { name: string; help: string }

/** A gauge whose value is read for each scrape. */
export function gauge(metrics: Metrics, about: About, read: () => Promise<number> | number): void {
  if (metrics.getSingleMetric(about.name)) return
  new Gauge({
    ...about,
    registers: [metrics],
    async collect() {
      this.set(await read())
    },
  })
}

/** A gauge with a label. `read` returns the values by the value of the label; others of earlier scrapes are dropped. */
export function gauges<Label extends string>(
  metrics: Metrics,
  { label, ...about }: About & { label: Label },
  read: () => Promise<ReadonlyMap<string, number>> | ReadonlyMap<string, number>,
): void {
  if (metrics.getSingleMetric(about.name)) return
  new Gauge({
    ...about,
    labelNames: [label],
    registers: [metrics],
    async collect() {
      const values = await read()
      this.reset()
      for (const [name, value] of values) this.set({ [label]: name } as Record<Label, string>, value)
    },
  })
}

/** A total that another part of the program counts, read for each scrape. */
export function total(metrics: Metrics, about: About, read: () => number): void {
  if (metrics.getSingleMetric(about.name)) return
  new Counter({
    ...about,
    registers: [metrics],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

export const counter = <Label extends string>(
  metrics: Metrics,
  { labels, ...about }: About & { labels: Label[] },
): Counter<Label> =>
  (metrics.getSingleMetric(about.name) as Counter<Label> | undefined) ??
  new Counter({ ...about, labelNames: labels, registers: [metrics] })

export const histogram = <Label extends string = never>(
  metrics: Metrics,
  { labels = [], ...about }: About & { buckets: number[]; labels?: Label[] },
): Histogram<Label> =>
  (metrics.getSingleMetric(about.name) as Histogram<Label> | undefined) ??
  new Histogram({ ...about, labelNames: labels, registers: [metrics] })
