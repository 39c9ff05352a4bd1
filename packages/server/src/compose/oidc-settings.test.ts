import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig, settings } from './config.ts'

const provider = {
  BACKLINE_OIDC_ISSUER: 'https://id.example.com/realms/support',
  BACKLINE_OIDC_CLIENT_ID: 'backline',
  BACKLINE_OIDC_CLIENT_SECRET: 'GOCSPX-very~secret',
}

const faultsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.split('\n')
  }
  return []
}

test('without settings there is no provider', () => {
  assert.equal(readConfig({}).oidc, null)
})

test('three settings name a provider, and a fourth one the workspace', () => {
  const expected = {
    issuer: 'https://id.example.com/realms/support',
    clientId: 'backline',
    clientSecret: 'GOCSPX-very~secret',
  }
  assert.deepEqual(readConfig(provider).oidc, { ...expected, workspace: null })
  const named = { ...provider, BACKLINE_OIDC_WORKSPACE: 'Acme support' }
  assert.deepEqual(readConfig(named).oidc, { ...expected, workspace: 'Acme support' })
})

test('a setting that is missing is named', () => {
  for (const missing of Object.keys(provider)) {
    const { [missing as keyof typeof provider]: _, ...rest } = provider
    const [fault, ...more] = faultsOf(rest)
    assert.match(fault!, new RegExp(`requires ${missing}$`))
    assert.deepEqual(more, [])
  }
  assert.equal(faultsOf({ BACKLINE_OIDC_ISSUER: provider.BACKLINE_OIDC_ISSUER }).length, 2)
  assert.match(faultsOf({ BACKLINE_OIDC_WORKSPACE: 'Acme' })[0]!, /BACKLINE_OIDC_WORKSPACE requires/)
})

test('an issuer has https, or http on this machine', () => {
  for (const issuer of [
    'http://localhost:8081',
    'http://127.0.0.1:8081/a',
    'http://[::1]:8081',
    'https://10.0.0.1',
  ])
    assert.deepEqual(faultsOf({ ...provider, BACKLINE_OIDC_ISSUER: issuer }), [])
  for (const issuer of [
    'http://id.example.com',
    'http://localhost.example.com',
    'ftp://id.example.com',
    'id.example.com',
    'https://id.example.com?tenant=a',
    'https://id.example.com/#a',
    'https://user:password@id.example.com',
    'https://id.example.com/.well-known/openid-configuration',
  ]) {
    const faults = faultsOf({ ...provider, BACKLINE_OIDC_ISSUER: issuer })
    assert.equal(faults.length, 1, issuer)
    assert.match(faults[0]!, /^BACKLINE_OIDC_ISSUER must be the https:\/\/ URL of an issuer/)
  }
})

test('the secret is in no message', () => {
  const secret = 'not visible ASCII: ä'
  const faults = faultsOf({ ...provider, BACKLINE_OIDC_CLIENT_SECRET: secret })
  assert.deepEqual(faults, ['BACKLINE_OIDC_CLIENT_SECRET must be visible ASCII characters, not "***"'])
  assert.ok(!JSON.stringify(settings(provider)).includes(provider.BACKLINE_OIDC_CLIENT_SECRET))
})

test('a mistyped name is refused', () => {
  assert.match(
    faultsOf({ ...provider, BACKLINE_OIDC_ISUER: 'https://a.example' })[0]!,
    /did you mean BACKLINE_OIDC_ISSUER\?/,
  )
})
