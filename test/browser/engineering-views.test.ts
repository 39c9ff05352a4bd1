import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { conversation, succeeded } from '../desk.ts'
import { service } from '../harness.ts'
import { canBrowse, noFaults, photograph, signInAs, violationsOn } from './console.ts'

const api = service({})

const pages = ['events', 'webhooks', 'keys', 'keys/identity', 'keys/sessions', 'audit', 'clock']
const looks = {
  light: {},
  dark: { colorScheme: 'dark' },
  narrow: { viewport: { width: 360, height: 740 } },
  german: { locale: 'de-DE' },
} as const

const isLoaded = (page: Page) =>
  page
    .getByRole('status', { name: /Loading|Wird geladen/ })
    .first()
    .waitFor({ state: 'detached' })

describe('the pages of the engineering area', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  for (const [look, options] of Object.entries(looks))
    test(`are accessible and fit the window: ${look}`, async () => {
      const world = await api.world()
      await conversation(world.test, { subject: 'Card declined' })
      const endpoint = succeeded(
        await world.test.post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/backline' }),
      )
      const [event] = succeeded(await world.test.get('/v1/events?types=conversation.created')).data
      const person = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' }, options)
      const { page } = person
      const opens = [
        `events/${event.id}`,
        `webhooks/${endpoint.id}`,
        `audit/${event.id.replace('evt_', 'aud_')}`,
      ]
      for (const path of [...pages, ...opens]) {
        await page.goto(`${api.url}/console/test/engineering/${path}`)
        await isLoaded(page)
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        assert.equal(isTooWide, false, `${path} scrolls sideways`)
        await photograph(page, `engineering-${path.replace(/(\/|_).*/, '')}-${look}`)
        assert.deepEqual(await violationsOn(page), [], path)
      }
      noFaults(person)
    })
})
