import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { boundedFetch } from './bounded-fetch.ts'
import { verifiedEmailOf } from './claims.ts'
import { OidcError, oidcErrorOf } from './faults.ts'
import type { OidcSettings } from './settings.ts'

/*
 * Signs people in at an OpenID provider: OpenID Connect Core 1.0, the authorization code flow, with PKCE (RFC 7636).
 * openid-client implements the protocol. The operator of the server sets the issuer, so it may have a private address,
 * unlike receivers of webhooks, which customers set.
 */

/** Values of one sign-in, which the browser keeps sealed in the meantime. */
export type Proof = { state: string; nonce: string; verifier: string }

export type OidcProvider = {
  /** @throws OidcError if the provider is away or its discovery document cannot be used */
  discover(): Promise<void>
  /** The address at the provider to send the browser to. @throws OidcError */
  begin(redirectUri: string): Promise<{ url: URL; proof: Proof }>
  /**
   * Exchanges the code for the verified e-mail address of the person.
   * @param callback the redirect URI with the query that the browser brought
   * @param network the network of the browser
   * @throws OidcError
   */
  complete(callback: URL, proof: Proof, network: string): Promise<string>
}

const scope = 'openid email profile'
/** Discovery is repeated after this time, and after each failure: keys and endpoints may have changed. */
const keepMs = 600_000
/** The least time between two discoveries. Anybody can begin a sign-in and make it fail, at any rate. */
const pauseMs = 1_000
/** More exchanges at once are refused: none holds more than some sockets and responses. */
const mostExchanges = 20
/** Nobody keeps others from signing in by callbacks that the provider is slow to refuse. */
const mostOfNetwork = 4

/** Loaded at the first sign-in: most servers have no provider. */
const library = () => import('openid-client')

type Options = {
  /** For each request to the provider. A sign-in sends four at most. */
  timeoutSeconds: number
  monotonicMs(): number
  fetch: CustomFetch
}

const usualOptions: Options = {
  timeoutSeconds: 5,
  monotonicMs: () => performance.now(),
  fetch: boundedFetch,
}

export function openOidcProvider(settings: OidcSettings, given: Partial<Options> = {}): OidcProvider {
  const options = { ...usualOptions, ...given }
  const { monotonicMs } = options
  let known: Known | null = null
  /** The networks of the exchanges that run. */
  const exchanges: string[] = []

  /** One discovery at a time, however many sign-ins wait for it. */
  function find(): Known {
    if (known && monotonicMs() < known.until) return known
    const configuration = discoverNow(settings, options)
    const found = { configuration, from: monotonicMs(), until: monotonicMs() + keepMs }
    configuration.catch(() => renew(found))
    known = found
    return found
  }

  return {
    async discover() {
      await discoverNow(settings, options)
    },
    async begin(redirectUri) {
      const found = await find().configuration
      const client = await library()
      const proof = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope,
        state: proof.state,
        nonce: proof.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(proof.verifier),
        code_challenge_method: 'S256',
      })
      return { url, proof }
    },
    async complete(callback, proof, network) {
      if (exchanges.length >= mostExchanges)
        throw new OidcError('unavailable', `${exchanges.length} sign-ins are being completed`)
      if (exchanges.filter((each) => each === network).length >= mostOfNetwork)
        throw new OidcError('unavailable', `${mostOfNetwork} sign-ins of one network are being completed`)
      exchanges.push(network)
      const found = find()
      try {
        return await exchange(await found.configuration, callback, proof, settings)
      } catch (error) {
        const failure = oidcErrorOf(error)
        if (failure.fault === 'unavailable') renew(found)
        throw failure
      } finally {
        exchanges.splice(exchanges.indexOf(network), 1)
      }
    },
  }
}

/** `from` and `until` in monotonic time. */
type Known = { configuration: Promise<Configuration>; from: number; until: number }

/** Has the next sign-in repeat the discovery. */
function renew(known: Known): void {
  known.until = Math.min(known.until, known.from + pauseMs)
}

async function discoverNow(
  { issuer, clientId, clientSecret }: OidcSettings,
  { timeoutSeconds, fetch }: Options,
): Promise<Configuration> {
  const client = await library()
  const isPlain = issuer.startsWith('http:')
  try {
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      timeout: timeoutSeconds,
      [client.customFetch]: fetch,
      execute: isPlain ? [client.allowInsecureRequests] : [],
    })
    const server = found.serverMetadata()
    // The library lets Entra name another issuer, one for all tenants: a tenant can give its users any address.
    if (new URL(server.issuer).href !== new URL(issuer).href)
      throw new OidcError('unavailable', 'the discovery document is of another issuer')
    requireEndpoints(server, isPlain)
    // Providers hold clients to the method that they are registered with; the default is `client_secret_basic`.
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authentication = methods.includes('client_secret_basic')
      ? basic(clientId, clientSecret)
      : client.ClientSecretPost(clientSecret)
    const configuration = new client.Configuration(server, clientId, undefined, authentication)
    configuration.timeout = timeoutSeconds
    configuration[client.customFetch] = fetch
    if (isPlain) client.allowInsecureRequests(configuration)
    // TLS alone would allow the client to skip the signature of the ID token (Core section 3.1.3.7).
    client.enableNonRepudiationChecks(configuration)
    return configuration
  } catch (error) {
    throw oidcErrorOf(error)
  }
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

function requireEndpoints(
  server: Partial<Record<(typeof endpoints)[number], unknown>>,
  isPlain: boolean,
): void {
  const form = isPlain ? /^https?:$/ : /^https:$/
  for (const name of endpoints) {
    const url = server[name]
    if (typeof url !== 'string' || !URL.canParse(url) || !form.test(new URL(url).protocol))
      throw new OidcError('unavailable', `the discovery document has no usable ${name}`)
  }
}

/**
 * `client_secret_basic` of RFC 6749 section 2.3.1. openid-client also encodes `-`, `.` and `_`, which providers that do
 * not decode the credentials take for another secret.
 */
function basic(clientId: string, clientSecret: string): ClientAuth {
  const encoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)
  const credentials = Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`)
}

async function exchange(
  configuration: Configuration,
  callback: URL,
  { state, nonce, verifier }: Proof,
  { issuer }: OidcSettings,
): Promise<string> {
  const client = await library()
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const idToken = tokens.claims()!
  let email = verifiedEmailOf(idToken, issuer)
  // With the code flow, claims of scopes may be at the UserInfo endpoint alone (Core section 5.4), as at Okta.
  if (email === undefined && configuration.serverMetadata().userinfo_endpoint)
    email = verifiedEmailOf(
      await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub),
      issuer,
    )
  if (email) return email
  throw new OidcError('not_verified', 'the provider sent no verified e-mail address')
}
