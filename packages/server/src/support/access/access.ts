import { type RateLimit, rateLimiter } from '../../platform/http/limits/rate-limit.ts'
import type { Access } from '../../platform/http/routes/access.ts'
import type { Loop } from '../../platform/jobs/loops.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { ApiError, type FieldError, type FieldErrorCode } from '../../platform/kernel/errors.ts'
import { uuidOf } from '../../platform/kernel/ids.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'
import type { Database, Db } from '../../platform/postgres/database.ts'
import type { Route } from '../../platform/resource/resource.ts'
import type { Principal } from '../../platform/unit-of-work/principal.ts'
import { findActingOperator } from '../team/operators/queries.ts'
import { type Credential, credentialFor, credentialOf } from '../vocabulary/credentials.ts'
import { factsOf, principalOf } from '../vocabulary/principal.ts'
import { authenticateKeys } from './api-keys.ts'
import { tokenInCookie } from './console/cookies.ts'
import { type ConsoleClaim, consoleClaimOf, consoleHeader } from './console/requests.ts'
import { authenticateConsole, type ConsoleAuthentication } from './console/sessions.ts'
import { authenticateTokens } from './end-user-tokens.ts'

/**
 * Unknown credentials with a valid checksum cost a query each. This limits their lookups per network; requests with
 * cached ones are not affected.
 */
const unknownCredentials: RateLimit = { perSecond: 50, burst: 200 }

/** The parts of a request that authentication reads. */
type Claim = {
  authorization: string | undefined
  /** Null unless the console sends the request. */
  console: ConsoleClaim | null
  origin: string | undefined
}

/** The authentication of all requests to the API, and that of the console's own routes. */
export type BacklineAccess = Access & { console: ConsoleAuthentication }

/** Authenticates requests by secret keys, publishable keys, end-user tokens and sessions of the console. */
export function openAccess(
  {
    db,
    clock,
    publicUrl,
    secretBox,
  }: { db: Database; clock: Clock; publicUrl: string; secretBox: SecretBox },
  uses: Loop,
): BacklineAccess {
  const unknownLimit = rateLimiter(unknownCredentials, {
    policy: 'unknown-keys',
    counted: 'unknown_credentials',
    setting: null,
  })!
  const deps = { db, clock, unknownLimit, uses }
  const keys = authenticateKeys(deps)
  const tokens = authenticateTokens(deps)
  const console = authenticateConsole(deps, publicUrl)

  async function authenticate(
    { authorization, console: claim }: Claim,
    address: string,
    expected: Credential,
    former: Principal | undefined,
  ): Promise<Principal> {
    if (claim && authorization === undefined) return console.authenticate(claim, address, former)
    const token = bearerToken(authorization, expected)
    const credential = credentialOf(token) ?? expected // a mistyped beginning
    return credential === 'end_user_token'
      ? tokens.authenticate(token, address)
      : keys.authenticate(credential, token, address)
  }

  return {
    clientOf({ authorization, cookie, [consoleHeader]: claim }) {
      if (authorization !== undefined) return tokenInHeader(authorization) ?? ''
      return (claim === undefined ? null : tokenInCookie(cookie, publicUrl)) ?? ''
    },
    claimOf: (headers): Claim => ({
      authorization: headers.authorization,
      console: consoleClaimOf(headers),
      origin: headers.origin,
    }),
    async admit(route, { claim, ip, params }, former) {
      const expected = credentialFor(route)
      if (expected === 'none') return anybody(route, ip, params, db, secretBox)
      const principal = await authenticate(claim as Claim, ip, expected, former)
      if (principal.credential !== expected) throw otherCredential(route, expected, principal)
      if (route.scope && !principal.allows(route.scope) && !isOfOwnOperator(route, principal, params))
        throw scopeMissing(route.scope, principal)
      if (expected === 'publishable_key') requireOrigin(principal, (claim as Claim).origin)
      return principal
    },
    async recognize(headers, address) {
      const { authorization } = headers
      if (authorization === undefined) {
        const claim = consoleClaimOf(headers)
        return claim && console.recognize(claim, address)
      }
      const token = tokenInHeader(authorization) ?? ''
      const credential = credentialOf(token)
      if (credential === null) return null
      return credential === 'end_user_token'
        ? tokens.recognize(token, address)
        : keys.recognize(credential, token, address)
    },
    async actFor(principal, route, headers) {
      const named = headers['backline-operator'] as string | undefined
      if (named === undefined) return principal
      const faults = await faultsOfOperator(route, principal, named, db)
      const { actor } = principal
      return faults.length > 0
        ? faults
        : { ...principal, actor: { ...actor, operator_id: named }, viewerId: uuidOf('op', named)! }
    },
    forget() {
      keys.forget()
      tokens.forget()
      console.forget()
    },
    console,
  }
}

const nounOf: Record<Credential, string> = {
  secret_key: 'API key',
  publishable_key: 'publishable key',
  end_user_token: 'end-user token',
}

/** The token in an `Authorization` header; null for one of another form. */
const tokenInHeader = (authorization: string): string | null =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null

function bearerToken(authorization: string | undefined, expected: Credential): string {
  const token = tokenInHeader(authorization ?? '')
  if (token !== null) return token
  const detail = `Send \`Authorization: Bearer <${nounOf[expected]}>\`.`
  throw new ApiError('api_key_missing', {}, { headers: { 'www-authenticate': 'Bearer' }, detail })
}

/** A sender without a credential, in the environment of what the path names. @throws ApiError `not_found` */
async function anybody(
  route: Route,
  address: string,
  given: Record<string, string>,
  db: Db,
  box: SecretBox,
): Promise<Principal> {
  const ids = Object.entries(route.params ?? {}).map(([name, prefix]) => [name, uuidOf(prefix, given[name]!)])
  const isWhole = ids.every(([, id]) => id !== null)
  const texts = Object.keys(route.texts?.properties ?? {}).map((name) => [name, given[name]!])
  const params = Object.fromEntries([...ids, ...texts])
  const environment = isWhole ? await route.environmentOf!(db, params, box) : null
  if (environment === null) throw new ApiError('not_found')
  return principalOf({
    environment,
    actor: { type: 'system', id: null, operator_id: null },
    credential: null,
    token: '',
    holderId: address,
    countedAs: 'network',
  })
}

const otherCredential = ({ scope }: Route, expected: Credential, { credential }: Principal) =>
  new ApiError('scope_missing', { ...(scope ? { scope } : {}), credential: expected, presented: credential })

const scopeMissing = (scope: string, principal: Principal) =>
  new ApiError(
    'scope_missing',
    { scope },
    factsOf(principal).consoleSession ? { detail: `The role of the operator lacks the scope ${scope}.` } : {},
  )

/** True if an operator in the console does something to itself that it may do without the scope. */
const isOfOwnOperator = ({ ownParam }: Route, principal: Principal, given: Record<string, string>): boolean =>
  ownParam !== undefined &&
  factsOf(principal).consoleSession !== null &&
  uuidOf('op', given[ownParam]!) === principal.viewerId

/** Browsers send the origin of the page; other clients send none. */
function requireOrigin(principal: Principal, origin: string | undefined): void {
  if (origin === undefined || factsOf(principal).allowedOrigins.includes(origin.toLowerCase())) return
  throw new ApiError('origin_not_allowed', { origin: origin.slice(0, maxOriginLength) })
}

const maxOriginLength = 300

/** The faults of the operator in `Backline-Operator`. Only secret keys act for operators. */
async function faultsOfOperator(
  { scope }: Route,
  { environment: { tenantId }, ...principal }: Principal,
  id: string,
  db: Db,
): Promise<FieldError[]> {
  const fault = (code: FieldErrorCode, detail: string) => [{ header: 'Backline-Operator', code, detail }]
  if (scope === undefined) return fault('not_allowed', 'requires a secret key')
  const uuid = uuidOf('op', id)
  if (uuid === null) return fault('bad_format', 'must be the id of an operator')
  if (principal.actor.type === 'operator' && uuid !== principal.viewerId)
    return fault('not_allowed', 'must be the operator who has signed in')
  const operator = await findActingOperator(db.home(tenantId), tenantId, uuid)
  if (!operator) return fault('not_found', 'must be the id of an existing operator')
  return operator.archived ? fault('not_allowed', 'must not refer to an archived operator') : []
}
