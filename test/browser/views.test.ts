import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { canBrowse, fillDesk, noFaults, photograph, signInAs, violationsOn } from './console.ts'

const api = service({ environment: { BACKLINE_SESSIONS_PER_MINUTE: '0' } })

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

/** The addresses of all pages that the navigation leads to, and those of a conversation and an article. */
async function pagesOf(page: Page, world: World): Promise<string[]> {
  const found = new Set<string>()
  for (const area of areas) {
    await page.goto(`${api.url}/console/test/${area}`)
    await page.locator('#area-navigation a').first().waitFor({ state: 'attached' })
    const links = await page.locator('#area-navigation a').evaluateAll((all) => all.map((each) => each.href))
    for (const link of links) found.add(link)
  }
  const [conversation] = succeeded(await world.test.get('/v1/conversations?limit=1&status=open')).data
  const [article] = succeeded(await world.test.get('/v1/kb/articles?limit=1')).data
  const more = [`inbox/all/${conversation.id}`, `knowledge/articles/${article.id}`, 'design']
  return [...found, ...more.map((path) => `${api.url}/console/test/${path}`)]
}

describe('every page of the console', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  let world: World
  before(async () => {
    world = await api.world()
    await fillDesk(api, world, 30)
  })

  for (const [look, options] of Object.entries(looks))
    test(`is accessible and fits the window: ${look}`, async () => {
      const name = `Ada ${look}`
      const person = await signInAs(api, world, { name, role: 'admin' }, options)
      const { page } = person
      const wrong: string[] = []
      for (const url of await pagesOf(page, world)) {
        const path = new URL(url).pathname.replace('/console/test/', '')
        await page.goto(url)
        if (path === 'design')
          await page.locator('main h1').waitFor() // it shows the grey lines themselves
        else await loaded(page)
        await photograph(page, `${path.replaceAll('/', '-').replace(/-[a-z]+_\w{26}/, '-one')}-${look}`)
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
          wrong.push(`${path} scrolls sideways`)
        for (const violation of await violationsOn(page)) wrong.push(`${path}: ${violation}`)
      }
      assert.deepEqual(wrong, [])
      noFaults(person)
    })
})
