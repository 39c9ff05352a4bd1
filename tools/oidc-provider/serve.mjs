import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { Provider } from 'oidc-provider'

/*
 * An OpenID provider on 127.0.0.1, with one client and with PKCE for each request. Prints a line `ready` when it
 * listens. The argument is JSON: `port`, `clientId`, `clientSecret`, `authentication` (a method of the token endpoint),
 * `redirectUri` and `claimsInIdToken`.
 *
 * Its forms accept any name and password. The name is the e-mail address of the person: `unverified-…` is not verified,
 * `text-…` is verified by the string "true", and of `silent-…` the provider does not say.
 */
const { port, clientId, clientSecret, authentication, redirectUri, claimsInIdToken } = JSON.parse(
  process.argv[2],
)

const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

function verification(email) {
  if (email.startsWith('silent-')) return {}
  if (email.startsWith('text-')) return { email_verified: 'true' }
  return { email_verified: !email.startsWith('unverified-') }
}

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: authentication,
    },
  ],
  clientAuthMethods: [authentication],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: !claimsInIdToken,
  cookies: { keys: [randomBytes(32).toString('hex')] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_context, email) => ({
    accountId: email,
    claims: () => ({ sub: email, email, name: 'Ada', ...verification(email) }),
  }),
  jwks: { keys: [{ ...signingKey, kid: 'signing', use: 'sig', alg: 'RS256' }] },
  pkce: { required: () => true },
})
provider.listen(port, '127.0.0.1', () => console.log('ready'))
