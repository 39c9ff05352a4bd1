import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AttemptLimiter } from '../../../platform/http/limits/attempt-limit.ts'
import type { AdmissionControl } from '../../../platform/http/limits/load-shedding.ts'
import { bodyValidator } from '../../../platform/http/request/validation.ts'
import { toInstant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { networkOf } from '../../../platform/kernel/networks.ts'
import { Email, type Members, Name, Optional, Shape, Text } from '../../../platform/resource/schema.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import { findWorkspace } from '../../admin/workspace/queries.ts'
import { hasShape } from '../../vocabulary/credentials.ts'
import { consoleSessionInvalid } from '../../vocabulary/errors.ts'
import { scopesOfRole } from '../../vocabulary/roles.ts'
import { revokeConsoleSession, secretHash } from '../console-sessions/actions.ts'
import { type ConsoleLink, findLink, freeLink, useLink } from '../console-sessions/links/queries.ts'
import type { ConsoleRecord } from '../console-sessions/queries.ts'
import { noSessionCookie, tokenInCookie } from './cookies.ts'
import { hasAdministrator, hasOperator } from './links.ts'
import { exposeOidcSignIn, type OidcSignInDeps } from './oidc-routes.ts'
import { consoleClaimOf, requireOwnOrigin } from './requests.ts'
import type { ConsoleAuthentication } from './sessions.ts'
import { makeAdministrator, type SignedIn, type SignInDeps, signIn, signInByInvitation } from './sign-in.ts'

/*
 * The routes that only the console uses, below `/console/api`: signing in and out, and who has. They have no versions
 * and are not part of the OpenAPI document. Everything else the console does by `/v1`.
 */

export type ConsoleDeps = SignInDeps & {
  sessions: ConsoleAuthentication
  /** Limits attempts to sign in or out by network; null if the limit is disabled. */
  attempts: AttemptLimiter | null
  /**
   * Counts these requests together with those of the API, and refuses further ones. Who signs in or out counts as a
   * network, whatever token the request has.
   */
  workload: AdmissionControl
  /** The sign-in at an OpenID provider; null without one. */
  oidc: OidcSignInDeps | null
  /** Invalidates cached sessions in all processes. */
  forget(): void
  version: string
  /** The command that makes one-time links, as it is called here. */
  linkCommand: string
  /** The pauses between the attempts of a webhook delivery. */
  webhookRetrySeconds: number[]
}

const kinds = ['live', 'test'] as const
type Sessions = Record<Environment['kind'], ConsoleRecord | null>

const LinkBody = Shape({
  token: Text(1, 255),
  name: Optional(Name(100)),
  email: Optional(Email()),
})
type LinkBody = Members<typeof LinkBody>

/** Mounts the routes on an app whose prefix is `/console/api`. */
export async function mountConsole(app: FastifyInstance, deps: ConsoleDeps): Promise<void> {
  const checkBody = bodyValidator(LinkBody)
  const { workload, publicUrl } = deps
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (request.method === 'GET' || request.method === 'HEAD') return
    const claim = consoleClaimOf(request.headers)
    if (claim === null) throw new ApiError('bad_request', {}, { detail: 'Send the header Backline-Console.' })
    requireOwnOrigin(claim, publicUrl)
    if (!workload.hasRoom(networkOf(request.ip))) await workload.refuse() // before its body is read
  })

  app.get('/session', async (request) => {
    const token = tokenInCookie(request.headers.cookie, publicUrl)
    if (token === null) throw consoleSessionInvalid('missing')
    return workload.during(token, async () => stateOf(await sessionsOf(token, request, deps), deps))
  })

  app.delete('/session', async (request, reply) => {
    const network = networkOf(request.ip)
    deps.attempts?.take(network, 'network')
    const token = tokenInCookie(request.headers.cookie, publicUrl)
    await workload.during(network, async () => {
      const sessions = token === null ? null : await sessionsOf(token, request, deps)
      const open = Object.values(sessions ?? {}).filter((session) => session !== null)
      for (const session of open) await signOut(session, deps)
      if (open.length > 0) deps.forget()
    })
    return reply.code(204).header('set-cookie', noSessionCookie(publicUrl)).send()
  })

  // The ways to sign in besides one-time links, and how to make those.
  app.get('/sign_in', async () => ({
    methods: { oidc: deps.oidc !== null },
    link_command: deps.linkCommand,
  }))
  if (deps.oidc) exposeOidcSignIn(app, { ...deps.oidc, workload })

  app.post('/sign_in/link', async (request, reply) => {
    const network = networkOf(request.ip)
    deps.attempts?.take(network, 'network')
    const signedIn = async () => {
      await checkBody(request.body ?? {}, null)
      return signInByLink(request, request.body as LinkBody, deps)
    }
    return workload.during(network, async () => {
      const { token, cookie } = await signedIn().catch((error) => {
        logRefusal(request, error)
        throw error
      })
      request.log.info({ request_id: request.id, way: 'link' }, 'console sign-in accepted')
      reply.header('set-cookie', cookie)
      return stateOf(await sessionsOf(token, request, deps), deps)
    })
  })
}

async function sessionsOf(token: string, { ip }: FastifyRequest, deps: ConsoleDeps): Promise<Sessions> {
  const [live, test] = await Promise.all(kinds.map((kind) => deps.sessions.find(kind, token, ip)))
  return { live: live!, test: test! }
}

/** @throws ApiError `console_session_invalid` without a session that can be used */
async function stateOf({ live, test }: Sessions, deps: ConsoleDeps) {
  const { db, publicUrl, version, webhookRetrySeconds } = deps
  const open = live ?? test
  if (!open) throw consoleSessionInvalid('unknown')
  const { workspaceId, tenantId } = open.environment
  const workspace = await findWorkspace(db.home(tenantId), tenantId)
  return {
    object: 'console',
    workspace: { id: typeId('ws', workspaceId), name: workspace!.name },
    environments: { live: shown(live), test: shown(test) },
    version,
    public_url: publicUrl,
    webhook_retry_seconds: webhookRetrySeconds,
  }
}

const shown = (session: ConsoleRecord | null) => {
  if (!session) return null
  const { id, operator, environment } = session
  return {
    operator: { ...operator, id: typeId('op', operator.id) },
    session_id: typeId('cse', id),
    scopes: scopesOfRole[operator.role],
    clock_offset_ms: environment.clockOffsetMs,
  }
}

/** Revokes the session in its environment, as its operator. */
async function signOut({ id, environment, operator }: ConsoleRecord, deps: ConsoleDeps): Promise<void> {
  const ctx = deps.contextOf(environment)
  const operatorId = typeId('op', operator.id)
  const actor = { type: 'operator', id: operatorId, operator_id: operatorId }
  await transact({ ...ctx, principal: { ...ctx.principal, actor } }, (change) =>
    revokeConsoleSession(change, id),
  )
}

/** @throws ApiError `console_session_invalid`; 422. A failure does not use the link up. */
async function signInByLink(
  request: FastifyRequest,
  { token, name, email: given }: LinkBody,
  deps: ConsoleDeps,
): Promise<SignedIn> {
  const { headers, ip } = request
  const browser = { userAgent: headers['user-agent'] ?? null, ip }
  if (hasShape('invitation_link', token))
    return signInByInvitation(deps, token, browser, (err) =>
      request.log.error({ request_id: request.id, err }, 'an invitation did not open the test environment'),
    )
  if (!hasShape('console_link', token)) throw consoleSessionInvalid('malformed')
  const { db } = deps
  const tokenHash = secretHash(token)
  const now = toInstant(deps.clock())
  const link = await findLink(db, tokenHash)
  requireUsable(link, now)
  const { workspace_id: workspaceId, email: linked } = link
  if (linked === null) requirePerson(name, given)
  const email = linked ?? given!
  if (linked !== null && !(await hasOperator(db, workspaceId, email)))
    throw consoleSessionInvalid('no_operator')
  if (!(await useLink(db, tokenHash, link, now))) throw consoleSessionInvalid('used')
  try {
    if (linked === null) {
      if (await hasAdministrator(db, workspaceId, email)) throw consoleSessionInvalid('used')
      await makeAdministrator(deps, { workspaceId, name: name!, email })
    }
    const signedIn = await signIn(deps, { workspaceId, email, createdBy: 'link', ...browser })
    if (!signedIn) throw consoleSessionInvalid('no_operator')
    return signedIn
  } catch (error) {
    await freeLink(db, tokenHash, link, now)
    throw error
  }
}

/** Logs the reason of a refusal. An error of the server has a line of its own. */
function logRefusal({ log, id }: FastifyRequest, error: unknown): void {
  if (!(error instanceof ApiError)) return
  const { code, params } = error
  const reason = params.reason === undefined ? {} : { reason: params.reason }
  log.info({ request_id: id, way: 'link', code, ...reason }, 'console sign-in refused')
}

function requireUsable(link: ConsoleLink | null, now: string): asserts link is ConsoleLink {
  if (!link) throw consoleSessionInvalid('unknown')
  if (link.used_at !== null) throw consoleSessionInvalid('used')
  if (link.expires_at <= now) throw consoleSessionInvalid('expired')
}

/** @throws ApiError 422 that names what is missing */
function requirePerson(name: string | undefined, email: string | undefined): void {
  const missing = Object.entries({ name, email }).filter(([, value]) => value === undefined)
  if (missing.length === 0) return
  throw invalidBody(
    ...missing.map(([field]) => ({
      pointer: `/${field}`,
      code: 'required' as const,
      detail: 'is required for the first administrator',
    })),
  )
}
