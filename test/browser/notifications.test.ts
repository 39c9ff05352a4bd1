import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { conversation, operator, say, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { as, assign, inbox, note, noticed, unread } from '../notifications.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, violationsOn } from './console.ts'
import { atDesk, command, press, ready, rowOf, thread } from './inbox.ts'

/* What an operator is told of, in the page and outside of it. */

const api = service({ works: true })

const bell = (page: Page, count: number) =>
  page.getByRole('button', {
    name: count === 0 ? 'Notifications' : new RegExp(`^Notifications: ${count} unread notification`),
    exact: count === 0,
  })
const items = (page: Page) => page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')
const isLive = (page: Page) => page.getByRole('status', { name: 'Connected' }).waitFor()
const icon = (page: Page) => page.evaluate<string>('document.querySelector("link[rel=icon]").href')

/** An agent at the list, a colleague, and a conversation. */
async function desk(subject = 'Card declined') {
  const world = await api.world()
  const ada = await atDesk(api, world, 'open')
  await isLive(ada.page)
  const grace = await operator(world.test, { name: 'Grace Hopper' })
  const { id } = await conversation(world.test, { subject, message: { body: 'Please help.' } })
  return { ...ada, world, client: world.test, grace, id }
}

/** Records what pages show on the desktop and play, in place of the browser. */
const recording = (permission: string) => `
  const recorded = []
  let tones = 0
  globalThis.Notification = class {
    static permission = '${permission}'
    static requestPermission = async () => '${permission}'
    constructor(title, { body, tag }) {
      Object.assign(this, { title, body, tag, isOpen: true })
      recorded.push(this)
    }
    close() {
      this.isOpen = false
      this.onclose?.()
    }
  }
  globalThis.AudioContext = class extends AudioContext {
    async resume() {
      tones++
    }
  }
  Object.assign(globalThis, {
    alerts: () => recorded.map(({ title, body, tag, isOpen }) => ({ title, body, tag, isOpen })),
    tones: () => tones,
    press: () => recorded.at(-1).onclick(),
  })`

const recordAlerts = (context: BrowserContext, permission = 'granted') =>
  context.addInitScript({ content: recording(permission) })

type Alert = { title: string; body: string; tag: string; isOpen: boolean }
const alerts = (page: Page) => page.evaluate<Alert[]>('alerts()')

async function stored(page: Page, ...choices: string[]): Promise<void> {
  for (const each of choices) await page.evaluate(`localStorage.setItem('backline.${each}', 'on')`)
}

async function openTab(context: BrowserContext, path = 'inbox/open'): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${api.url}/console/test/${path}`)
  await isLive(page)
  return page
}

/** The number of notifications that an operator has for what has happened so far. */
async function unreadBy(world: World, operatorId: string): Promise<number> {
  await noticed(world.test)
  return unread(world.test, operatorId)
}

describe('notifications', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('are counted in the bell, the title and the icon, and lead to the message that they are about', async () => {
    const { page, world, client, operatorId, grace, id } = await desk()
    await bell(page, 0).waitFor()
    const plain = await icon(page)
    await note(client, id, grace, [operatorId], { body: 'What do you **think**?', body_format: 'markdown' })
    await assign(client, id, operatorId, grace)
    await bell(page, 2).waitFor()
    await until('the title has the number', async () => (await page.title()).startsWith('(2) '))
    assert.notEqual(await icon(page), plain)

    await bell(page, 2).click()
    const mention = items(page).filter({ hasText: 'Grace Hopper mentioned you' })
    await mention.getByText('What do you think?').waitFor()
    await mention.getByText('Card declined').waitFor()
    await items(page).filter({ hasText: 'Assigned to you by Grace Hopper' }).waitFor()
    await photograph(page, 'notifications')
    assert.deepEqual(await violationsOn(page), [])

    await mention.getByRole('link').click()
    await ready(page)
    const focused = thread(page).locator('article:focus')
    await focused.getByText('What do you think?').waitFor()
    // The conversation is in front: what else is about it is read as well.
    await bell(page, 0).waitFor()
    assert.equal(await unreadBy(world, operatorId), 0)
    assert.doesNotMatch(await page.title(), /^\(/)
    assert.equal(await icon(page), plain)
    // The same again leads to the message again.
    await bell(page, 0).click()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await mention.getByRole('link').click()
    await focused.getByText('What do you think?').waitFor()
  })

  test('are read and unread one by one and all at once, in all tabs', async () => {
    const { page, context, client, operatorId, grace, id } = await desk()
    const other = await openTab(context)
    await assign(client, id, operatorId, grace)
    const { id: second } = await conversation(client, { subject: 'Refund', assignee_id: operatorId })
    await say(client, second, 'end_user', { body: 'Where is it?' })
    await bell(page, 3).click()
    const answered = items(page).filter({ hasText: 'user_42 answered' })
    await answered.getByRole('button', { name: 'Mark as read' }).click()
    await bell(other, 2).waitFor()
    await answered.getByRole('button', { name: 'Mark as unread' }).click()
    await bell(other, 3).waitFor()
    assert.equal(await items(page).count(), 3)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByText('You have read everything').waitFor()
    await bell(other, 0).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await answered.getByRole('button', { name: 'Mark as unread' }).waitFor()
    assert.equal(await items(page).count(), 3)
  })

  test('end when their conversation is read in another tab', async () => {
    const { page, context, client, operatorId, grace, id } = await desk()
    const other = await openTab(context)
    await assign(client, id, operatorId, grace)
    await bell(other, 1).waitFor()
    await rowOf(page, 'Card declined').click()
    await ready(page)
    await bell(other, 0).waitFor()
    await assign(client, id, null, grace)
    await noticed(client)
    await until('what comes while it is in front is read', async () => {
      const [newest] = await inbox(client, operatorId)
      return newest.kind === 'handed_over' && newest.read_at !== null
    })
  })

  test('are used by keyboard alone', async () => {
    const { page, client, operatorId, grace, id } = await desk()
    await assign(client, id, operatorId, grace)
    const { id: second } = await conversation(client, { subject: 'Refund', assignee_id: operatorId })
    await bell(page, 2).waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: '2 unread notifications' })
      .waitFor({ state: 'attached' })
    await press(page, 'g')
    await page.keyboard.press('n')
    await items(page).first().locator('a:focus').waitFor()
    await page.keyboard.press('ArrowDown')
    await items(page).nth(1).locator('a:focus').waitFor()
    await page.keyboard.press('k')
    await items(page).first().locator('a:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/open/${second}`))
    // The focus is in the conversation, and its keys work.
    await ready(page)
    await page.locator('h2:focus').getByText('Refund').waitFor()
    await page.keyboard.press('r')
    await page.getByRole('textbox', { name: 'Reply' }).and(page.locator(':focus')).waitFor()
    await bell(page, 1).waitFor()
  })

  test('have a page on a phone, by pages', async () => {
    const { page, client, operatorId, grace } = await desk()
    for (let i = 0; i < 26; i++)
      await conversation(client, {
        subject: `Order ${i}`,
        assignee_id: operatorId,
        external_user_id: `user_${i}`,
      })
    await noticed(client)
    await assign(client, (await conversation(client, { subject: 'The last' })).id, operatorId, grace)
    await page.setViewportSize({ width: 390, height: 844 })
    const link = page.getByRole('link', { name: /^Notifications: 27 unread/ })
    await link.click()
    await page.getByRole('heading', { name: 'Notifications' }).waitFor()
    await items(page).first().getByText('The last').waitFor()
    assert.equal(await items(page).count(), 25)
    await page.getByRole('button', { name: 'Load more' }).click()
    await until('all are there', async () => (await items(page).count()) === 27)
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'notifications-phone')
    await items(page).first().getByRole('link').click()
    await thread(page).waitFor()
    await page.getByRole('link', { name: /^Notifications: 26 unread/ }).waitFor()
  })

  test('that cannot be read say so, and are read again by a press', async () => {
    const { page } = await desk()
    await page.route('**/v1/notifications?*include=*', (route) => route.fulfill({ status: 422, body: '{}' }))
    await bell(page, 0).click()
    await page.getByText('This could not be loaded').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('You have read everything').waitFor()
  })

  test('of one fact are shown on the desktop and heard once, by one of two tabs, and open the conversation', async () => {
    const { page, context, client, operatorId, grace, id } = await desk()
    await page.close()
    await recordAlerts(context)
    const first = await openTab(context)
    await stored(first, 'desktop', 'sound')
    const second = await openTab(context)
    const tabs = [first, second]
    await note(client, id, grace, [operatorId], { body: 'What do you think?' })
    for (const tab of tabs) await bell(tab, 1).waitFor()
    await until('one is shown', async () => (await Promise.all(tabs.map(alerts))).flat().length === 1)
    const [shown] = (await Promise.all(tabs.map(alerts))).flat()
    assert.partialDeepStrictEqual(shown, {
      title: 'Grace Hopper mentioned you (test)',
      body: 'Card declined\nWhat do you think?',
      tag: (await inbox(client, operatorId))[0].id,
    })
    const tones = await Promise.all(tabs.map((tab) => tab.evaluate<number>('tones()')))
    assert.deepEqual(tones.toSorted(), [0, 1])
    const teller = (await alerts(first)).length === 1 ? first : second
    await teller.evaluate('press()')
    await ready(teller)
    await thread(teller).locator('article:focus').getByText('What do you think?').waitFor()
    for (const tab of tabs) await bell(tab, 0).waitFor()
    await until('it is taken off the desktop', async () =>
      (await alerts(teller)).every(({ isOpen }) => !isOpen),
    )

    // It is in front in one of the tabs.
    await say(client, id, 'operator', { operator_id: grace, visibility: 'internal', mentions: [operatorId] })
    await noticed(client)
    const { id: other } = await conversation(client, { subject: 'Refund', assignee_id: operatorId })
    await until('the next one is shown', async () => (await alerts(teller)).length === 2)
    assert.match((await alerts(teller))[1]!.body, /^Refund/)
    // Another client reads it.
    succeeded(await client.post('/v1/notifications/read_all', { conversation_id: other }, as(operatorId)))
    await until('it is taken off', async () => (await alerts(teller)).every(({ isOpen }) => !isOpen))
  })

  test('are made and shown as the preferences say, which each person and each browser has', async () => {
    const { page, context, client, operatorId, grace, id } = await desk()
    await recordAlerts(context)
    await page.reload()
    await isLive(page)
    await command(page, 'Notification preferences')
    const box = (name: string | RegExp) => page.getByRole('checkbox', { name })
    await box('Desktop and sound: somebody mentions you in a note').uncheck()
    await box('In the list: a conversation becomes yours').uncheck()
    assert.equal(await box('Desktop and sound: a conversation becomes yours').isDisabled(), true)
    await box('When I reply').uncheck()
    await box('Show notifications on the desktop').check()
    await box('Play a sound').check()
    assert.equal(await page.evaluate('tones()'), 1)
    assert.deepEqual(
      (await alerts(page)).map(({ body }) => body),
      ['They will look like this.'],
    )
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'notification-preferences')
    const set = async () => succeeded(await client.get('/v1/notification_preferences', as(operatorId)))
    await until('they are stored', async () => (await set()).follow.on_reply === false)
    const { kinds } = await set()
    assert.deepEqual(
      [kinds.mentioned.desktop, kinds.assigned.inbox, kinds.answered.desktop],
      [false, false, true],
    )

    await assign(client, id, operatorId, grace)
    await note(client, id, grace, [operatorId])
    await bell(page, 1).waitFor()
    await say(client, id, 'end_user', { body: 'Anybody?' })
    await until('the answer is shown', async () => (await alerts(page)).length === 2)
    assert.match((await alerts(page))[1]!.title, /^user_42 answered/)
    // Nothing is shown to a person who is busy.
    const become = async (status: string, label: string) => {
      succeeded(await client.put(`/v1/operators/${operatorId}/status`, { status }))
      await page.getByRole('button', { name: `Your status: ${label}` }).waitFor()
    }
    await become('busy', 'Busy')
    const { id: next } = await conversation(client, { subject: 'Refund' })
    succeeded(await client.put(`/v1/conversations/${next}/followers/${operatorId}`))
    await say(client, next, 'end_user')
    await bell(page, 3).waitFor()
    await become('online', 'Online')
    const { id: last } = await conversation(client, { subject: 'Invoice' })
    succeeded(await client.put(`/v1/conversations/${last}/followers/${operatorId}`))
    await say(client, last, 'end_user')
    await until('the last one is shown', async () => (await alerts(page)).length === 3)
    assert.match((await alerts(page))[2]!.body, /^Invoice/)
    await page.reload()
    assert.equal(await box('Show notifications on the desktop').isChecked(), true)
    await box('When I reply').waitFor()
    assert.equal(await box('When I reply').isChecked(), false)
  })

  test('are not shown on the desktop where the browser blocks them, and the page says why', async () => {
    const { page, context } = await desk()
    await recordAlerts(context, 'denied')
    await page.goto(`${api.url}/console/test/notifications/preferences`)
    const box = page.getByRole('checkbox', { name: 'Show notifications on the desktop' })
    await box.click()
    await page.getByRole('alert').getByText('This browser blocks notifications of this page').waitFor()
    assert.equal(await box.isChecked(), false)
    assert.deepEqual(await violationsOn(page), [])
  })

  test('a preference that is changed twice is stored as it was last, although the first change is slow', async () => {
    const { page, client, operatorId } = await desk()
    const first = Promise.withResolvers<void>()
    const sent: string[] = []
    await page.route('**/v1/notification_preferences', async (route) => {
      if (route.request().method() === 'PATCH') {
        sent.push(route.request().postData()!)
        if (sent.length === 1) await first.promise
      }
      await route.continue()
    })
    await page.goto(`${api.url}/console/test/notifications/preferences`)
    const box = page.getByRole('checkbox', { name: 'When I reply' })
    await box.uncheck()
    await until('the first change is on its way', () => sent.length === 1)
    await box.check()
    await page.waitForTimeout(500)
    assert.equal(sent.length, 1, 'the second change waits for the first')
    const stored = page.waitForResponse((response) => response.request().postData() === sent[1])
    first.resolve()
    assert.equal((await stored).status(), 200)
    assert.deepEqual(
      sent.map((body) => JSON.parse(body).follow.on_reply),
      [false, true],
    )
    assert.equal(await box.isChecked(), true)
    const { follow } = succeeded(await client.get('/v1/notification_preferences', as(operatorId)))
    assert.equal(follow.on_reply, true)
  })
})
