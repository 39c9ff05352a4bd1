import type { Config } from '@backline/server/compose/config.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { type Check, ok, warning } from './check.ts'

const name = 'collector'
const patienceMs = 5_000

/** Asks the receivers of traces and metrics whether they are there: any response will do. None without an export. */
export async function checkCollectors({ telemetry }: Config): Promise<Check[]> {
  const targets = [telemetry?.traces, telemetry?.metrics].flatMap((target) => target?.url ?? [])
  const origins = [...new Set(targets.map((url) => new URL(url).origin))]
  return Promise.all(origins.map(checkOrigin))
}

async function checkOrigin(origin: string): Promise<Check> {
  const facts = { origin }
  try {
    await fetch(origin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    return ok(name, `${origin} responds`, facts)
  } catch (error) {
    const reason = reasonOf((error as Error).cause ?? error)
    const advice = 'start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT; the server works without it'
    return warning(name, `${origin} cannot be reached: ${reason}`, advice, facts)
  }
}
