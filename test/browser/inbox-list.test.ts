import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { act, type Body, conversation, holdReason, say, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { config } from '../sla-fixtures.ts'
import { canBrowse, photograph, signInAs } from './console.ts'
import { atDesk, composer, press, ready, rowOf, rows, thread } from './inbox.ts'

const api = service({ works: true })

const many = 2_000
const atOnce = 8
/** Time for forty pages on a busy machine. */
const pagesWithinMs = 180_000

const scroller = (page: Page) => page.getByRole('list', { name: 'Conversations' }).locator('..')
const count = (page: Page, view: string) =>
  page.getByRole('list', { name: 'Views' }).getByRole('link', { name: new RegExp(`^${view}`) })
const focused = (page: Page) => page.locator('a[data-row]:focus')

describe('a list of 2,000 conversations', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  let world: World
  before(async () => {
    world = await api.world()
    let next = 1
    const write = async () => {
      while (next <= many) await conversation(world.test, { subject: `Question ${next++}` })
    }
    await Promise.all(Array.from({ length: atOnce }, write))
  })

  test('has as many elements as are visible, down to its last row', async () => {
    const { page } = await atDesk(api, world, 'all?sort=created_at', 'Ada Lovelace')
    await rows(page).first().waitFor()
    await count(page, 'All').getByText('1,000+').waitFor()
    const reachEnd = async () => {
      await scroller(page).evaluate((element: { scrollTop: number; scrollHeight: number }) => {
        element.scrollTop = element.scrollHeight
      })
      return (await page.locator(`li[aria-posinset="${many}"]`).count()) === 1
    }
    await until('the end is reached', reachEnd, pagesWithinMs)
    assert.ok((await rows(page).count()) < 60)
    assert.equal(await page.locator(`li[aria-posinset="${many}"]`).getAttribute('aria-setsize'), String(many))
    await page.locator(`li[aria-posinset="${many}"]`).getByRole('link').click()
    await page.getByRole('heading', { name: /^Question \d+/ }).waitFor()
  })

  test('j and k move through it, and Enter opens', async () => {
    const { page } = await atDesk(api, world, 'all?sort=created_at', 'Grace Hopper')
    await rows(page).first().waitFor()
    for (let i = 1; i <= 70; i++) {
      await page.keyboard.press('j')
      await page.locator(`li[aria-posinset="${i}"] a[data-row]:focus`).waitFor()
    }
    for (let i = 69; i >= 60; i--) {
      await page.keyboard.press('k')
      await page.locator(`li[aria-posinset="${i}"] a[data-row]:focus`).waitFor()
    }
    const subject = (await focused(page).innerText()).match(/Question \d+/)![0]
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: subject, exact: true }).waitFor()
    await ready(page)
  })

  test('the search finds by words, keeps its words in the address, and the order can be changed', async () => {
    const { page } = await atDesk(api, world, 'all', 'Mary Jackson')
    await rows(page).first().waitFor()
    await press(page, '/')
    await page.keyboard.type('question ')
    await page.waitForURL(/q=question$/)
    await page.keyboard.type('1234')
    await until('one is found', async () => (await rows(page).count()) === 1)
    assert.match(await rows(page).innerText(), /Question 1234/)
    assert.match(page.url(), /q=question\+1234/)
    await page.reload()
    await until('one is found', async () => (await rows(page).count()) === 1)
    await page.getByRole('searchbox').fill('no such words')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await page.getByRole('searchbox').fill('')
    await until('all are back', async () => (await rows(page).count()) > 5)
    const newest = await rows(page).first().innerText()
    await page.getByLabel('Order').selectOption('Oldest')
    await until('the order is another', async () => (await rows(page).first().innerText()) !== newest)
    assert.match(page.url(), /sort=created_at/)
  })

  test('a next page that cannot be read is asked for once, and again when somebody wants it', async () => {
    const { page } = await atDesk(api, world, 'open', 'Dorothy Vaughan')
    await rows(page).first().waitFor()
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    let asked = 0
    const nextPages = /\/v1\/conversations\?.*cursor=/
    await page.route(nextPages, (route) => {
      asked++
      const json = { code: 'parameter_invalid', status: 422, title: 'Not today', errors: [] }
      return route.fulfill({ status: 422, contentType: 'application/problem+json', json })
    })
    await scroller(page).evaluate((element: { scrollTop: number; scrollHeight: number }) => {
      element.scrollTop = element.scrollHeight
    })
    const failed = page.getByRole('alert').filter({ hasText: 'This could not be loaded' })
    await failed.waitFor()
    await page.locator('li[aria-posinset="50"]').waitFor()
    assert.equal(asked, 1)
    await page.unroute(nextPages)
    await failed.getByRole('button', { name: 'Try again' }).click()
    await failed.waitFor({ state: 'detached' })
    await page.locator('li[aria-posinset="51"]').waitFor()
  })

  test('what arrives while somebody reads further down is counted, and shown when they want it', async () => {
    const { page } = await atDesk(api, world, 'open', 'Katherine Johnson')
    await rows(page).first().waitFor()
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    await scroller(page).evaluate((element: { scrollTop: number }) => {
      element.scrollTop = 1_500
    })
    await page.locator('li[aria-posinset="18"]').waitFor()
    const before = await rows(page).first().getAttribute('href')
    await conversation(world.test, { subject: 'A new one', message: { body: 'Hello' } })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    assert.equal(await rows(page).first().getAttribute('href'), before)
    await page.getByRole('button', { name: '1 new' }).click()
    await rowOf(page, 'A new one').waitFor()
    await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' })
  })
})

describe('a list as the desk works', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a new conversation appears, and the numbers of the views follow', async () => {
    const world = await api.world()
    const { page } = await atDesk(api, world, 'open')
    await page.getByRole('heading', { name: 'No conversations yet' }).first().waitFor()
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    const { id } = await conversation(world.test, { subject: 'Card declined', message: { body: 'Twice.' } })
    await rowOf(page, 'Card declined').getByText('1 unread message').waitFor({ state: 'attached' })
    for (const view of ['Open', 'Unassigned', 'All'])
      await count(page, view).getByText('1', { exact: true }).waitFor()
    await conversation(world.test, { subject: 'Refund', message: { body: 'Where?' } })
    await rowOf(page, 'Refund').waitFor()
    assert.match(await rows(page).first().innerText(), /Refund/)
    await say(world.test, id, 'end_user', { body: 'Still.' })
    await until('the latest message is first', async () =>
      /Card declined/.test(await rows(page).first().innerText()),
    )
    await act(world.test, id, 'resolve')
    await rowOf(page, 'Card declined').waitFor({ state: 'detached' })
    await count(page, 'Resolved').getByText('1', { exact: true }).waitFor()
    await count(page, 'Open').getByText('1', { exact: true }).waitFor()
  })

  test('a message changes the row of its conversation to what the server has, without a request for it', async () => {
    const world = await api.world()
    await config(world.test, { targets: [{ next_response_seconds: 120 }] })
    const { id } = await conversation(world.test, { subject: 'Card declined', message: { body: 'Twice.' } })
    const { id: other } = await conversation(world.test, { subject: 'Refund', message: { body: 'Where?' } })
    await say(world.test, id, 'operator', { set_status: 'open' })
    const { page } = await atDesk(api, world, 'open')
    const row = rowOf(page, 'Card declined')
    await row.getByText('Hello').waitFor()
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    assert.equal(await row.getByTitle(/^Next response/).count(), 0)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes(`/v1/conversations/${id}`))
        asked.push(`${request.method()} ${request.url()}`)
    })
    await say(world.test, id, 'end_user', { body: 'Still.' })
    await row.getByText('1 unread message').waitFor({ state: 'attached' })
    await row.getByText('Still.').waitFor()
    await row.getByTitle(/^Next response/).waitFor()
    const { last_message_at } = await shown(world.test, id)
    assert.equal(await row.locator('time').getAttribute('datetime'), last_message_at)
    // The views are counted again some seconds after a change: later than anything that the message could cause.
    const counted = page.waitForResponse(/\/v1\/views\/counts\?/)
    succeeded(await world.test.patch(`/v1/conversations/${other}`, { priority: 'high' }))
    await counted
    assert.deepEqual(asked, [])
  })

  for (const [what, isOld] of [
    ['after a change of which no event arrived', false],
    ['without the fields of its conversation, of an older server,', true],
  ] as const)
    test(`the event of a message ${what} has the conversation read again`, async () => {
      const world = await api.world()
      const { id } = await conversation(world.test, { subject: 'Card declined', message: { body: 'Twice.' } })
      await say(world.test, id, 'operator', { set_status: 'open' })
      const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
      const sent = Promise.withResolvers<object>()
      await page.route('**/v1/events/stream**', async (route) => {
        const body = `id: cursor\ndata: ${JSON.stringify(await sent.promise)}\n\n`
        await route.fulfill({ contentType: 'text/event-stream', body })
      })
      await page.goto(`${api.url}/console/test/inbox/open`)
      const row = rowOf(page, 'Card declined')
      await row.waitFor()
      succeeded(await world.test.patch(`/v1/conversations/${id}`, { subject: 'Card stolen' }))
      await say(world.test, id, 'end_user', { body: 'Still.' })
      const { data } = succeeded(await world.test.get(`/v1/events?conversation_id=${id}&limit=100`))
      const event = data.findLast(({ type }: Body) => type === 'message.created')
      if (isOld) delete event.data.conversation
      sent.resolve(event)
      await rowOf(page, 'Card stolen').getByText('1 unread message').waitFor({ state: 'attached' })
    })

  test('what happened while another area was open is there after the return', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Card declined', message: { body: 'Twice.' } })
    const { page } = await atDesk(api, world, `open/${id}`)
    await ready(page)
    await page.getByRole('link', { name: 'Knowledge' }).click()
    await page.getByRole('heading', { name: 'Articles' }).first().waitFor()
    await say(world.test, id, 'end_user', { body: 'Still.' })
    await page.goBack()
    await thread(page).getByText('Still.').waitFor()
  })

  test('a message that arrives while the thread is being read is not lost', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Card declined', message: { body: 'Twice.' } })
    const { page } = await atDesk(api, world, 'open')
    await rowOf(page, 'Card declined').waitFor()
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    const isRead = Promise.withResolvers<void>()
    const hasArrived = Promise.withResolvers<void>()
    const delay = async (route: Route) => {
      const response = await route.fetch()
      isRead.resolve()
      await hasArrived.promise
      await route.fulfill({ response })
    }
    await page.route(/\/messages\?.*sort=/, delay, { times: 1 })
    await rowOf(page, 'Card declined').click()
    await isRead.promise
    await say(world.test, id, 'end_user', { body: 'Still.' })
    await rowOf(page, 'Card declined').getByText('1 unread message').waitFor({ state: 'attached' })
    hasArrived.resolve()
    await thread(page).getByText('Still.').waitFor()
  })

  test('each view has its conversations; a resolved one stays in sight until another is opened', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Card declined', message: { body: 'Twice.' } })
    await conversation(world.test, { subject: 'Refund', message: { body: 'Where?' } })
    const filter = { all: [{ field: 'subject', op: 'contains', value: 'refund' }] }
    succeeded(await world.test.post('/v1/views', { name: 'Refunds', applies_to: 'conversation', filter }))
    const { page } = await atDesk(api, world, `open/${id}`)
    await ready(page)
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await rowOf(page, 'Card declined').getByText('Resolved').waitFor()
    await rowOf(page, 'Refund').click()
    await rowOf(page, 'Card declined').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^Resolved/ }).click()
    await rowOf(page, 'Card declined').waitFor()
    assert.equal(await rowOf(page, 'Refund').count(), 0)
    await page.getByRole('link', { name: /^Mine/ }).click()
    await page.getByRole('heading', { name: 'Nothing to do' }).waitFor()
    await page.getByRole('link', { name: /^Refunds/ }).click()
    await page.getByRole('heading', { name: 'Refunds' }).waitFor()
    await rowOf(page, 'Refund').click()
    await composer(page).waitFor()
    assert.equal(await rowOf(page, 'Card declined').count(), 0)
  })
})

describe('a list that somebody works on', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  /** Creates conversations, of which the first is the newest. */
  async function created(world: World, count: number, fields: (i: number) => object = () => ({})) {
    const ids: string[] = []
    for (let i = count; i >= 1; i--) {
      const message = { body: 'Hello' }
      ids.unshift((await conversation(world.test, { subject: `Question ${i}`, message, ...fields(i) })).id)
    }
    return ids
  }
  const subjects = async (page: Page) =>
    (await rows(page).allInnerTexts()).map((text) => Number(text.match(/Question (\d+)/)?.[1]))
  const isFocused = (page: Page, number: number) =>
    focused(page)
      .filter({ hasText: new RegExp(`Question ${number}(?!\\d)`) })
      .waitFor()

  test('a row stays where it is when its conversation is answered, and j goes to the one that followed', async () => {
    const world = await api.world()
    await created(world, 8)
    const { page } = await atDesk(api, world, 'open')
    await rowOf(page, 'Question 6').click()
    await ready(page)
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    await press(page, 'r')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('Please try again.')
    await page.keyboard.press('Control+Enter')
    await rowOf(page, 'Question 6').getByText('Pending').waitFor()
    assert.deepEqual(await subjects(page), [1, 2, 3, 4, 5, 6, 7, 8])
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await isFocused(page, 7)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Question 7' }).waitFor()
    await rowOf(page, 'Question 6').waitFor({ state: 'detached' })
    await page.keyboard.press('k')
    await isFocused(page, 5)
  })

  test('a row that leaves the order by deadlines keeps its place, and j goes to the one that followed', async () => {
    const world = await api.world()
    await config(world.test, { targets: [{ priority: null, first_response_seconds: 3_600 }] })
    const ids = await created(world, 5)
    await holdReason(world.test, { name: 'Bank' })
    const { page } = await atDesk(api, world, 'unassigned')
    await rows(page).nth(4).waitFor()
    // The oldest is due first.
    assert.deepEqual(await subjects(page), [5, 4, 3, 2, 1])
    await rowOf(page, 'Question 4').click()
    await ready(page)
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    await page.getByRole('button', { name: 'Take', exact: true }).waitFor()
    await press(page, 'c')
    await page.getByRole('button', { name: 'Take', exact: true }).waitFor({ state: 'detached' })
    await press(page, 'h')
    const dialog = page.getByRole('dialog', { name: 'Put on hold' })
    await dialog.getByRole('button', { name: 'Put on hold' }).click()
    await dialog.waitFor({ state: 'detached' })
    await rowOf(page, 'Question 4').getByText('On hold').waitFor()
    // A message to another conversation is an event by which a list can be sorted again.
    await say(world.test, ids[0]!, 'end_user', { body: 'Still.' })
    await rowOf(page, 'Question 1').getByText('1 unread message').waitFor({ state: 'attached' })
    assert.deepEqual(await subjects(page), [5, 4, 3, 2, 1])
    await press(page, 'j')
    await isFocused(page, 3)
  })

  test('what arrives meanwhile, or comes back, is announced, and shown when they want it', async () => {
    const world = await api.world()
    const ids = await created(world, 3)
    const { page } = await atDesk(api, world, 'open')
    await rowOf(page, 'Question 2').click()
    await ready(page)
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    await act(world.test, ids[2]!, 'resolve')
    await rowOf(page, 'Question 3').waitFor({ state: 'detached' })
    await conversation(world.test, { subject: 'Question 9', message: { body: 'Hello' } })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await act(world.test, ids[2]!, 'reopen')
    await page.getByRole('button', { name: '2 new' }).waitFor()
    assert.deepEqual(await subjects(page), [1, 2])
    await page.getByRole('button', { name: '2 new' }).click()
    await rowOf(page, 'Question 9').waitFor()
    assert.deepEqual(await subjects(page), [9, 1, 2, 3])
  })

  test('a saved view with a long name does not hide the counts', async () => {
    const world = await api.world()
    await conversation(world.test, { subject: 'Refund', message: { body: 'Where?' } })
    const filter = { all: [{ field: 'subject', op: 'contains', value: 'refund' }] }
    for (const name of ['Refunds', 'Refunds of orders that were sent to another country in the last month'])
      succeeded(await world.test.post('/v1/views', { name, applies_to: 'conversation', filter }))
    const { page } = await atDesk(api, world, 'open')
    const links = page.getByRole('list', { name: 'Saved views' }).getByRole('link')
    await links.nth(1).getByText('1', { exact: true }).waitFor()
    const sidebar = (await page.locator('#area-navigation').boundingBox())!
    for (const link of await links.all()) {
      const count = (await link.getByText('1', { exact: true }).boundingBox())!
      assert.ok(count.x + count.width <= sidebar.x + sidebar.width)
    }
    await photograph(page, 'saved-view-with-a-long-name')
  })

  test('each page has a title of its own', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Refund', message: { body: 'Where?' } })
    const { page } = await atDesk(api, world, 'open')
    const titleIs = (title: string) =>
      until(`the title is ${title}`, async () => (await page.title()) === title)
    await titleIs('Open · Backline')
    await page.getByRole('link', { name: /^Mine/ }).click()
    await titleIs('Mine · Backline')
    await page.goto(`${api.url}/console/test/inbox/open/${id}`)
    await titleIs('Refund · Backline')
    await page.goto(`${api.url}/console/test/knowledge/faqs`)
    await titleIs('FAQs · Backline')
  })
})
