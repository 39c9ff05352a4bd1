import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { service } from '../harness.ts'
import { canBrowse, newPerson, photograph, violationsOn } from './console.ts'

const api = service()

const looks = {
  light: {},
  dark: { colorScheme: 'dark' },
  narrow: { viewport: { width: 360, height: 740 } },
} as const

/** Shows the operations of conversations; those of a narrow page are behind a menu. */
async function openOperation(page: Page, isNarrow: boolean): Promise<void> {
  await page.getByRole('heading', { name: 'Backline API' }).waitFor()
  if (isNarrow) return
  await page.getByRole('link', { name: 'Conversations', exact: true }).click()
  await page.getByRole('heading', { name: 'Create a conversation' }).scrollIntoViewIfNeeded()
}

describe('the pages for readers', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  for (const [look, options] of Object.entries(looks))
    test(`are accessible and fit the window: ${look}`, async () => {
      // The policy of these pages allows no script, and that of a test is one.
      const { page } = await newPerson({ ...options, bypassCSP: true })
      await page.goto(`${api.url}/guides`)
      const links = page.locator('main a[href^="guides/"]')
      const guides = await links.evaluateAll((all) => all.map((each) => `/${each.getAttribute('href')}`))
      assert.ok(guides.length > 10)
      const wrong: string[] = []
      const pages = ['/', '/guides', ...guides, '/problems', '/problems/not_found', '/docs']
      // All guides have one layout: what a look changes is seen on a few.
      const few = ['/', '/guides', '/guides/guide', '/problems/not_found', '/docs']
      for (const path of look === 'light' ? pages : few) {
        await page.goto(api.url + path)
        if (path === '/docs') await openOperation(page, look === 'narrow')
        await photograph(page, `document-${path.slice(1).replaceAll('/', '-')}-${look}`)
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
          wrong.push(`${path} scrolls sideways`)
        for (const violation of await violationsOn(page)) wrong.push(`${path}: ${violation.slice(0, 300)}`)
      }
      assert.deepEqual(wrong, [])
    })
})
