import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { browser, chromium } from './chromium.ts'
import { consolePath } from './console.ts'
import { urlOf } from './databases.ts'
import { succeeded } from './desk.ts'
import { service, type World } from './harness.ts'
import { isProviderInstalled, startProvider } from './openid-provider.ts'
import { cleanUp, freePort, startServer } from './processes.ts'

/*
 * Chromium signs in. The server is on localhost and the provider on 127.0.0.1, which are two sites: the browser decides
 * which cookies it sends on the way back.
 */

const skip = chromium === undefined || !isProviderInstalled ? 'no Chromium, or no tools/oidc-provider' : false

describe('a sign-in by Chromium', { skip }, () => {
  const api = service({})
  let world: World
  let publicUrl: string

  before(async () => {
    world = await api.world()
    const [ours, theirs] = [await freePort(), await freePort()]
    publicUrl = `http://localhost:${ours}`
    const client = { clientId: 'backline', clientSecret: 'secret' }
    await startProvider({
      ...client,
      port: theirs,
      authentication: 'client_secret_basic',
      redirectUri: `${publicUrl}${consolePath}/sign_in/oidc/callback`,
      claimsInIdToken: false,
    })
    await startServer({
      environment: {
        PORT: String(ours),
        DATABASE_URL: urlOf(api.connection),
        BACKLINE_PUBLIC_URL: publicUrl,
        BACKLINE_OIDC_ISSUER: `http://127.0.0.1:${theirs}`,
        BACKLINE_OIDC_CLIENT_ID: client.clientId,
        BACKLINE_OIDC_CLIENT_SECRET: client.clientSecret,
        BACKLINE_OIDC_WORKSPACE: succeeded(await world.live.get('/v1/workspace')).name,
      },
    })
  })
  after(cleanUp)

  const submit = async (page: Page, prompt: string, fill: string) => {
    await page.waitForSelector(`input[name=prompt][value=${prompt}]`, { state: 'attached' })
    await page.evaluate(`${fill}; document.forms[0].submit()`)
  }

  test('the browser brings the sign-in back from the other site and then has a session', async () => {
    const email = `${randomUUID()}@example.com`
    succeeded(await world.test.post('/v1/operators', { name: 'Ada', email, role: 'agent' }))
    const page = await (await browser()).newPage()
    await page.goto(`${publicUrl}${consolePath}/sign_in/oidc`)
    await submit(page, 'login', `document.forms[0].login.value = '${email}'`)
    await submit(page, 'consent', '')
    await page.waitForURL(`${publicUrl}/console/**`)
    const asked = `fetch('${consolePath}/session').then((response) => response.json())`
    const { environments } = (await page.evaluate(asked)) as {
      environments: { test: { operator: { email: string } } }
    }
    assert.equal(environments.test.operator.email, email)
    assert.equal(await page.evaluate('document.cookie'), '')
    const cookies = await page.context().cookies(publicUrl)
    assert.deepEqual(
      cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite })),
      [{ name: `backline_console_${new URL(publicUrl).port}`, httpOnly: true, sameSite: 'Strict' }],
    )
  })
})
