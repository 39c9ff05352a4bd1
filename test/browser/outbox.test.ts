import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { type Body, conversation, say, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, linkFor, photograph } from './console.ts'
import { atConversation, atDesk, composer, ready, rowOf, thread } from './inbox.ts'

/* Answers that cannot be sent at once: they are seen on every page, and sent when they can be. */

const api = service({ works: true })

const ask = (world: World, subject: string): Promise<Body> =>
  conversation(world.test, { subject, message: { body: 'Please help.' } })

const sentTo = async (world: World, id: string): Promise<string[]> =>
  succeeded(await world.test.get(`/v1/conversations/${id}/messages`)).data.map(({ body }: Body) => body)

const areSent = (world: World, id: string, ...bodies: string[]) =>
  until('the messages are sent', async () => (await sentTo(world, id)).length > bodies.length).then(
    async () => assert.deepEqual(await sentTo(world, id), ['Please help.', ...bodies]),
  )

async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Control+Enter')
  await outgoing(page, text).waitFor()
}

const outgoing = (page: Page, text: string) => thread(page).getByRole('article').filter({ hasText: text })
const alertIn = (page: Page, text: string) => outgoing(page, text).getByRole('alert')
const notice = (page: Page, count: number) =>
  page.getByRole('navigation').getByRole('link', { name: `${count} not sent`, exact: true })
const titleIs = (page: Page, title: string) =>
  until(`the title is ${title}`, async () => (await page.title()) === title)

const allAreSent = async (page: Page) => {
  await page
    .getByRole('navigation')
    .getByText(/not sent/)
    .first()
    .waitFor({ state: 'detached' })
  await until('the title does not count them', async () => !/^\d+ not sent/.test(await page.title()))
}

/** The server cannot be reached from these tabs, for messages or for everything. */
const cut = (context: BrowserContext, what = '**/v1/**') =>
  context.route(what, (route) => route.abort('connectionrefused'))

describe('an answer that cannot be sent', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('is seen on every page, and sent by itself, once and in order, when the connection is back', async () => {
    const world = await api.world()
    const { id } = await ask(world, 'Card declined')
    await ask(world, 'Wrong invoice')
    const { page, context } = await atConversation(api, world, id)
    await rowOf(page, 'Wrong invoice').waitFor()
    await context.setOffline(true)
    for (const text of ['First', 'Second', 'Third']) await write(page, text)
    await alertIn(page, 'First').getByText('There is no connection to the server.').waitFor()
    await notice(page, 3).waitFor()
    await photograph(page, 'unsent-thread')
    await rowOf(page, 'Wrong invoice').click()
    await rowOf(page, 'Card declined').getByText('3 not sent').waitFor()
    await page.getByRole('link', { name: /^Open 3 not sent/ }).waitFor()
    await titleIs(page, '3 not sent · Wrong invoice · Backline')
    await photograph(page, 'unsent-elsewhere')
    assert.deepEqual(await sentTo(world, id), ['Please help.'])
    await context.setOffline(false)
    await areSent(world, id, 'First', 'Second', 'Third')
    await allAreSent(page)
    assert.equal(await rowOf(page, 'Card declined').getByText('not sent').count(), 0)
  })

  test('is sent once when the server is back, by one of two tabs, although the tab where it was written is closed', async () => {
    const world = await api.world()
    const { id } = await ask(world, 'Card declined')
    const { page, context } = await atConversation(api, world, id)
    const second = await context.newPage()
    await second.goto(page.url())
    await ready(second)
    await cut(context)
    await write(second, 'From the second')
    await notice(second, 1).waitFor()
    await notice(page, 1).waitFor()
    await alertIn(page, 'From the second').waitFor()
    await second.close()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await areSent(world, id, 'From the second')
    await allAreSent(page)
    assert.equal(await outgoing(page, 'From the second').count(), 1)
  })

  test('is sent after a reload, from a page of another area', async () => {
    const world = await api.world()
    const { id } = await ask(world, 'Card declined')
    const { page, context } = await atConversation(api, world, id)
    await cut(context, `**/v1/conversations/${id}/messages`)
    await write(page, 'Only once')
    await notice(page, 1).waitFor()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto(`${api.url}/console/test/design`)
    await areSent(world, id, 'Only once')
    await allAreSent(page)
  })

  test('waits for the person if somebody else has written meanwhile; it can be edited or sent now', async () => {
    const world = await api.world()
    const { id } = await ask(world, 'Card declined')
    const { page, context } = await atConversation(api, world, id)
    await cut(context, `**/v1/conversations/${id}/messages*`)
    await write(page, 'To be edited')
    await write(page, 'To be sent')
    await notice(page, 2).waitFor()
    await say(world.test, id, 'end_user', { body: 'It works now!' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    for (const text of ['To be edited', 'To be sent'])
      await alertIn(page, text).getByText('Somebody else has written meanwhile.').waitFor()
    await page.reload()
    await ready(page)
    await notice(page, 2).waitFor()
    await photograph(page, 'unsent-held')
    await alertIn(page, 'To be edited').getByRole('button', { name: 'Edit' }).click()
    await until('it is a draft', async () => (await composer(page).inputValue()) === 'To be edited')
    await alertIn(page, 'To be sent').getByRole('button', { name: 'Send now' }).click()
    await areSent(world, id, 'It works now!', 'To be sent')
    await allAreSent(page)
  })

  test('waits for the person if it is older than a quarter of an hour, and is not sent when they discard it', async () => {
    const world = await api.world()
    const { id } = await ask(world, 'Card declined')
    const { page, context } = await atConversation(api, world, id)
    await cut(context, `**/v1/conversations/${id}/messages`)
    await write(page, 'An hour ago')
    await notice(page, 1).waitFor()
    await page.goto(`${api.url}/console/icon.svg`)
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: the global scope is that of the page here
      const { localStorage } = globalThis as any
      for (const key of Object.keys(localStorage).filter((each) => each.includes('.outbox.')))
        localStorage[key] = localStorage[key].replaceAll(/T\d\d:/g, 'T00:').replaceAll(/20\d\d-/g, '2020-')
    })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto(`${api.url}/console/test/inbox/open/${id}`)
    await alertIn(page, 'An hour ago').getByText('You wrote it a while ago.').waitFor()
    await alertIn(page, 'An hour ago').getByRole('button', { name: 'Discard' }).click()
    await allAreSent(page)
    assert.deepEqual(await sentTo(world, id), ['Please help.'])
  })

  test('is kept when the person signs out and says so, and is sent when they have signed in again', async () => {
    const world = await api.world()
    const { id } = await ask(world, 'Card declined')
    const { page, context } = await atConversation(api, world, id)
    await cut(context, `**/v1/conversations/${id}/messages`)
    await write(page, 'Later')
    await notice(page, 1).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign out with unsent texts?' })
    await dialog.getByText('1 message was not sent').waitFor()
    await photograph(page, 'unsent-sign-out')
    await dialog.getByRole('button', { name: 'Keep and sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Backline' }).waitFor()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    assert.deepEqual(await sentTo(world, id), ['Please help.'])
    await page.goto(await linkFor(api, world, 'ada.lovelace@example.com'))
    await areSent(world, id, 'Later')
  })

  test('is seen on a phone, and explained in German', async () => {
    const world = await api.world()
    const { id } = await ask(world, 'Card declined')
    const phone = { viewport: { width: 390, height: 844 }, locale: 'de-DE', colorScheme: 'dark' } as const
    const { page, context } = await atDesk(api, world, `open/${id}`, 'Ada Lovelace', phone)
    await composer(page).waitFor()
    await context.setOffline(true)
    await write(page, 'Hallo')
    await alertIn(page, 'Hallo').getByText('Es besteht keine Verbindung zum Server.').waitFor()
    await page.getByRole('banner').getByRole('link', { name: '1 nicht gesendet' }).waitFor()
    await titleIs(page, '1 nicht gesendet · Card declined · Backline')
    await photograph(page, 'unsent-phone')
  })
})
