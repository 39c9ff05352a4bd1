import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  act,
  type Body,
  conversation,
  department,
  holdReason,
  operator,
  say,
  shown,
  succeeded,
} from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, violationsOn } from './console.ts'
import {
  atConversation,
  atDesk,
  command,
  composer,
  details,
  pick,
  press,
  ready,
  rowOf,
  thread,
  toast,
} from './inbox.ts'

const api = service({ works: true })

const ask = (world: World, fields: object = {}): Promise<Body> =>
  conversation(world.test, {
    subject: 'Card declined',
    message: { body: 'It was declined twice.' },
    ...fields,
  })

/** Resolves when the server says so. */
const becomes = (world: World, id: string, wanted: object) =>
  until(JSON.stringify(wanted), async () => {
    const now = await shown(world.test, id)
    return Object.entries(wanted).every(
      ([name, value]) => JSON.stringify(now[name]) === JSON.stringify(value),
    )
  })

describe('actions on a conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('keys take it, put it on hold, end the hold, resolve it and reopen it', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    await holdReason(world.test, { name: 'Bank', requires_note: true })
    const { page, operatorId } = await atConversation(api, world, id)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Take').waitFor()
    await press(page, 'c')
    await becomes(world, id, { assignee_id: operatorId, status: 'open' })
    await button('Take').waitFor({ state: 'detached' })

    await press(page, 'h')
    const dialog = page.getByRole('dialog', { name: 'Put on hold' })
    await dialog.getByRole('button', { name: 'Put on hold' }).click()
    const note = dialog.getByRole('textbox', { name: 'Note' })
    if (await note.evaluate((field: { validity?: { valid: boolean } }) => field.validity?.valid ?? true))
      await dialog.getByText('This reason requires a note.').waitFor()
    await note.fill('They look into it')
    await dialog.getByRole('button', { name: 'In 1 h' }).click()
    await dialog.getByRole('button', { name: 'Put on hold' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { status, hold } = await shown(world.test, id)
    assert.deepEqual([status, hold.note], ['on_hold', 'They look into it'])
    await thread(page)
      .getByText(/put it on hold: Bank until .* – They look into it/)
      .waitFor()

    await button('End hold').waitFor()
    await press(page, 'u')
    await becomes(world, id, { status: 'open', hold: null })
    await button('Put on hold').waitFor()
    await press(page, 'e')
    await becomes(world, id, { status: 'resolved' })
    await button('Reopen').waitFor()
    await press(page, 'o')
    await becomes(world, id, { status: 'open' })
    for (const line of ['You took it', 'You ended the hold', 'You resolved it', 'You reopened it'])
      await thread(page).getByText(line).waitFor()
  })

  test('the palette offers the same, and nothing that the state does not allow', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page, operatorId } = await atConversation(api, world, id)
    await page.getByRole('button', { name: 'Take', exact: true }).waitFor()
    await command(page, 'Take')
    await becomes(world, id, { assignee_id: operatorId })
    await command(page, 'Resolve')
    await becomes(world, id, { status: 'resolved' })
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /^Reopen/ }).waitFor()
    assert.equal(await page.getByRole('option', { name: /^(Resolve(?!d)|Take(?! the)|End hold)/ }).count(), 0)
    await page.keyboard.press('Escape')
    await command(page, 'Priority')
    await pick(page, 'urg', 'Urgent')
    await becomes(world, id, { priority: 'urgent' })
  })

  test('it is assigned to a colleague, to a department, and to nobody', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const grace = await operator(world.test, { name: 'Grace Hopper' })
    const billing = await department(world.test, [grace], {
      name: 'Billing',
      assignment: { strategy: 'manual' },
    })
    const { page } = await atConversation(api, world, id)
    await press(page, 'a')
    await pick(page, 'grace', /Grace Hopper/)
    await becomes(world, id, { assignee_id: grace })
    await page.getByRole('button', { name: 'Assign: Grace Hopper' }).waitFor()
    await press(page, 'a')
    await pick(page, 'nob', 'Nobody')
    await becomes(world, id, { assignee_id: null })
    await page.getByRole('button', { name: 'Assign: Unassigned' }).waitFor()
    await press(page, 'a')
    await pick(page, 'bill', 'Billing')
    await becomes(world, id, { department_id: billing })
    assert.equal(await details(page).getByLabel('Department').inputValue(), billing)
    await page.getByRole('button', { name: 'Assign: Unassigned' }).waitFor()
  })

  test('tags are toggled in one list, and a new one is created there', async () => {
    const world = await api.world()
    const { id } = await ask(world, { tags: ['refund'] })
    succeeded(await world.test.post('/v1/tags', { name: 'vip' }))
    const { page } = await atConversation(api, world, id)
    await page.getByRole('button', { name: 'Change tags' }).click()
    await pick(page, 'vip')
    await becomes(world, id, { tags: ['refund', 'vip'] })
    await pick(page, 'refund')
    await becomes(world, id, { tags: ['vip'] })
    await pick(page, 'bank holiday', 'Create “bank holiday”')
    await becomes(world, id, { tags: ['vip', 'bank holiday'] })
    await page.keyboard.press('Escape')
    await page.getByRole('listbox', { name: 'Tags' }).waitFor({ state: 'detached' })
  })

  test('a tag that the server refuses disappears again, and the reason is told', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    await page.getByRole('button', { name: 'Change tags' }).click()
    await pick(page, 'x'.repeat(60), /^Create/)
    await toast(page, 'The tags were not changed').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('x'.repeat(60)).waitFor({ state: 'detached' })
    assert.deepEqual((await shown(world.test, id)).tags, [])
  })

  test('it is merged into another of the same person, which is opened and has the messages of both', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const into = await ask(world, { subject: 'Second card', message: { body: 'This one as well.' } })
    const { page } = await atConversation(api, world, id)
    await press(page, 'm')
    const dialog = page.getByRole('dialog', { name: 'Merge into another conversation' })
    await dialog.getByRole('radio', { name: /Second card/ }).check()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('heading', { name: 'Second card' }).waitFor()
    await thread(page).getByText('This one as well.').waitFor()
    await thread(page).getByText('It was declined twice.').waitFor()
    assert.match(page.url(), new RegExp(into.id))
    const { status, merged_into_id } = await shown(world.test, id)
    assert.deepEqual([status, merged_into_id], ['closed', into.id])
  })

  test('a merge into a conversation that does not exist is refused at its field', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    await press(page, 'm')
    const dialog = page.getByRole('dialog', { name: 'Merge into another conversation' })
    await dialog.getByText('This end user has no other conversation that is not closed.').waitFor()
    await dialog.getByLabel('Or the id of a conversation').fill('conv_01m84er91se009swr9g5p2j6vw')
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.getByRole('alert').waitFor()
    assert.equal(
      await dialog.getByLabel('Or the id of a conversation').inputValue(),
      'conv_01m84er91se009swr9g5p2j6vw',
    )
    assert.equal((await shown(world.test, id)).status, 'new')
  })

  test('a fault that a dialog has no field for is told as a message', async () => {
    const world = await api.world()
    await holdReason(world.test)
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    const problem = { status: 422, code: 'validation_failed', detail: 'It is invalid.', params: {} }
    const errors = [{ pointer: '/other', code: 'invalid', detail: 'is refused' }]
    await page.route('**/v1/conversations/*/hold', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...problem, errors }),
      }),
    )
    await press(page, 'h')
    await page.getByRole('dialog').getByRole('button', { name: 'Hold' }).click()
    await toast(page, 'The conversation was not put on hold').waitFor()
  })

  test('closing for good asks first; a reply to a closed one starts a new conversation, which is offered', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    await act(world.test, id, 'resolve')
    const { page } = await atConversation(api, world, id)
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Close for good…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Close this conversation?' })
    assert.equal((await shown(world.test, id)).status, 'resolved')
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await becomes(world, id, { status: 'closed' })
    await page.getByText('This conversation is closed.').waitFor()
    await composer(page).fill('One more thing')
    await page.getByRole('button', { name: 'Send in a new conversation' }).click()
    await toast(page, 'Sent in a new conversation').getByRole('button', { name: 'Open it' }).click()
    await ready(page)
    await thread(page).getByText('One more thing').waitFor()
    assert.doesNotMatch(page.url(), new RegExp(id))
  })

  test('a dialog belongs to its conversation, and ends when another is opened', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    await ask(world, { subject: 'Second card' })
    const { page } = await atConversation(api, world, id)
    await rowOf(page, 'Second card').click()
    await page.getByRole('heading', { name: 'Second card' }).waitFor()
    await ready(page)
    await press(page, 'm')
    const dialog = page.getByRole('dialog', { name: 'Merge into another conversation' })
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Card declined' }).waitFor()
  })

  test('a key that is held down takes one conversation', async () => {
    const world = await api.world()
    await ask(world)
    await ask(world, { subject: 'Later' })
    const { page } = await atDesk(api, world, 'open')
    await rowOf(page, 'Later').waitFor()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/claim_next')) asked++
    })
    await page.evaluate('document.activeElement?.blur()')
    for (let i = 0; i < 5; i++) await page.keyboard.down('n')
    await page.getByRole('heading', { name: 'Card declined' }).waitFor()
    for (let i = 0; i < 5; i++) await page.keyboard.down('n')
    await page.keyboard.up('n')
    await ready(page)
    assert.equal(asked, 1)
  })

  test('the conversation that has waited longest is taken and opened; without one this is said', async () => {
    const world = await api.world()
    const first = await ask(world)
    await ask(world, { subject: 'Later' })
    const { page, operatorId } = await atDesk(api, world, 'open')
    await rowOf(page, 'Later').waitFor()
    await press(page, 'n')
    await page.getByRole('heading', { name: 'Card declined' }).waitFor()
    await becomes(world, first.id, { assignee_id: operatorId })
    assert.match(page.url(), new RegExp(`/mine/${first.id}`))
    await press(page, 'n')
    await page.getByRole('heading', { name: 'Later' }).waitFor()
    await press(page, 'n')
    await toast(page, 'No conversation is waiting').waitFor()
  })

  test('an operator who is archived keeps their name on conversations and messages', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const grace = await operator(world.test, { name: 'Grace Hopper' })
    await act(world.test, id, 'assign', { assignee_id: grace })
    await say(world.test, id, 'operator', { operator_id: grace, body: 'We look into it.' })
    await say(world.test, id, 'end_user', { body: 'Thank you.' })
    succeeded(await world.test.patch(`/v1/operators/${grace}`, { archived: true }))
    const { page } = await atConversation(api, world, id)
    await page.getByRole('button', { name: 'Assign: Grace Hopper' }).waitFor()
    await thread(page)
      .getByRole('article')
      .filter({ hasText: 'Grace Hopper' })
      .getByText('We look into it.')
      .waitFor()
    await rowOf(page, 'Card declined').getByText('Assigned to Grace Hopper').waitFor({ state: 'attached' })
    await press(page, 'a')
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor()
    assert.equal(await page.getByRole('option', { name: /Grace Hopper/ }).count(), 0)
  })

  describe('with custom fields that are required to resolve', () => {
    const field = (world: World, fields: object) =>
      world.test
        .post('/v1/custom_fields', { applies_to: 'conversation', required_on: 'resolve', ...fields })
        .then(succeeded)
    const options = [
      { value: 'bug', label: 'A bug' },
      { value: 'question', label: 'A question' },
    ]
    const rootCause = { key: 'root_cause', name: 'Root cause', type: 'select', options }
    const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Required before resolving' })

    test('resolving asks for those without a value, shows faults at them, and then resolves', async () => {
      const world = await api.world()
      await field(world, rootCause)
      await field(world, { key: 'report', name: 'Report', type: 'url' })
      await field(world, { key: 'plan', name: 'Plan', type: 'text' })
      const { id } = await ask(world, { custom_fields: { plan: 'pro' } })
      const { page } = await atConversation(api, world, id)
      const dialog = dialogOf(page)
      await press(page, 'e')
      await dialog.getByLabel('Root cause').waitFor()
      assert.equal(await dialog.getByLabel('Plan').count(), 0)
      const resolve = dialog.getByRole('button', { name: 'Resolve' })
      await dialog.getByLabel('Report').fill('not an address')
      await resolve.click()
      await dialog.getByText('Required', { exact: true }).waitFor()
      await photograph(page, 'required-fields')
      assert.deepEqual(await violationsOn(page), [])
      await dialog.getByLabel('Root cause').selectOption({ label: 'A bug' })
      await resolve.click()
      await dialog.getByText('must be an http or https URL').waitFor()
      assert.deepEqual((await shown(world.test, id)).custom_fields, { plan: 'pro' })
      await dialog.getByLabel('Report').fill('https://example.com/17')
      await resolve.click()
      await dialog.waitFor({ state: 'detached' })
      await becomes(world, id, { status: 'resolved' })
      const { custom_fields } = await shown(world.test, id)
      assert.deepEqual(custom_fields, { plan: 'pro', report: 'https://example.com/17', root_cause: 'bug' })
    })

    test('one that became required after the page was opened is asked for, too', async () => {
      const world = await api.world()
      const { id } = await ask(world)
      const person = await atDesk(api, world, 'open')
      await person.page.route('**/v1/events/stream**', (route) => route.abort('aborted'))
      await person.page.goto(`${api.url}/console/test/inbox/open/${id}`)
      await ready(person.page)
      await field(world, rootCause)
      await person.page.getByRole('button', { name: 'Resolve', exact: true }).click()
      const dialog = dialogOf(person.page)
      await dialog.getByLabel('Root cause').selectOption({ label: 'A question' })
      await dialog.getByRole('button', { name: 'Resolve' }).click()
      await becomes(world, id, { status: 'resolved' })
    })

    test('sending and resolving asks first, and sends the message when it is answered', async () => {
      const world = await api.world()
      await field(world, rootCause)
      const { id } = await ask(world)
      const { page } = await atConversation(api, world, id)
      await composer(page).fill('It works again.')
      await page.getByRole('button', { name: 'Send and resolve' }).click()
      const dialog = dialogOf(page)
      await dialog.getByLabel('Root cause').selectOption({ label: 'A bug' })
      assert.equal((await shown(world.test, id)).message_count, 1)
      await dialog.getByRole('button', { name: 'Send and resolve' }).click()
      await thread(page).getByText('It works again.').waitFor()
      await becomes(world, id, { status: 'resolved', custom_fields: { root_cause: 'bug' } })
    })

    test('a macro that cannot resolve says in its dialog which field is missing', async () => {
      const world = await api.world()
      await field(world, rootCause)
      succeeded(await world.test.post('/v1/macros', { name: 'Done', actions: [{ type: 'resolve' }] }))
      const { id } = await ask(world)
      const { page } = await atConversation(api, world, id)
      await press(page, 'y')
      await pick(page, 'Done')
      const dialog = page.getByRole('dialog', { name: /Done/ })
      await dialog.getByText('Required before the conversation is resolved: Root cause.').waitFor()
    })
  })
})
