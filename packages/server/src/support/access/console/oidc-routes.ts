import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AttemptLimiter } from '../../../platform/http/limits/attempt-limit.ts'
import type { AdmissionControl } from '../../../platform/http/limits/load-shedding.ts'
import { networkOf } from '../../../platform/kernel/networks.ts'
import { OidcError } from '../oidc/faults.ts'
import type { OidcProvider } from '../oidc/provider.ts'
import { oidcRedirectUri } from '../oidc/settings.ts'
import type { Transactions } from '../oidc/transaction.ts'
import { noTransactionCookie, transactionCookie, transactionInCookie } from './cookies.ts'

/*
 * Sign-in of operators at an OpenID provider. Both routes are navigations of a browser, so a failure is a redirect to
 * the console as well, with a code that the page explains. No part of a request gets into a Location.
 */

/** The reasons for which nobody is signed in: the closed list of `#error=`. */
export type SignInFault = 'denied' | 'expired' | 'state' | 'not_verified' | 'no_operator' | 'unavailable'

export type OidcSignInDeps = {
  publicUrl: string
  provider: OidcProvider
  transactions: Transactions
  /** Limits attempts by network; null if the limit is disabled. */
  attempts: AttemptLimiter | null
  /** Signs in the operator with a verified address. Null if there is none that is not archived. */
  signIn(email: string, client: { userAgent: string | null; ip: string }): Promise<{ cookie: string } | null>
}

class SignInRefused extends Error {
  override name = 'SignInRefused'
  readonly fault: SignInFault

  constructor(fault: SignInFault, message: string) {
    super(message)
    this.fault = fault
  }
}

type Deps = OidcSignInDeps & { workload: AdmissionControl }

/** Mounts `GET /sign_in/oidc` and its callback on an app whose prefix is `/console/api`. */
export function exposeOidcSignIn(app: FastifyInstance, deps: Deps): void {
  const { publicUrl, provider, transactions } = deps
  const redirectUri = oidcRedirectUri(publicUrl)

  app.get('/sign_in/oidc', { exposeHeadRoute: false }, async (request, reply) => {
    try {
      const { url, proof } = await provider.begin(redirectUri)
      return leaveTo(reply, url.href, [transactionCookie(publicUrl, transactions.seal(proof))])
    } catch (error) {
      return refuse(request, reply, error, deps)
    }
  })

  app.get('/sign_in/oidc/callback', { exposeHeadRoute: false }, async (request, reply) => {
    try {
      const { cookie } = await complete(request, redirectUri, deps)
      request.log.info({ request_id: request.id, way: 'oidc' }, 'console sign-in accepted')
      return leaveTo(reply, `${publicUrl}/console/`, [cookie, noTransactionCookie(publicUrl)])
    } catch (error) {
      return refuse(request, reply, error, deps)
    }
  })
}

async function complete(
  { url, headers, ip }: FastifyRequest,
  redirectUri: string,
  { publicUrl, provider, transactions, attempts, workload, signIn }: Deps,
): Promise<{ cookie: string }> {
  const callback = new URL(redirectUri)
  callback.search = /\?.*/.exec(url)?.[0] ?? ''
  const proof = transactions.take(
    transactionInCookie(headers.cookie, publicUrl),
    callback.searchParams.get('state'),
  )
  if (proof === 'expired')
    throw new SignInRefused('expired', 'there is no sign-in, or it was completed before')
  if (proof === 'state')
    throw new SignInRefused('state', 'the callback is not of the sign-in that the cookie is of')
  const network = networkOf(ip)
  takeAttempt(attempts, network)
  const email = await provider.complete(callback, proof, network)
  const session = await withinCapacity(workload, network, () =>
    signIn(email, { userAgent: headers['user-agent'] ?? null, ip }),
  )
  if (session === null) throw new SignInRefused('no_operator', 'no operator has the e-mail address')
  return session
}

/**
 * Runs what needs the database. Waiting for the provider uses no capacity: otherwise anybody could use it up while the
 * provider is slow.
 * @throws SignInRefused if the server is overloaded: the console shows this, a browser would show the error
 */
async function withinCapacity<Result>(
  workload: AdmissionControl,
  network: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!workload.hasRoom(network))
    await workload.refuse().catch(() => {
      throw new SignInRefused('unavailable', 'the server is overloaded')
    })
  return workload.during(network, work)
}

/** @throws SignInRefused because the callback is a navigation, for which the console shows the reason */
function takeAttempt(attempts: AttemptLimiter | null, network: string): void {
  try {
    attempts?.take(network, 'network')
  } catch {
    throw new SignInRefused('unavailable', 'there are too many attempts from one network')
  }
}

/** Responses contain cookies, and addresses with codes of the provider. */
const leaveTo = (reply: FastifyReply, location: string, cookies: string[]): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('set-cookie', cookies)
    .redirect(location, 302)

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  { publicUrl }: OidcSignInDeps,
): FastifyReply {
  const isKnown = error instanceof OidcError || error instanceof SignInRefused
  const fault: SignInFault = isKnown ? error.fault : 'unavailable'
  const log = {
    request_id: request.id,
    way: 'oidc',
    code: fault,
    ...(isKnown ? { reason: error.message } : { err: error }),
  }
  if (!isKnown) request.log.error(log, 'console sign-in failed')
  else request.log[fault === 'unavailable' ? 'warn' : 'info'](log, 'console sign-in refused')
  // A callback with another state may be forged, or of another tab: the sign-in of the cookie can still be completed.
  const cookies = fault === 'state' ? [] : [noTransactionCookie(publicUrl)]
  return leaveTo(reply, `${publicUrl}/console/#error=${fault}`, cookies)
}
