import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { consolePath } from '@backline/test/console.ts'
import { succeeded } from '@backline/test/desk.ts'
import { type ForgedProvider, forgedClient, forgedProvider } from '@backline/test/forged-openid-provider.ts'
import { type Another, service, type World } from '@backline/test/harness.ts'

const api = service({})
let world: World
let provider: ForgedProvider
let server: Another

/** Signs in with an address that the provider has verified. @returns the fragment of the console, '' for a sign-in */
async function signInAs(email: string): Promise<string> {
  const path = `${server.url}${consolePath}/sign_in/oidc`
  const begun = await fetch(path, { redirect: 'manual' })
  const asked = new URL(begun.headers.get('location')!).searchParams
  Object.assign(provider.replies.claims, { email, nonce: asked.get('nonce') })
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
  const query = new URLSearchParams({ code: 'c', state: asked.get('state')! })
  const ended = await fetch(`${path}/callback?${query}`, { redirect: 'manual', headers: { cookie } })
  return new URL(ended.headers.get('location')!).hash
}

const newOperator = async (email: string) =>
  succeeded(await world.test.post('/v1/operators', { name: 'Ada', email, role: 'admin' }))

describe('a sign-in by OpenID Connect', () => {
  before(async () => {
    provider = await forgedProvider()
    world = await api.world()
    server = await api.another({
      environment: {
        BACKLINE_OIDC_ISSUER: provider.issuer,
        BACKLINE_OIDC_CLIENT_ID: forgedClient.clientId,
        BACKLINE_OIDC_CLIENT_SECRET: forgedClient.clientSecret,
        BACKLINE_OIDC_WORKSPACE: succeeded(await world.live.get('/v1/workspace')).name,
      },
    })
  })
  after(() => provider.stop())

  test('is of the operator whose address is that of the provider, whatever the case of its letters', async () => {
    const name = randomUUID()
    await newOperator(`${name}@example.com`)
    assert.equal(await signInAs(`${name}@example.com`), '')
    assert.equal(await signInAs(`${name}@EXAMPLE.com`.toUpperCase()), '')
  })

  test('is refused for an address that only resembles the one of the operator', async () => {
    const name = randomUUID()
    await newOperator(`${name}@examplei.com`)
    for (const domain of ['exampleı.com', 'ｅxamplei.com', 'examplei․com', 'EXAMPLEİ.com'])
      assert.equal(await signInAs(`${name}@${domain}`), '#error=no_operator', domain)
  })
})
