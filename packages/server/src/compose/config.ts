import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { FileSettings } from '../platform/files/settings.ts'
import type { AttemptLimits } from '../platform/http/limits/attempt-limit.ts'
import { faultOfDates, type VersionDates } from '../platform/http/response/versions.ts'
import { parseInstant } from '../platform/kernel/clock.ts'
import { parseCidr } from '../platform/kernel/networks.ts'
import { parseSecretKeys, secretKeyForm } from '../platform/kernel/secret-box.ts'
import { HostsError, hasSeveralHosts, parseHosts } from '../platform/postgres/hosts.ts'
import type { TelemetrySettings } from '../platform/telemetry/settings.ts'
import type { ConsoleOidcSettings } from '../support/access/oidc/settings.ts'
import {
  defaultMailNetworks,
  type MailListen,
  mailListenForms,
  parseMailListen,
} from '../support/mail/smtp/listen-setting.ts'
import { fileSettings } from './file-settings.ts'
import { oidcSettings } from './oidc-settings.ts'
import { telemetrySettings } from './otel-settings.ts'
import { oneOf, type Setting, wholeNumber } from './setting.ts'
import { faultOfName, unknownSettings } from './unknown-settings.ts'

/** All settings. Only this file reads the environment. */
export type Config = {
  host: string
  port: number
  /** Null selects the embedded PostgreSQL in the data directory. */
  databaseUrl: string | null
  /** Sentences about settings that may not be meant so. */
  remarks: string[]
  dataDir: string
  /**
   * The keys that may encrypt secrets in the database; the last is the newest. Null selects those in the data
   * directory.
   */
  secretKeys: KeyObject[] | null
  publicUrl: string
  /** The networks of the proxies that say truly from whom a request comes. */
  trustedProxies: string[]
  logLevel: LogLevel
  /** Null selects `pretty` on a terminal and `json` elsewhere. */
  logFormat: LogFormat | null
  role: Role
  rateLimit: { perSecond: number; burst: number }
  /** Limits in real time that count attempts; 0 switches one off. */
  attemptLimits: { sessions: AttemptLimits; endUserWrites: AttemptLimits }
  /** Maximum number of open streams, in the process and with one API key. */
  streamLimits: { most: number; ofOne: number }
  /** Maximum size of unread responses in bytes, in the process and of one API key. */
  unsentLimits: { most: number; ofOne: number }
  webhookAllowedNetworks: string[]
  /** The private networks that mailboxes may send through. */
  smtpAllowedNetworks: string[]
  webhookRetrySeconds: number[]
  mail: {
    /** The number of mails from one address that make a message in an hour; 0 for any. */
    perAddressPerHour: number
    /** The pauses between the attempts of a mail. */
    retrySeconds: number[]
    /** The place where mail arrives by LMTP or SMTP; null for none. */
    listen: MailListen | null
    /** The networks whose clients may send mail there. */
    allowedNetworks: string[]
  }
  versionDates: VersionDates
  idempotencyRetentionHours: number
  /** The days and the number of requests of an environment that the request log keeps; 0 days switch it off. */
  requestLog: { days: number; rows: number }
  files: FileSettings
  /** The OpenID provider of the console; null without one. */
  oidc: ConsoleOidcSettings | null
  /** Null allows `/metrics` for loopback only. */
  metricsToken: string | null
  /** The export by OTLP; null without an endpoint. */
  telemetry: TelemetrySettings | null
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const roles = ['all', 'api', 'worker'] as const
const logFormats = ['json', 'pretty'] as const
type LogLevel = (typeof logLevels)[number]
export type LogFormat = (typeof logFormats)[number]
type Role = (typeof roles)[number]

const cidrs = 'a comma-separated list of CIDR blocks, such as 10.0.0.0/8,::1/128'
const orNone = 'a whole number up to 10000; 0 disables the limit'

/** The default webhook retry schedule: 5 s to 24 h. */
const defaultRetrySeconds = '5,30,300,1800,7200,18000,36000,50400,72000,86400'

/** A setting is invalid. The message names it and its valid values. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** @throws ConfigError that lists every invalid setting, and every unknown variable `BACKLINE_…` */
export function readConfig(given: NodeJS.ProcessEnv = process.env): Config {
  const { environment, asked } = recorded(given)
  const faults: string[] = []
  const setting: Setting = (name, fallback, parse, expected) => {
    const text = environment[name]?.trim() || fallback
    const value = parse(text)
    if (value === null) faults.push(`${name} must be ${expected}, not ${JSON.stringify(masked(name, text))}`)
    return value!
  }
  const optional = <Value>(name: string, parse: (text: string) => Value | null, expected: string) =>
    environment[name]?.trim() ? setting(name, '', parse, expected) : null
  const date = (name: string) => optional(name, parseDate, 'a date (YYYY-MM-DD) or an RFC 3339 time')

  const host = setting('HOST', '127.0.0.1', parseHost, 'an IP address or a host name')
  const port = setting('PORT', '8080', wholeNumber(0, 65535), 'a port number from 0 to 65535')
  const perSecond = setting(
    'BACKLINE_RATE_LIMIT_PER_SECOND',
    '100',
    wholeNumber(0, 1_000_000),
    'a whole number; 0 disables the limit',
  )
  const streams = setting(
    'BACKLINE_MAX_STREAMS',
    '10000',
    wholeNumber(1, 1_000_000),
    'a whole number of at least 1',
  )
  const unsentBytes =
    2 ** 20 *
    setting('BACKLINE_MAX_UNSENT_MB', '256', wholeNumber(16, 1_000_000), 'a whole number of MiB, at least 16')
  const databaseUrl = optional('DATABASE_URL', parseDatabaseUrl, 'a postgres:// or postgresql:// URL')
  const faultOfDatabase = databaseUrl && faultOfHosts(databaseUrl)
  if (faultOfDatabase) faults.push(`DATABASE_URL: ${faultOfDatabase}`)
  const dataDir = resolve(environment.BACKLINE_DATA_DIR?.trim() || 'data')
  const config: Config = {
    host,
    port,
    databaseUrl: databaseUrl && withVerifiedTls(databaseUrl),
    remarks: [],
    dataDir,
    secretKeys: optional('BACKLINE_SECRET_KEY', parseSecretKeys, secretKeyForm),
    publicUrl: setting(
      'BACKLINE_PUBLIC_URL',
      // An invalid HOST or PORT is one error, not two.
      `http://${urlHost(reachable(host ?? '127.0.0.1'))}:${port ?? 8080}`,
      parseHttpUrl,
      'an http:// or https:// URL without a query',
    ),
    trustedProxies: setting(
      'BACKLINE_TRUSTED_PROXIES',
      '',
      parseProxies,
      'a comma-separated list of CIDR blocks, such as 10.0.0.0/8,::1/128, without 0.0.0.0/0 and ::/0, which anybody is in',
    ),
    logLevel: setting('BACKLINE_LOG_LEVEL', 'info', oneOf(...logLevels), `one of ${logLevels.join(', ')}`),
    logFormat: optional('BACKLINE_LOG_FORMAT', oneOf(...logFormats), logFormats.join(' or ')),
    role: setting('BACKLINE_ROLE', 'all', oneOf(...roles), `one of ${roles.join(', ')}`),
    rateLimit: {
      perSecond,
      burst: setting(
        'BACKLINE_RATE_LIMIT_BURST',
        String(perSecond * 2 || 200),
        wholeNumber(1, 10_000_000),
        'a whole number of at least 1',
      ),
    },
    attemptLimits: {
      sessions: {
        most: setting('BACKLINE_SESSIONS_PER_MINUTE', '10', wholeNumber(0, 10_000), orNone),
        windowSeconds: 60,
      },
      endUserWrites: {
        most: setting('BACKLINE_END_USER_WRITES_PER_10_SECONDS', '5', wholeNumber(0, 10_000), orNone),
        windowSeconds: 10,
      },
    },
    streamLimits: {
      most: streams,
      ofOne: setting(
        'BACKLINE_MAX_STREAMS_PER_KEY',
        String(Math.min(2_000, streams || 2_000)), // an invalid BACKLINE_MAX_STREAMS is one error, not two
        wholeNumber(1, 1_000_000),
        'a whole number of at least 1',
      ),
    },
    unsentLimits: { most: unsentBytes, ofOne: unsentBytes / 4 },
    webhookAllowedNetworks: setting('BACKLINE_WEBHOOK_ALLOWED_NETWORKS', '', parseCidrs, cidrs),
    smtpAllowedNetworks: setting('BACKLINE_SMTP_ALLOWED_NETWORKS', '', parseCidrs, cidrs),
    webhookRetrySeconds: setting(
      'BACKLINE_WEBHOOK_RETRY_SECONDS',
      defaultRetrySeconds,
      parseSeconds,
      'a comma-separated list of 1 to 100 delays in whole seconds',
    ),
    mail: {
      perAddressPerHour: setting('BACKLINE_MAIL_PER_ADDRESS_PER_HOUR', '60', wholeNumber(0, 10_000), orNone),
      retrySeconds: setting(
        'BACKLINE_MAIL_RETRY_SECONDS',
        '60,300,900,3600,7200,14400,28800,57600',
        parseSeconds,
        'a comma-separated list of 1 to 100 delays in whole seconds',
      ),
      listen: optional('BACKLINE_MAIL_LISTEN', parseMailListen, mailListenForms),
      allowedNetworks: setting('BACKLINE_MAIL_ALLOWED_NETWORKS', defaultMailNetworks, parseCidrs, cidrs),
    },
    versionDates: {
      successorReleasedAt: date('BACKLINE_V2_RELEASED_AT'),
      retiresAt: date('BACKLINE_V1_RETIRES_AT'),
    },
    idempotencyRetentionHours: setting(
      'BACKLINE_IDEMPOTENCY_RETENTION_HOURS',
      '720',
      wholeNumber(24, 87_600),
      'a whole number of hours from 24 to 87600',
    ),
    requestLog: {
      days: setting(
        'BACKLINE_REQUEST_LOG_DAYS',
        '7',
        wholeNumber(0, 30),
        'a whole number of days up to 30; 0 switches the log off',
      ),
      rows: setting(
        'BACKLINE_REQUEST_LOG_ROWS',
        '100000',
        wholeNumber(100, 10_000_000),
        'a whole number from 100 to 10000000',
      ),
    },
    files: fileSettings(setting, dataDir, (fault) => faults.push(fault)),
    oidc: oidcSettings(setting, (fault) => faults.push(fault)),
    metricsToken: environment.BACKLINE_METRICS_TOKEN?.trim() || null,
    telemetry: telemetrySettings(setting),
  }
  for (const name of unknownSettings(given, asked)) faults.push(faultOfName(name, asked))
  if (faults.length === 0) {
    const fault = faultOfDates(config.versionDates)
    if (fault) faults.push(fault)
  }
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return Object.freeze({ ...config, remarks: remarksOn(config, environment) })
}

/** A value for display: a URL without its password; secrets are hidden. */
const masked = (name: string, value: string): string =>
  /TOKEN|SECRET|PASSWORD|KEY|HEADERS/.test(name)
    ? '***'
    : value
        .replace(/^((?:[^:/]*:\/\/)?[^:/@]*):(?!\/\/).*@/s, '$1:***@')
        .replace(/([?&](?:ssl)?password=)[^&]*/gi, '$1***')

/**
 * The variables that are set, for diagnosis, with displayable values. Variables of Backline that `readConfig` never
 * reads are `unknown`, most likely mistyped. The PostgreSQL driver reads `PG…`.
 */
export function settings(environment: NodeJS.ProcessEnv = process.env): {
  set: Record<string, string>
  unknown: string[]
} {
  const { environment: asking, asked: known } = recorded(environment)
  try {
    readConfig(asking)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
  }
  const names = Object.keys(environment).filter((name) => environment[name]?.trim())
  const ours = names.filter((name) => known.has(name) || /^(BACKLINE_|OTEL_|PG[A-Z])/.test(name)).sort()
  const unknown = unknownSettings(environment, known)
  // The value of a mistyped name may be a secret.
  const shown = (name: string) => (unknown.includes(name) ? '***' : masked(name, environment[name]!))
  return { set: Object.fromEntries(ours.map((name) => [name, shown(name)])), unknown }
}

/** The environment, and the names that were asked of it. It lists no names: reading those asks for none. */
function recorded(given: NodeJS.ProcessEnv): { environment: NodeJS.ProcessEnv; asked: Set<string> } {
  const asked = new Set<string>()
  const environment = new Proxy(given, {
    get(target, name) {
      asked.add(String(name))
      return target[String(name)]
    },
    ownKeys: () => [],
  })
  return { environment, asked }
}

const parseDate = (text: string): number | null => {
  const instant = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  return instant === null ? null : Date.parse(instant)
}

/** Names whose last label is a number are mistyped addresses. */
const parseHost = (text: string): string | null =>
  isIP(text) > 0 || (/^[a-z0-9.-]{1,253}$/i.test(text) && !/(^|\.)\d+$/.test(text)) ? text : null

/** An address of this machine for a host to listen on, which may stand for all addresses. */
export const reachable = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host

const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** A list of hosts with ports is not a URL for `URL`. */
const parseDatabaseUrl = (text: string): string | null =>
  /^postgres(ql)?:/i.test(text) && (URL.canParse(text) || hasSeveralHosts(text)) ? text : null

function faultOfHosts(databaseUrl: string): string | null {
  try {
    parseHosts(databaseUrl)
    return null
  } catch (error) {
    if (error instanceof HostsError) return error.message
    throw error
  }
}

/** The driver verifies certificates in these modes too, and would say so in five lines. */
const verifiedModes = /(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/
const remarkOnTls =
  'DATABASE_URL: sslmode is taken as verify-full, which verifies the certificate of PostgreSQL; sslmode=no-verify accepts any'

function remarksOn(config: Config, environment: NodeJS.ProcessEnv): string[] {
  const { databaseUrl, publicUrl, trustedProxies, role, files } = config
  const hasOwnDirectory = files.store.kind === 'directory' && !environment.BACKLINE_FILES_DIR?.trim()
  return [
    ...(databaseUrl !== (environment.DATABASE_URL?.trim() || null) ? [remarkOnTls] : []),
    ...(isOverheard(publicUrl) ? [remarkOnCookies] : []),
    // The server speaks no TLS: something before it does.
    ...(publicUrl.startsWith('https:') && trustedProxies.length === 0 ? [remarkOnProxies] : []),
    // A process of one role is one of several, and each has a data directory of its own by default.
    ...(databaseUrl && role !== 'all' && hasOwnDirectory ? [remarkOnFiles(config.dataDir)] : []),
  ]
}

/** Whether browsers on other machines send cookies unencrypted. */
function isOverheard(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

const remarkOnCookies =
  'BACKLINE_PUBLIC_URL is http://, so the cookie of the console is not Secure: use https:// for other machines than this one'

const remarkOnProxies =
  'BACKLINE_TRUSTED_PROXIES: none, though BACKLINE_PUBLIC_URL is https. Limits for each address, allowed_cidrs and the audit log take the address of the proxy for that of every client'

const remarkOnFiles = (dataDir: string) =>
  `files are in ${dataDir}, which other machines do not have: set BACKLINE_FILES_S3_BUCKET, or BACKLINE_FILES_DIR to a directory that all servers mount`

const withVerifiedTls = (url: string): string =>
  /[?&]uselibpqcompat=true\b/.test(url) ? url : url.replace(verifiedModes, 'verify-full')

function parseHttpUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const plain = /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  return plain ? url.href.replace(/\/$/, '') : null
}

function parseCidrs(text: string): string[] | null {
  const cidrs = text
    .split(',')
    .map((cidr) => cidr.trim())
    .filter(Boolean)
  return cidrs.every((cidr) => parseCidr(cidr)) ? cidrs : null
}

/** Refuses networks of all addresses: with these, anybody could choose an address. */
const parseProxies = (text: string): string[] | null =>
  parseCidrs(text)?.every((cidr) => parseCidr(cidr)!.prefix > 0) ? parseCidrs(text) : null

function parseSeconds(text: string): number[] | null {
  const seconds = text.split(',').map((item) => item.trim())
  const valid = seconds.length <= 100 && seconds.every((item) => /^\d{1,8}$/.test(item))
  return valid ? seconds.map(Number) : null
}
