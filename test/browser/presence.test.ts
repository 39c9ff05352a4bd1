import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { conversation } from '../desk.ts'
import { service } from '../harness.ts'
import { canBrowse, photograph, signInAs } from './console.ts'

/* Two operators at the console, at the same conversation. */

const api = service({ works: true })

const rowOf = (page: Page, subject: string) =>
  page.getByRole('list').getByRole('link', { name: new RegExp(subject) })
const colleagues = (page: Page) => page.getByRole('list', { name: 'Colleagues who are here' })

/** Does what a browser does when its person turns to another tab, or comes back. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    // biome-ignore lint/suspicious/noExplicitAny: the global scope is that of the page here
    const { document } = globalThis as any
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

describe('two operators at one conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('see each other arrive, reply, stop, turn away and leave', async () => {
    const world = await api.world()
    const ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    const grace = await signInAs(api, world, { name: 'Grace Hopper', role: 'agent' })
    for (const [external_user_id, subject] of [
      ['user_1', 'Card declined'],
      ['user_2', 'Wrong invoice'],
    ])
      await conversation(world.test, { external_user_id, subject, message: { body: 'Please help.' } })
    for (const { page } of [ada, grace]) await page.goto(`${api.url}/console/test/inbox/open`)

    await rowOf(ada.page, 'Card declined').click()
    const composer = ada.page.getByRole('region', { name: 'Write' }).getByRole('textbox')
    await composer.waitFor()
    await colleagues(ada.page).waitFor({ state: 'detached' })

    await rowOf(grace.page, 'Card declined').click()
    await colleagues(ada.page).getByText('Grace Hopper is looking at this').waitFor()
    // Who comes later is told who was there before.
    await colleagues(grace.page).getByText('Ada Lovelace is looking at this').waitFor()

    await composer.fill('Let me check that')
    const replying = grace.page.getByRole('status').getByText('Ada Lovelace is replying')
    await replying.waitFor()
    await colleagues(grace.page).getByText('Ada Lovelace is replying').waitFor()
    await photograph(grace.page, 'presence-replying')

    await ada.page.keyboard.press('Control+Enter')
    await replying.waitFor({ state: 'detached' })
    await colleagues(grace.page).getByText('Ada Lovelace is looking at this').waitFor()

    await hide(ada.page, true)
    await colleagues(grace.page).waitFor({ state: 'detached' })
    await hide(ada.page, false)
    await colleagues(grace.page).getByText('Ada Lovelace is looking at this').waitFor()

    await rowOf(ada.page, 'Wrong invoice').click()
    await colleagues(grace.page).waitFor({ state: 'detached' })
    await rowOf(grace.page, 'Wrong invoice').click()
    await colleagues(ada.page).getByText('Grace Hopper is looking at this').waitFor()
  })
})
