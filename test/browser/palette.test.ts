import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { conversation, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'
import { atConversation, atDesk, composer, pick, ready, search, written } from './inbox.ts'

const api = service()

const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
const options = (page: Page) => palette(page).getByRole('option')
const group = (page: Page, name: string) => palette(page).getByRole('group', { name, exact: true })

async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Commands' }).first().waitFor()
  await page.keyboard.press('Control+k')
  await search(page).waitFor()
}

async function asked(world: World, subject = 'Card declined') {
  const person = succeeded(
    await world.test.post('/v1/end_users', {
      name: 'Grace Hopper',
      emails: [{ address: 'grace@navy.example' }],
    }),
  )
  const { id } = await conversation(world.test, {
    external_user_id: undefined,
    end_user_id: person.id,
    subject,
    message: { body: 'It hangs.' },
  })
  return { id: id as string, personId: person.id as string }
}

describe('the command palette', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('finds people, companies and conversations by a word, and opens their pages', async () => {
    const world = await api.world()
    const { id, personId } = await asked(world)
    const company = succeeded(await world.test.post('/v1/companies', { name: 'Analytical Engines' }))
    const { page } = await atDesk(api, world, 'open')
    await open(page)
    await search(page).fill('hopper')
    await group(page, 'People')
      .getByRole('option', { name: /Grace Hopper/ })
      .waitFor()
    await photograph(page, 'palette-found')
    assert.deepEqual(await violationsOn(page), [])
    await group(page, 'People')
      .getByRole('option', { name: /Grace Hopper/ })
      .click()
    await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
    assert.ok(page.url().endsWith(`/test/people/${personId}`), page.url())

    await open(page)
    await pick(page, 'analytical', 'Analytical Engines')
    await page.getByRole('heading', { name: 'Analytical Engines', level: 1 }).waitFor()
    assert.ok(page.url().endsWith(`/test/companies/${company.id}`), page.url())

    await open(page)
    await pick(page, 'declined', 'Card declined')
    await ready(page)
    assert.ok(page.url().endsWith(`/test/inbox/all/${id}`), page.url())
    await page.locator('h2:focus').filter({ hasText: 'Card declined' }).waitFor()
  })

  test('opens what an id names, and nothing that the role does not include', async () => {
    const world = await api.world()
    const { id, personId } = await asked(world)
    const [message] = succeeded(await world.test.get(`/v1/conversations/${id}/messages`)).data
    const [event] = succeeded(await world.test.get('/v1/events?types=conversation.created&limit=1')).data
    const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' })
    const expect = async (wanted: string, path: string) => {
      await open(page)
      await search(page).fill(wanted)
      await options(page).first().waitFor()
      await page.keyboard.press('Enter')
      await until(`${wanted} is open`, async () => page.url().endsWith(`/console/test/${path}`))
    }
    await page.goto(`${api.url}/console/test/setup`)
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await expect(id, `inbox/all/${id}`)
    await expect(message.id, `inbox/all/${id}#${message.id}`)
    await page.locator(`[data-message="${message.id}"]:focus`).waitFor()
    await expect(personId, `people/${personId}`)
    await expect(event.id, `engineering/events/${event.id}`)
    const { id: tagId } = succeeded(await world.test.post('/v1/tags', { name: 'vip' }))
    await expect(tagId, `setup/tags/${tagId}`)
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')

    const agent = await atDesk(api, world, 'open', 'Mary Jackson')
    await open(agent.page)
    for (const hidden of [event.id, tagId, 'Webhooks']) {
      await search(agent.page).fill(hidden)
      await palette(agent.page).getByText('Nothing found').waitFor()
    }
  })

  test('applies macros with their preview, inserts templates, adds tags and assigns, in the open conversation', async () => {
    const world = await api.world()
    const { id } = await asked(world)
    succeeded(
      await world.test.post('/v1/macros', {
        name: 'Refund now',
        actions: [{ type: 'set_priority', priority: 'urgent' }],
      }),
    )
    succeeded(await world.test.post('/v1/message_templates', { name: 'Greeting', body: 'Good morning!' }))
    succeeded(await world.test.post('/v1/tags', { name: 'billing' }))
    const { page } = await atConversation(api, world, id)
    const conversationNow = async () => succeeded(await world.test.get(`/v1/conversations/${id}`))

    await open(page)
    assert.equal(await options(page).filter({ hasText: 'Refund now' }).count(), 0)
    await pick(page, 'greet', 'Greeting')
    await written(page, 'Good morning!')
    await page.locator('textarea:focus').waitFor()
    await composer(page).fill('')

    await open(page)
    await pick(page, 'billing', 'Add tag: billing')
    await until('it has the tag', async () => (await conversationNow()).tags.includes('billing'))
    await open(page)
    await pick(page, 'to ada', 'Assign to Ada Lovelace')
    await until('it is assigned', async () => (await conversationNow()).assignee_id !== null)
    await open(page)
    await pick(page, 'urgent', 'Priority: Urgent')
    await until('it is urgent', async () => (await conversationNow()).priority === 'urgent')
    succeeded(await world.test.patch(`/v1/conversations/${id}`, { priority: 'low' }))

    await open(page)
    await pick(page, 'refund', 'Refund now')
    const dialog = page.getByRole('dialog', { name: /Refund now/ })
    await dialog.getByText('Urgent').first().waitFor()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await until('it was applied', async () => (await conversationNow()).priority === 'urgent')
  })

  test('lists what was used last first, and something dangerous never first', async () => {
    const world = await api.world()
    const { id } = await asked(world)
    const { page } = await atConversation(api, world, id)
    const labels = () => options(page).allInnerTexts()
    const orders = new Set<string>()
    for (let opened = 0; opened < 3; opened++) {
      await page.reload()
      await ready(page)
      await page.getByRole('complementary', { name: 'Details' }).getByText('Grace Hopper').first().waitFor()
      await open(page)
      await options(page).filter({ hasText: 'Block…' }).waitFor({ state: 'attached' })
      orders.add((await labels()).join('\n'))
    }
    assert.equal(orders.size, 1)
    const all = (await labels()).map((each) => each.split('\n')[0])
    assert.deepEqual(all.slice(-3).sort(), ['Block…', 'Close for good…', 'Sign out'])

    await search(page).fill('lo')
    assert.equal(await options(page).filter({ hasText: 'Block…' }).count(), 0)
    await search(page).fill('blo')
    await options(page).first().filter({ hasText: 'Block…' }).waitFor()
    await search(page).fill('')
    await pick(page, 'mark as', 'Mark as unread')
    await open(page)
    const recent = group(page, 'Recent').getByRole('option')
    await recent.first().filter({ hasText: 'Mark as unread' }).waitFor()
    await search(page).fill('grace')
    await group(page, 'People').getByRole('option').click()
    await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
    await open(page)
    await recent.first().filter({ hasText: 'Grace Hopper' }).waitFor()
    // The browser keeps ids, and no name.
    const stored = await page.evaluate(() => JSON.stringify(localStorage))
    assert.ok(stored.includes('backline.used.test') && !stored.includes('Grace'), stored)
    await page.keyboard.press('Escape')
    await page.goto(`${api.url}/console/live/inbox/open`)
    await page.getByRole('heading', { name: 'Open', exact: true }).waitFor()
    await open(page)
    assert.equal(await group(page, 'Recent').count(), 0)
  })

  test('keeps what it has found until the answers for the next word are there, and says what failed', async () => {
    const world = await api.world()
    await asked(world, 'Printer on fire')
    const { page } = await atDesk(api, world, 'open')
    await open(page)
    await search(page).fill('printer')
    const hit = options(page).filter({ hasText: 'Printer on fire' })
    await hit.waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/v1/conversations?*q=printer+on*', async (route) => {
      await held
      await route.abort('connectionrefused')
    })
    const request = page.waitForRequest(/q=printer\+on/)
    await search(page).fill('printer on')
    await request
    assert.equal(await hit.count(), 1)
    release()
    const failure = palette(page).getByRole('alert')
    await failure.getByText(/Not everything was searched/).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await failure.getByRole('button', { name: 'Try again' }).click()
    await hit.waitFor()
    await failure.waitFor({ state: 'detached' })
    await palette(page).getByRole('status').filter({ hasText: '1 result' }).waitFor({ state: 'attached' })
  })

  test('leads to views, and sets the status, the theme and the language', async () => {
    const world = await api.world()
    succeeded(
      await world.test.post('/v1/views', {
        name: 'Angry people',
        filter: { field: 'priority', op: 'is', value: 'urgent' },
      }),
    )
    const { page, operatorId } = await atDesk(api, world, 'open')
    await open(page)
    await pick(page, 'angry', 'Angry people')
    await page.getByRole('heading', { name: 'Angry people' }).waitFor()
    await open(page)
    await pick(page, 'on hold', 'On hold')
    await page.getByRole('heading', { name: 'On hold' }).waitFor()
    await open(page)
    await pick(page, 'online', 'Set yourself: Online')
    await until(
      'the operator is online',
      async () => succeeded(await world.test.get(`/v1/operators/${operatorId}`)).status === 'online',
    )
    await open(page)
    await pick(page, 'dark', 'Dark theme')
    await page.locator('html[data-theme=dark]').waitFor()
    await open(page)
    await pick(page, 'deutsch', 'Language: Deutsch')
    await page.locator('html[lang=de]').waitFor()
    await page.keyboard.press('Control+k')
    await photograph(page, 'palette-german-dark')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('is opened by a button on a phone', async () => {
    const world = await api.world()
    const phone = { viewport: { width: 390, height: 844 } }
    const { page } = await atDesk(api, world, 'open', 'Ada Lovelace', phone)
    await page.getByRole('banner').getByRole('button', { name: 'Commands' }).click()
    await pick(page, 'articles', 'Articles')
    await page.getByRole('heading', { name: 'Articles', exact: true }).waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Commands' }).click()
    await search(page).waitFor()
    await photograph(page, 'palette-phone')
    assert.deepEqual(await violationsOn(page), [])
  })
})

describe('the list of keys', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('is shown by its key, the menu of the account and a command, with the keys of the page', async () => {
    const world = await api.world()
    const { id } = await asked(world)
    const { page } = await atConversation(api, world, id)
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await composer(page).fill('Why?')
    await written(page, 'Why?')
    assert.equal(await dialog.count(), 0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    for (const label of [
      'Resolve',
      'Next in the list',
      'Send and resolve',
      'Select all that are loaded',
      'Bold',
    ])
      await dialog.getByText(label, { exact: true }).waitFor()
    await photograph(page, 'keys')
    assert.deepEqual(await violationsOn(page), [])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.goto(`${api.url}/console/test/people`)
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: /Keyboard shortcuts/ }).click()
    await dialog.getByText('Next in the list', { exact: true }).waitFor()
    assert.equal(await dialog.getByText('Resolve', { exact: true }).count(), 0)
    await page.keyboard.press('Escape')
    await open(page)
    await pick(page, 'keyboard', 'Keyboard shortcuts')
    await dialog.waitFor()
  })
})
