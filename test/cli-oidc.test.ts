import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { expectations, run } from './command-line.ts'
import { type ForgedProvider, forgedClient, forgedProvider } from './forged-openid-provider.ts'
import { cleanUp, temporaryDirectory } from './processes.ts'

/* `backline doctor` and the OpenID provider. */

const { diagnose } = expectations(run)

describe('doctor and the OpenID provider', { concurrency: 1 }, () => {
  let provider: ForgedProvider
  before(async () => {
    provider = await forgedProvider()
  })
  after(() => provider.stop())
  after(cleanUp)

  const environment = () => ({ BACKLINE_DATA_DIR: join(temporaryDirectory(), 'data'), PORT: '0' })
  const configured = () => ({
    ...environment(),
    BACKLINE_PUBLIC_URL: 'https://desk.example.com',
    BACKLINE_OIDC_ISSUER: provider.issuer,
    BACKLINE_OIDC_CLIENT_ID: forgedClient.clientId,
    BACKLINE_OIDC_CLIENT_SECRET: forgedClient.clientSecret,
  })

  test('without a provider none is checked', async () => {
    const { code, check } = await diagnose(environment())
    assert.equal(code, 0)
    assert.throws(() => check('openid provider'))
  })

  test('a provider that responds is shown with the redirect URI to register', async () => {
    const { code, check } = await diagnose(configured())
    assert.equal(code, 0)
    const redirectUri = 'https://desk.example.com/console/api/sign_in/oidc/callback'
    assert.equal(
      check('openid provider').detail,
      `${provider.issuer} responds; register the redirect URI ${redirectUri} there`,
    )
    assert.ok(!JSON.stringify(check('openid provider')).includes(forgedClient.clientSecret))
  })

  test('a discovery document of another issuer is a fault', async () => {
    provider.replies.discovery = { issuer: 'https://other.example.com' }
    const { code, check } = await diagnose(configured())
    provider.reset()
    assert.equal(code, 1)
    assert.match(check('openid provider').detail, /does not match the expected issuer$/)
    assert.match(check('openid provider').advice!, /^correct BACKLINE_OIDC_ISSUER/)
  })

  test('a provider that is away is a fault', async () => {
    await provider.stop()
    const { code, check } = await diagnose(configured())
    await provider.restart()
    assert.equal(code, 1)
    assert.match(check('openid provider').detail, /fetch failed: /)
  })
})
