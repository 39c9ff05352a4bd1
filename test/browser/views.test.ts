import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { conversation, say } from '../desk.ts'
import { service } from '../harness.ts'
import { canBrowse, noFaults, photograph, signInAs, violationsOn } from './console.ts'

const api = service({})

/** Every page of the console, below the environment. */
const pages = ['inbox', 'knowledge', 'setup', 'engineering']

const looks = {
  light: {},
  dark: { colorScheme: 'dark' },
  narrow: { viewport: { width: 360, height: 740 } },
  wide: { viewport: { width: 2560, height: 1300 } },
  german: { locale: 'de-DE' },
} as const

describe('every page of the console', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  for (const [look, options] of Object.entries(looks))
    test(`is accessible and fits the window: ${look}`, async () => {
      const world = await api.world()
      const { id } = await conversation(world.test, {
        subject: 'Card declined',
        message: { body: 'Twice already.' },
      })
      await say(world.test, id, 'end_user')
      const person = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' }, options)
      const { page } = person
      for (const path of [...pages, `inbox/all/${id}`]) {
        await page.goto(`${api.url}/console/test/${path}`)
        await page.getByRole('status', { name: /Loading|Wird geladen/ }).waitFor({ state: 'detached' })
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        assert.equal(isTooWide, false, `${path} scrolls sideways`)
        await photograph(page, `${path.replaceAll('/', '-').replace(id, 'conversation')}-${look}`)
        assert.deepEqual(await violationsOn(page), [], path)
      }
      noFaults(person)
    })
})
