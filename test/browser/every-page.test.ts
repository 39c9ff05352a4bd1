import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { mailbox } from '../mails.ts'
import { canBrowse, fillDesk, photograph, signInAs, violationsOn } from './console.ts'

const api = service()

const areas = ['inbox', 'knowledge', 'setup', 'engineering']

const looks = {
  light: {},
  dark: { colorScheme: 'dark' },
  narrow: { viewport: { width: 360, height: 740 } },
  wide: { viewport: { width: 2560, height: 1300 } },
  german: { locale: 'de-DE' },
} as const

/** Resolves when the page shows what it has, and not the grey lines of `Loading`. */
async function loaded(page: Page): Promise<void> {
  await page.locator('main').waitFor()
  await page.locator('main h1, main h2, main li, main td').first().waitFor({ state: 'attached' })
  for (const label of ['Loading', 'Wird geladen'])
    await page.locator(`main [role=status][aria-label="${label}"]`).first().waitFor({ state: 'detached' })
}

/** The paths of all pages that the navigation leads to. */
async function navigationOf(page: Page): Promise<string[]> {
  const found = new Set<string>()
  for (const area of areas) {
    await page.goto(`${api.url}/console/test/${area}`)
    await page.locator('#area-navigation a').first().waitFor({ state: 'attached' })
    const links = await page.locator('#area-navigation a').evaluateAll((all) => all.map((each) => each.href))
    for (const link of links) found.add(new URL(link).pathname)
  }
  return [...found]
}

/** The paths of one object of each kind that has a page. */
async function pagesOfObjects({ test: client }: World): Promise<string[]> {
  const first = async (path: string) => succeeded(await client.get(path)).data[0].id
  const conversation = await first('/v1/conversations?limit=1&status=open')
  const event = await first('/v1/events?types=conversation.created&limit=1')
  return [
    'people',
    `people/${await first('/v1/end_users?limit=1')}`,
    'companies',
    `companies/${await first('/v1/companies')}`,
    `inbox/all/${conversation}`,
    `inbox/all/${conversation}/details`,
    `knowledge/articles/${await first('/v1/kb/articles?limit=1')}`,
    `setup/mailboxes/${await first('/v1/mailboxes')}`,
    `engineering/events/${event}`,
    `engineering/webhooks/${await first('/v1/webhook_endpoints')}`,
    `engineering/requests/${await first('/v1/request_log?limit=1')}`,
    `engineering/audit/${event.replace('evt_', 'aud_')}`,
    'engineering/keys/identity',
    'engineering/keys/sessions',
    'notifications',
    'notifications/preferences',
    'design',
  ].map((path) => `/console/test/${path}`)
}

describe('every page of the console', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  let world: World
  before(async () => {
    world = await api.world()
    await fillDesk(api, world, 30)
    const url = 'https://hooks.example.com/backline'
    succeeded(await world.test.post('/v1/webhook_endpoints', { url }))
    await mailbox(world.test)
    succeeded(await world.test.post('/v1/companies', { name: 'Analytical Engines' }))
  })

  for (const [look, options] of Object.entries(looks))
    test(`is accessible and fits the window: ${look}`, async () => {
      const { page } = await signInAs(api, world, { name: `Ada ${look}`, role: 'admin' }, options)
      const wrong: string[] = []
      for (const path of [...(await navigationOf(page)), ...(await pagesOfObjects(world))]) {
        const name = path.replace('/console/test/', '')
        if (look === 'light') await page.goto(api.url + path)
        else await page.evaluate(`history.pushState(null, '', '${path}')`)
        if (name === 'design')
          await page.locator('main h1').waitFor() // it shows the grey lines themselves
        else await loaded(page)
        await photograph(page, `${name.replaceAll('/', '-').replace(/-[a-z]+_\w{26}/, '-one')}-${look}`)
        if (!/. · Backline$/.test(await page.title())) wrong.push(`${name} has no title of its own`)
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
          wrong.push(`${name} scrolls sideways`)
        if (look === 'wide') continue // the elements are those of `light`
        for (const violation of await violationsOn(page)) wrong.push(`${name}: ${violation}`)
      }
      assert.deepEqual(wrong, [])
    })
})
