import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { conversation, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { canBrowse, type Person, photograph, signInAs } from './console.ts'
import { composer, details, ready, rowOf, thread } from './inbox.ts'

/* Faults of the page itself: an answer that no server gives makes it throw while it draws a part of the page. */

const api = service({ works: true })

const failed = (part: Locator | Page) =>
  part.getByRole('alert').filter({ hasText: 'This part of the page has failed' })

/** Lets the part try again, once the server answers as it should. */
async function tryAgain(page: Page, part: Locator, pattern: string | RegExp): Promise<void> {
  await page.unroute(pattern)
  await failed(part).getByRole('button', { name: 'Try again' }).click()
  await failed(part).waitFor({ state: 'detached' })
}

/** Answers requests for a list by one item that cannot be drawn. */
const breakList = (page: Page, pattern: string | RegExp, item: object | null) =>
  page.route(pattern, (route) =>
    route.fulfill({ json: { data: [item], has_more: false, next_cursor: null } }),
  )

describe('an error of a part of the page', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  let world: World
  let id: string
  let ada: Person
  beforeEach(async () => {
    world = await api.world()
    succeeded(await world.test.post('/v1/end_users', { external_id: 'user_42', name: 'Grace Hopper' }))
    const message = { body: 'It was declined twice.' }
    id = (await conversation(world.test, { subject: 'Card declined', message })).id
  })
  afterEach(() => {
    assert.ok(ada.faults.length > 0, 'an exception was thrown')
    ada.faults.length = 0
  })

  /** Signs in and opens a page. Requests for `pattern` have an answer that cannot be drawn. */
  async function opened(path: string, plant: (page: Page) => Promise<unknown>): Promise<Page> {
    ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' })
    await plant(ada.page)
    await ada.page.goto(`${api.url}/console/test/${path}`)
    return ada.page
  }

  test('in a section of the details leaves the other sections and the composer, and the section can be tried again', async () => {
    const person = '**/v1/end_users/*'
    const page = await opened(`inbox/open/${id}`, (at) =>
      at.route(person, (route) => route.fulfill({ json: {} })),
    )
    await failed(details(page)).waitFor()
    await details(page).getByText('Waiting for').waitFor()
    await composer(page).fill('A reply')
    await photograph(page, 'failed-section')
    await tryAgain(page, details(page), person)
    await details(page).getByText('Grace Hopper').first().waitFor()
    await composer(page).press('Control+Enter')
    await thread(page).getByText('A reply').waitFor()
  })

  test('in a message leaves the composer, the list and the details', async () => {
    const messages = `**/v1/conversations/${id}/messages?*`
    const page = await opened(`inbox/open/${id}`, (at) => breakList(at, messages, { id: 'msg_1', body: {} }))
    const pane = page.getByRole('region', { name: 'Card declined' })
    await failed(pane).waitFor()
    await rowOf(page, 'Card declined').waitFor()
    await composer(page).fill('Not lost')
    await photograph(page, 'failed-thread')
    await tryAgain(page, pane, messages)
    await thread(page).getByText('It was declined twice.').waitFor()
    assert.equal(await composer(page).inputValue(), 'Not lost')
  })

  test('in the list leaves the conversation', async () => {
    const list = /\/v1\/conversations\?(?!.*end_user_id)/
    const page = await opened(`inbox/all/${id}`, (at) => breakList(at, list, { id: 'conv_1', subject: {} }))
    await failed(page).waitFor()
    await ready(page)
    await photograph(page, 'failed-list')
    await tryAgain(page, page.getByRole('main'), list)
    await rowOf(page, 'Card declined').waitFor()
  })

  test('in the navigation of an area leaves the area', async () => {
    const views = '**/v1/views?*'
    const page = await opened('inbox/open', (at) => breakList(at, views, null))
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await failed(navigation).waitFor()
    await rowOf(page, 'Card declined').click()
    await ready(page)
    await tryAgain(page, navigation, views)
    await navigation.getByRole('link', { name: 'Unassigned' }).waitFor()
  })

  test('in an area leaves the other areas, and the area can be tried again', async () => {
    const articles = '**/v1/kb/articles?*'
    const page = await opened('knowledge/articles', (at) => breakList(at, articles, {}))
    await failed(page.getByRole('main')).waitFor()
    await page.getByRole('link', { name: 'Inbox' }).click()
    await rowOf(page, 'Card declined').waitFor()
    assert.equal(await failed(page).count(), 0)
    await page.getByRole('link', { name: 'Knowledge' }).click()
    await failed(page.getByRole('main')).waitFor()
    await tryAgain(page, page.getByRole('main'), articles)
    await page.getByRole('heading', { name: 'Articles', exact: true }).waitFor()
  })

  test('in the detail of a list leaves the list', async () => {
    const [event] = succeeded(await world.test.get('/v1/events?types=conversation.created')).data
    const detail = `**/v1/events/${event.id}`
    const page = await opened(`engineering/events/${event.id}`, (at) =>
      at.route(detail, (route) => route.fulfill({ json: { ...event, data: null } })),
    )
    await failed(page).waitFor()
    await page.getByText('conversation.created').first().waitFor()
    await photograph(page, 'failed-detail')
    await tryAgain(page, page.getByRole('main'), detail)
    await page.getByText('Webhook deliveries').waitFor()
  })

  test('in a panel leaves the page behind it, and the panel can be closed', async () => {
    const { id: departmentId } = succeeded(await world.test.post('/v1/departments', { name: 'Billing' }))
    const members = '**/v1/departments/*/operators?*'
    const page = await opened(`setup/departments/${departmentId}`, (at) =>
      breakList(at, members, { id: 'op_1', name: {} }),
    )
    const panel = page.getByRole('dialog', { name: 'Billing' })
    await failed(panel).waitFor()
    await photograph(page, 'failed-panel')
    await tryAgain(page, panel, members)
    await panel.getByLabel('Add a member').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: 'Billing', exact: true }).waitFor()
  })
})
