import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Sampler, Target, TelemetrySettings } from '../platform/telemetry/settings.ts'
import { oneOf, type Setting, wholeNumber } from './setting.ts'
import { version } from './version.ts'

type Signal = 'TRACES' | 'METRICS'

/**
 * Reads the variables of OpenTelemetry's specification ("SDK environment variables" and "OTLP exporter"). Without an
 * endpoint nothing is exported, unlike there, where localhost is the default.
 */
export function telemetrySettings(setting: Setting): TelemetrySettings | null {
  const number = (name: string, fallback: number, expected = 'a whole number of at least 1') =>
    setting(`OTEL_${name}`, String(fallback), positive, expected)
  const text = (name: string) => setting(`OTEL_${name}`, '', (given) => given, 'a text')
  const isDisabled = text('SDK_DISABLED').toLowerCase() === 'true'
  const base = setting('OTEL_EXPORTER_OTLP_ENDPOINT', '', httpUrl, 'an http:// or https:// URL')
  const headers = pairs('EXPORTER_OTLP_HEADERS')
  const attributes = pairs('RESOURCE_ATTRIBUTES')
  const name = text('SERVICE_NAME') || attributes?.['service.name'] || 'backline'
  const sampler = samplerOf(setting)
  const queue = {
    most: number('BSP_MAX_QUEUE_SIZE', 2_048),
    batch: number('BSP_MAX_EXPORT_BATCH_SIZE', 512),
    delayMs: number('BSP_SCHEDULE_DELAY', 5_000),
  }
  const intervalMs = number('METRIC_EXPORT_INTERVAL', 60_000)
  const [traces, metrics] = [target('TRACES'), target('METRICS')]
  if (isDisabled || (!traces && !metrics)) return null
  return {
    resource: {
      'host.name': hostname(),
      'process.pid': process.pid,
      'service.instance.id': randomUUID(),
      'service.version': version,
      ...attributes,
      'service.name': name,
      'telemetry.sdk.name': 'backline',
      'telemetry.sdk.language': 'nodejs',
    },
    traces: traces && { ...traces, sampler, queue: { ...queue, batch: Math.min(queue.batch, queue.most) } },
    metrics: metrics && { ...metrics, intervalMs },
  }

  function pairs(name: string): Record<string, string> {
    return setting(`OTEL_${name}`, '', parsePairs, 'a list such as name=value,other=value')
  }

  /** The variables of one signal take precedence. Its endpoint is used as it is. */
  function target(signal: Signal): Target | null {
    const either = <Value>(
      name: string,
      fallback: string,
      parse: (text: string) => Value | null,
      expected: string,
    ) => {
      const common = setting(`OTEL_EXPORTER_OTLP_${name}`, fallback, parse, expected)
      return setting(
        `OTEL_EXPORTER_OTLP_${signal}_${name}`,
        '',
        (own) => (own ? parse(own) : (common ?? ('' as Value))),
        expected,
      )
    }
    const own = setting(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, '', httpUrl, 'an http:// or https:// URL')
    either(
      'PROTOCOL',
      'http/json',
      oneOf('http/json'),
      'http/json, the one protocol that Backline exports by',
    )
    const timeoutMs = either('TIMEOUT', '10000', positive, 'a whole number of milliseconds, at least 1')
    const compression = either('COMPRESSION', 'none', oneOf('none', 'gzip'), 'gzip or none')
    const ownHeaders = pairs(`EXPORTER_OTLP_${signal}_HEADERS`)
    const exporters = text(`${signal}_EXPORTER`) || 'otlp'
    const url = own || (base ? `${base.replace(/\/$/, '')}/v1/${signal.toLowerCase()}` : '')
    if (!url || !exporters.split(',').some((each) => each.trim() === 'otlp')) return null
    return { url, headers: { ...headers, ...ownHeaders }, timeoutMs, isCompressed: compression === 'gzip' }
  }
}

/** The samplers of the specification, as a ratio and whether a parent decides. */
const samplers: Record<string, { ratio: number | null; followsParent: boolean }> = {
  always_on: { ratio: 1, followsParent: false },
  always_off: { ratio: 0, followsParent: false },
  traceidratio: { ratio: null, followsParent: false },
  parentbased_always_on: { ratio: 1, followsParent: true },
  parentbased_always_off: { ratio: 0, followsParent: true },
  parentbased_traceidratio: { ratio: null, followsParent: true },
}

function samplerOf(setting: Setting): Sampler {
  const names = Object.keys(samplers)
  const name = setting(
    'OTEL_TRACES_SAMPLER',
    'parentbased_always_on',
    oneOf(...names),
    `one of ${names.join(', ')}`,
  )
  const ratio = setting('OTEL_TRACES_SAMPLER_ARG', '1', ratioOf, 'a number from 0 to 1')
  const { followsParent, ratio: fixed } = samplers[name] ?? { followsParent: true, ratio: 1 }
  return { followsParent, ratio: fixed ?? ratio }
}

const positive = wholeNumber(1, 999_999_999)

const ratioOf = (text: string): number | null =>
  /^\d*\.?\d+$/.test(text) && Number(text) <= 1 ? Number(text) : null

/** Without a user name and password, which `fetch` refuses: `OTEL_EXPORTER_OTLP_HEADERS` has credentials. */
function httpUrl(text: string): string | null {
  if (text === '') return text
  const { protocol = '', username, password } = URL.canParse(text) ? new URL(text) : {}
  return /^https?:$/.test(protocol) && !username && !password ? text : null
}

/** The form of W3C Baggage: names and values with percent-encoding, separated by commas. */
function parsePairs(text: string): Record<string, string> | null {
  const parsed: Record<string, string> = {}
  for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
    const at = pair.indexOf('=')
    if (at < 1) return null
    try {
      parsed[pair.slice(0, at).trim()] = decodeURIComponent(pair.slice(at + 1).trim())
    } catch {
      return null
    }
  }
  return parsed
}
