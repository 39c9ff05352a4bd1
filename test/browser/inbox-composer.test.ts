import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { type Body, conversation, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse } from './console.ts'
import { atConversation, composer, pick, press, ready, rowOf, thread, toast, written } from './inbox.ts'

const api = service({ works: true })

const ask = (world: World, fields: object = {}): Promise<Body> =>
  conversation(world.test, {
    subject: 'Card declined',
    message: { body: 'It was declined twice.' },
    ...fields,
  })

const messagesOf = async (world: World, id: string): Promise<Body[]> =>
  succeeded(await world.test.get(`/v1/conversations/${id}/messages`)).data

const openMenu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const sendAndResolve = (page: Page) => page.getByRole('button', { name: 'Send and resolve' }).click()

describe('the composer', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a reply is sent by Ctrl+Enter, and the field is empty again; it can resolve the conversation', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page, operatorId } = await atConversation(api, world, id)
    await press(page, 'r')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('Let me check.')
    await page.keyboard.press('Control+Enter')
    await thread(page).getByText('Let me check.').waitFor()
    await written(page, '')
    await composer(page).fill('It works again.')
    await sendAndResolve(page)
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await until('both are sent', async () => (await messagesOf(world, id)).length === 3)
    const [, ...sent] = await messagesOf(world, id)
    assert.deepEqual(
      sent.map(({ body, visibility, operator_id }) => [body, visibility, operator_id]),
      [
        ['Let me check.', 'public', operatorId],
        ['It works again.', 'public', operatorId],
      ],
    )
    assert.equal((await shown(world.test, id)).status, 'resolved')
  })

  test('a reply and a note are drafts apart, of each conversation, and survive a reload', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const other = await ask(world, { subject: 'Refund' })
    const { page } = await atConversation(api, world, id)
    await composer(page).fill('Which version')
    await press(page, 'i')
    await page.getByRole('textbox', { name: 'Note' }).fill('Third time this week')
    await rowOf(page, 'Refund').click()
    await page.getByRole('heading', { name: 'Refund' }).waitFor()
    await written(page, '')
    await page.goto(`${api.url}/console/test/inbox/open/${id}`)
    await ready(page)
    await written(page, 'Third time this week')
    await page.getByRole('tab', { name: 'Reply' }).click()
    await written(page, 'Which version')
    await page.getByRole('tab', { name: 'Note' }).click()
    await page.getByRole('textbox', { name: 'Note' }).press('Control+Enter')
    await thread(page).getByText('Internal note').waitFor()
    await until('it is written', async () => (await messagesOf(world, id)).length === 2)
    const [, note] = await messagesOf(world, id)
    assert.deepEqual([note.body, note.visibility], ['Third time this week', 'internal'])
    assert.equal((await messagesOf(world, other.id)).length, 1)
  })

  test('Markdown is shown as the end user will see it, and its links open in a tab of their own', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    await composer(page).fill('Please read **this page**: [Cards](https://example.com/cards)')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await thread(page).locator('strong', { hasText: 'this page' }).waitFor()
    const link = thread(page).getByRole('link', { name: 'Cards' })
    assert.deepEqual(
      [await link.getAttribute('href'), await link.getAttribute('target'), await link.getAttribute('rel')],
      ['https://example.com/cards', '_blank', 'noopener noreferrer'],
    )
  })

  test('a template gets the values of the conversation, and asks for those that it does not have', async () => {
    const world = await api.world()
    const person = { external_id: 'user_7', name: 'Mary Jackson' }
    succeeded(await world.test.post('/v1/end_users', person))
    const { id } = await ask(world, { external_user_id: 'user_7' })
    const body = 'Hello {{ end_user.name }}, order {{ order.number }} is on its way.'
    succeeded(await world.test.post('/v1/message_templates', { name: 'Shipped', body }))
    const { page } = await atConversation(api, world, id)
    await press(page, 's')
    await pick(page, 'ship', /Shipped/)
    const dialog = page.getByRole('dialog', { name: 'Values for “Shipped”' })
    await dialog.getByLabel('order.number').fill('A-17')
    await dialog.getByRole('button', { name: 'Insert' }).click()
    await written(page, 'Hello Mary Jackson, order A-17 is on its way.')
  })

  test('a template that needs what the conversation cannot have says which variable is missing', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const template = { name: 'Greeting', body: 'Hello {{ end_user.name }}' }
    succeeded(await world.test.post('/v1/message_templates', template))
    const { page } = await atConversation(api, world, id)
    await composer(page).fill('My own words')
    await press(page, 's')
    await pick(page, 'greet', /Greeting/)
    await toast(page, 'The conversation has no value for end_user.name.').waitFor()
    await written(page, 'My own words')
  })

  test('a macro shows what it would change before it is applied, and does just that', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const actions = [
      { type: 'set_priority', priority: 'urgent' },
      { type: 'add_tags', tags: ['fraud'] },
      { type: 'note', body: 'Checked by the macro' },
    ]
    succeeded(await world.test.post('/v1/macros', { name: 'Escalate', actions }))
    const { page } = await atConversation(api, world, id)
    await press(page, 'y')
    await pick(page, 'esc', /Escalate/)
    const dialog = page.getByRole('dialog', { name: 'Apply “Escalate”?' })
    await dialog.getByText('Urgent').waitFor()
    await dialog.getByText('fraud').waitFor()
    await dialog.getByText('Checked by the macro').waitFor()
    assert.equal((await shown(world.test, id)).priority, 'normal')
    await page.keyboard.press('Enter')
    await toast(page, '“Escalate” was applied').waitFor()
    await thread(page).getByText('Checked by the macro').waitFor()
    const { priority, tags, message_count } = await shown(world.test, id)
    assert.deepEqual([priority, tags, message_count], ['urgent', ['fraud'], 2])
  })

  test('a message that is sent later waits where it will be, and can be cancelled', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    await composer(page).fill('A reminder')
    await openMenu(page, 'Send later…')
    const dialog = page.getByRole('dialog', { name: 'Send later…' })
    assert.equal(await dialog.getByRole('button', { name: 'Schedule' }).isDisabled(), true)
    await dialog.getByRole('button', { name: 'In 1 h' }).click()
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await thread(page)
      .getByText(/Will be sent/)
      .waitFor()
    await written(page, '')
    const scheduled = `/v1/conversations/${id}/messages?scheduled=true`
    assert.equal(succeeded(await world.test.get(scheduled)).data[0].body, 'A reminder')
    assert.equal((await messagesOf(world, id)).length, 1)
    await thread(page).getByRole('button', { name: 'Cancel sending' }).click()
    await thread(page)
      .getByText(/Will be sent/)
      .waitFor({ state: 'detached' })
    assert.deepEqual(succeeded(await world.test.get(scheduled)).data, [])
  })
})

const outgoing = (page: Page, text: string) => thread(page).getByRole('article').filter({ hasText: text })

/** Refuses all messages, as the server does it. */
const refuse = (page: Page, id: string) =>
  page.route(`**/v1/conversations/${id}/messages`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          json: {
            type: 'about:blank',
            title: 'Refused',
            status: 422,
            detail: 'Refused by the test',
            code: 'validation_failed',
            request_id: 'req_1',
            errors: [],
            params: {},
          },
        })
      : route.continue(),
  )

describe('a message and a lost connection', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('what could not be sent stays with its reason, and is sent once the connection is back', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page, context } = await atConversation(api, world, id)
    await context.setOffline(true)
    await composer(page).fill('Are you there?')
    await composer(page).press('Control+Enter')
    await thread(page).getByText('Not sent').waitFor()
    await written(page, '')
    assert.equal((await messagesOf(world, id)).length, 1)
    await context.setOffline(false)
    await thread(page).getByText('Not sent').waitFor({ state: 'detached' })
    await until('it is sent', async () => (await messagesOf(world, id)).length === 2)
    assert.equal(await thread(page).getByText('Are you there?').count(), 1)
  })

  test('what may have been sent cannot be edited, and is sent once after a reload', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    const post = async (route: Route) => {
      if (route.request().method() !== 'POST') return route.continue()
      if (route.request().postDataJSON().body === 'First') await route.fetch() // its answer is lost
      return route.abort('connectionreset')
    }
    await page.route('**/v1/events/**', (route) => route.abort('connectionreset')) // nothing tells that it has arrived
    await page.route(`**/v1/conversations/${id}/messages`, post)
    await page.reload()
    await ready(page)
    for (const [i, text] of ['First', 'Second'].entries()) {
      await composer(page).fill(text)
      await composer(page).press('Control+Enter')
      await outgoing(page, text).getByText('Not sent').waitFor()
      // The second one waits for the first, and so cannot have arrived.
      assert.equal(await outgoing(page, text).getByRole('button', { name: 'Edit' }).count(), i)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    await ready(page)
    await until('both are sent', async () => (await messagesOf(world, id)).length === 3)
    await thread(page).getByText('Not sent').waitFor({ state: 'detached' })
    for (const text of ['First', 'Second']) await outgoing(page, text).waitFor()
    const [, ...sent] = await messagesOf(world, id)
    assert.deepEqual(
      sent.map(({ body }) => body),
      ['First', 'Second'],
    )
  })

  test('a reload keeps what was refused; it can be thrown away, or edited together with what was typed since', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    await refuse(page, id)
    for (const text of ['First', 'Second']) {
      await composer(page).fill(text)
      await (text === 'First' ? composer(page).press('Control+Enter') : sendAndResolve(page))
      await outgoing(page, text).getByText('Not sent: Refused by the test').waitFor()
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    await ready(page)
    await outgoing(page, 'First').getByRole('button', { name: 'Discard' }).click()
    await outgoing(page, 'First').waitFor({ state: 'detached' })
    await composer(page).fill('Third')
    await outgoing(page, 'Second').getByRole('button', { name: 'Edit' }).click()
    await written(page, 'Second\n\nThird')
    await page.getByText('Choose “Send and resolve” again').waitFor()
    await sendAndResolve(page)
    await until('it is sent', async () => (await messagesOf(world, id)).length === 2)
    assert.equal((await messagesOf(world, id))[1].body, 'Second\n\nThird')
  })

  test('a message whose answer was lost is sent again with the same key, and is there once', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    const keys: (string | undefined)[] = []
    await page.route(`**/v1/conversations/${id}/messages`, async (route) => {
      const request = route.request()
      if (request.method() !== 'POST') return route.continue()
      keys.push(request.headers()['idempotency-key'])
      await route.fetch()
      return keys.length === 1 ? route.abort('connectionreset') : route.continue()
    })
    await composer(page).fill('Only once')
    await composer(page).press('Control+Enter')
    await until('it is sent again', () => keys.length === 2)
    await thread(page).getByText('Sending…').waitFor({ state: 'detached' })
    assert.equal(keys[0], keys[1])
    assert.equal(await thread(page).getByText('Only once').count(), 1)
    assert.equal((await messagesOf(world, id)).length, 2)
  })
  test('a message whose answers are all lost is not shown as failed once an event tells that it is there', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    let attempts = 0
    await page.route(`**/v1/conversations/${id}/messages`, async (route) => {
      const request = route.request()
      if (request.method() !== 'POST' || request.postDataJSON().body !== 'Only once') return route.continue()
      attempts++
      await route.fetch()
      await thread(page).getByText('Sending…').waitFor({ state: 'detached' })
      return route.abort('connectionreset')
    })
    await composer(page).fill('Only once')
    await composer(page).press('Control+Enter')
    await until('all attempts are made', () => attempts === 3)
    await composer(page).fill('The next one')
    await composer(page).press('Control+Enter')
    await until('it is sent', async () => (await messagesOf(world, id)).length === 3)
    await thread(page).getByText('Sending…').waitFor({ state: 'detached' })
    assert.equal(await outgoing(page, 'Only once').count(), 1)
    assert.equal(await thread(page).getByText('not sent').count(), 0)
  })
})

describe('unsent text and the storage of the browser', {
  skip: !canBrowse && 'Chromium is not installed',
}, () => {
  test('two tabs do not overwrite each other: one writes a reply, the other a note', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page, context } = await atConversation(api, world, id)
    const second = await context.newPage()
    await second.goto(page.url())
    await ready(second)
    await press(second, 'i')
    await composer(page).fill('A reply')
    await composer(second).fill('A note')
    await written(page, 'A reply')
    await composer(second).press('Control+Enter')
    await until('it is sent', async () => (await messagesOf(world, id)).length === 2)
    await second.getByRole('tab', { name: 'Reply' }).click()
    await written(second, 'A reply')
    await composer(second).press('Control+Enter')
    await written(page, '')
    await until('it is sent', async () => (await messagesOf(world, id)).length === 3)
    const [, ...sent] = await messagesOf(world, id)
    assert.deepEqual(
      sent.map(({ body, visibility }) => [body, visibility]),
      [
        ['A note', 'internal'],
        ['A reply', 'public'],
      ],
    )
  })

  test('a message is sent, or stays for another attempt, though the browser refuses to store', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    await page.evaluate(
      `Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }`,
    )
    await refuse(page, id)
    await composer(page).fill('Are you there?')
    await composer(page).press('Control+Enter')
    await thread(page).getByText('Not sent').waitFor()
    await written(page, '')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await thread(page).getByRole('button', { name: 'Try again' }).click()
    await until('it is sent', async () => (await messagesOf(world, id)).length === 2)
    await thread(page).getByText('Not sent').waitFor({ state: 'detached' })
  })
})
