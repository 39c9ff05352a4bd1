import type { BlockList } from 'node:net'
import { type Clock, type Instant, toInstant } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { ApiError } from '../kernel/errors.ts'
import { type Credential, credentialOf, hasShape, tenantOfToken } from '../kernel/key-format.ts'
import { addressList, contains } from '../kernel/networks.ts'
import { covers } from '../resource/scopes.ts'
import type { ConsoleClaim } from './console-requests.ts'
import {
  type ConsoleAuthenticate,
  type ConsoleRecord,
  type ConsoleStore,
  consoleAuthenticator,
} from './console-sessions.ts'
import { credentialCache } from './credential-cache.ts'
import { type RateLimit, rateLimiter } from './limits/rate-limit.ts'
import { type SessionRecord, type SessionStore, sessionLookups, sessionUses } from './sessions.ts'

/** A stored API key. */
export type KeyRecord = {
  id: string
  scopes: string[]
  environment: Environment
  /** The expiry time of the key, or of the previous secret of a rotated key. */
  expiresAt: Instant | null
  revokedAt: Instant | null
  allowedCidrs: string[]
  /** The origins of web pages that may use a publishable key. */
  allowedOrigins: string[]
  lastUsedAt: Instant | null
}

export type KeyStore = {
  find(secretHash: Buffer): Promise<KeyRecord | null>
  /** Records the use of a key, at most once a minute per key. */
  touch(record: KeyRecord, at: Instant): Promise<void>
}

/** A credential that has passed authentication. */
export type Presented = {
  /** `none` for whoever asks. A session of the console counts as a secret key. */
  credential: Credential | 'none'
  /** The text that was sent. */
  token: string
  environment: Environment
  /** The UUID of the key, of the operator in the console, or of the end user of a token: limits count for it. */
  holderId: string
  /** False for all scopes if it is not a secret key. */
  allows(scope: string): boolean
  /** Null for a token and the console, and without a credential. */
  key: KeyRecord | null
  /** The session of an end user; null for others. */
  session: SessionRecord | null
  /** The session of an operator in the console; null for others. */
  console: ConsoleRecord | null
}

/**
 * Unknown credentials with a valid checksum cost a query each. This limits their lookups per network; requests with
 * cached ones are not affected.
 */
const unknownCredentials: RateLimit = { perSecond: 50, burst: 200 }
const touchIntervalMs = 60_000

type KnownKey = { record: KeyRecord; scopes: Set<string>; addresses: BlockList | null; touchedAt: number }
type KnownSession = { record: SessionRecord; touchedAt: number }

export type Authenticate = {
  /**
   * @param expected the credential that the route takes
   * @throws ApiError `api_key_missing`, `api_key_invalid`, `api_key_expired`, `identity_invalid`,
   * `address_not_allowed`, `rate_limited`
   */
  (authorization: string | undefined, address: string, expected: Credential): Promise<Presented>
  /** Authenticates a request of the console. @throws ApiError as ConsoleAuthenticate does */
  inConsole(claim: ConsoleClaim, address: string, isUse: boolean): Promise<Presented>
  /** The sessions of the console. */
  console: ConsoleAuthenticate
  /** Invalidates the cache after this process has changed keys or sessions. */
  forget(): void
}

export function authenticator(
  stores: { keys: KeyStore; sessions: SessionStore; console: ConsoleStore },
  { clock, publicUrl }: { clock: Clock; publicUrl: string },
  onError: (error: unknown) => void,
): Authenticate {
  const unknownLimit = rateLimiter(unknownCredentials, {
    policy: 'unknown-keys',
    counted: 'unknown_credentials',
    setting: null,
  })!
  const findSession = sessionLookups(stores.sessions.find)
  const console = consoleAuthenticator(stores.console, { clock, publicUrl, unknownLimit }, onError)
  const noteSession = sessionUses(stores.sessions.touch, onError)
  const keys = credentialCache<KnownKey>(async (hash) => {
    const record = await stores.keys.find(hash)
    return record && toKnown(record)
  }, unknownLimit)
  const sessions = credentialCache<KnownSession>(async (hash, token) => {
    const tenantId = tenantOfToken(token)
    const record = tenantId === null ? null : await findSession(tenantId, hash)
    return record && { record, touchedAt: unixMsOf(record.lastUsedAt) }
  }, unknownLimit)

  const nowIn = ({ clockOffsetMs }: Environment): number => clock() + clockOffsetMs

  async function presentKey(
    credential: 'secret_key' | 'publishable_key',
    token: string,
    address: string,
  ): Promise<Presented> {
    const refuse = credential === 'secret_key' ? refusedKey : invalidIdentity
    if (!hasShape(credential, token)) throw refuse('malformed')
    const known = await keys.find(token, address)
    if (!known) throw refuse('unknown')
    const { record, scopes, addresses } = known
    if (record.revokedAt) throw refuse('revoked')
    const nowMs = nowIn(record.environment)
    if (record.expiresAt && record.expiresAt <= toInstant(nowMs)) throw refuse('expired')
    if (addresses && !contains(addresses, address)) throw new ApiError('address_not_allowed', { address })
    if (nowMs - known.touchedAt >= touchIntervalMs) {
      known.touchedAt = nowMs
      stores.keys.touch(record, toInstant(nowMs)).catch(onError)
    }
    const allows = (scope: string) => credential === 'secret_key' && covers(scopes, scope)
    const { id: holderId, environment } = record
    return { credential, token, environment, holderId, allows, key: record, session: null, console: null }
  }

  async function presentToken(token: string, address: string): Promise<Presented> {
    if (!hasShape('end_user_token', token)) throw invalidIdentity('malformed')
    const known = await sessions.find(token, address)
    if (!known) throw invalidIdentity('unknown')
    const { record } = known
    const { environment } = record
    if (record.revokedAt || record.erasedAt) throw invalidIdentity('revoked')
    const nowMs = nowIn(environment)
    if (record.expiresAt <= toInstant(nowMs)) throw invalidIdentity('expired')
    if (nowMs - known.touchedAt >= touchIntervalMs) {
      known.touchedAt = nowMs
      noteSession(environment.tenantId, record, toInstant(nowMs))
    }
    return {
      credential: 'end_user_token',
      token,
      environment,
      holderId: record.endUserId,
      allows: () => false,
      key: null,
      session: record,
      console: null,
    }
  }

  const authenticate = async (
    authorization: string | undefined,
    address: string,
    expected: Credential,
  ): Promise<Presented> => {
    const token = bearerToken(authorization, expected)
    const credential = credentialOf(token) ?? expected // a mistyped beginning
    return credential === 'end_user_token'
      ? presentToken(token, address)
      : presentKey(credential, token, address)
  }
  const forget = () => {
    keys.forget()
    sessions.forget()
    console.forget()
  }
  const inConsole: Authenticate['inConsole'] = async (claim, address, isUse) => {
    const { record, token } = await console(claim, address, isUse)
    const { operator, environment, allows } = record
    return {
      credential: 'secret_key',
      token,
      environment,
      holderId: operator.id,
      allows,
      key: null,
      session: null,
      console: record,
    }
  }
  return Object.assign(authenticate, { forget, inConsole, console })
}

const unixMsOf = (instant: Instant | null): number => (instant ? Date.parse(instant) : 0)

const toKnown = (record: KeyRecord): KnownKey => ({
  record,
  scopes: new Set(record.scopes),
  addresses: record.allowedCidrs.length > 0 ? addressList(record.allowedCidrs) : null,
  touchedAt: unixMsOf(record.lastUsedAt),
})

const nounOf: Record<Credential, string> = {
  secret_key: 'API key',
  publishable_key: 'publishable key',
  end_user_token: 'end-user token',
}

/** The token in an `Authorization` header; null for one of another form. */
export const tokenInHeader = (authorization: string): string | null =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null

function bearerToken(authorization: string | undefined, expected: Credential): string {
  const token = tokenInHeader(authorization ?? '')
  if (token !== null) return token
  const detail = `Send \`Authorization: Bearer <${nounOf[expected]}>\`.`
  throw new ApiError('api_key_missing', {}, { headers: { 'www-authenticate': 'Bearer' }, detail })
}

type Reason = 'malformed' | 'unknown' | 'expired' | 'revoked'

const refusedKey = (reason: Reason) =>
  unauthorized(reason === 'expired' ? 'api_key_expired' : 'api_key_invalid')

export const unauthorized = (code: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired') =>
  new ApiError(code, {}, { headers: { 'www-authenticate': 'Bearer' } })

/** @param reason why the publishable key, end-user token or JWT proves nothing */
export const invalidIdentity = (reason: string) =>
  new ApiError('identity_invalid', { reason }, { headers: { 'www-authenticate': 'Bearer' } })
