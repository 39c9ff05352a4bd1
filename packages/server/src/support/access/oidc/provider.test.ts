import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OidcError } from './faults.ts'
import { openOidcProvider } from './provider.ts'

const entra = 'https://login.microsoftonline.com'
const client = { clientId: 'backline', clientSecret: 'secret' }

/** A provider with this discovery document. */
const providerOf = (issuer: string, document: Record<string, unknown>) =>
  openOidcProvider({ issuer, ...client }, { fetch: async () => Response.json(document) })

const documentOf = (issuer: string, base: string) => ({
  issuer,
  authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
  token_endpoint: `${base}/oauth2/v2.0/token`,
  jwks_uri: `${base}/discovery/v2.0/keys`,
})

test('a tenant of Entra is a provider', async () => {
  const tenant = '6babcaad-604b-40ac-a9d7-9fd97c0b779f'
  const issuer = `${entra}/${tenant}/v2.0`
  const { url } = await providerOf(issuer, documentOf(issuer, `${entra}/${tenant}`)).begin(
    'https://a.example/b',
  )
  assert.equal(url.origin + url.pathname, `${entra}/${tenant}/oauth2/v2.0/authorize`)
})

test('all tenants of Entra together are none, and neither is another issuer of B2C', async () => {
  for (const [configured, named] of [
    [`${entra}/common/v2.0`, `${entra}/{tenantid}/v2.0`],
    [`${entra}/organizations/v2.0`, `${entra}/{tenantid}/v2.0`],
    [`${entra}/consumers/v2.0`, `${entra}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`],
    ['https://a.b2clogin.com/a/v2.0', 'https://a.b2clogin.com/b/v2.0'],
    ['https://id.example.com', 'https://id.example.com/a'],
  ] as const) {
    const provider = providerOf(configured, documentOf(named, entra))
    await assert.rejects(provider.begin('https://a.example/b'), (error) => {
      assert.ok(error instanceof OidcError)
      assert.equal(error.fault, 'unavailable')
      assert.match(error.message, /issuer/)
      return true
    })
  }
})

test('endpoints of a provider with https have it too', async () => {
  const issuer = 'https://id.example.com'
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    const document = { ...documentOf(issuer, issuer), [name]: 'http://id.example.com/x' }
    await assert.rejects(providerOf(issuer, document).discover(), new RegExp(`no usable ${name}`))
  }
})
