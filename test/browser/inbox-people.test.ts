import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, holdReason, say, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { config } from '../sla-fixtures.ts'
import { canBrowse, violationsOn } from './console.ts'
import { atConversation, details, rowOf, thread, toast } from './inbox.ts'

const api = service({ works: true })

const ask = (world: World, fields: object = {}): Promise<Body> =>
  conversation(world.test, {
    subject: 'Card declined',
    message: { body: 'It was declined twice.' },
    ...fields,
  })

const advance = async (world: World, seconds: number) =>
  succeeded(await world.test.post('/v1/test_clock/advance', { seconds }))

describe('the person of a conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('is shown with their addresses, their company, their time of day and their custom fields', async () => {
    const world = await api.world()
    const field = { applies_to: 'end_user', key: 'plan', name: 'Plan', type: 'text' }
    succeeded(await world.test.post('/v1/custom_fields', field))
    const { id: company } = succeeded(await world.test.post('/v1/companies', { name: 'Analytical Engines' }))
    const person = {
      external_id: 'user_42',
      name: 'Mary Jackson',
      emails: [{ address: 'mary@example.com' }],
      timezone: 'Asia/Tokyo',
      language: 'fr',
      company_ids: [company],
    }
    const { id: endUserId } = succeeded(await world.test.post('/v1/end_users', person))
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    const side = details(page).getByRole('region', { name: 'End user' })
    for (const text of ['mary@example.com', 'Analytical Engines', '8 h ahead of you', 'French', 'user_42'])
      await side.getByText(text).first().waitFor()
    await side.getByRole('button', { name: 'Add: Plan' }).click()
    await side.getByLabel('Plan', { exact: true }).fill('Enterprise')
    await side.getByLabel('Plan', { exact: true }).press('Enter')
    await side.getByRole('button', { name: 'Plan: Enterprise' }).waitFor()
    const { custom_fields } = succeeded(await world.test.get(`/v1/end_users/${endUserId}`))
    assert.deepEqual(custom_fields, { plan: 'Enterprise' })
    await details(page).getByLabel('Company').selectOption('Analytical Engines')
    await until('it is chosen', async () => {
      const now = succeeded(await world.test.get(`/v1/conversations/${id}`))
      return now.company_id === company
    })
  })

  test('is blocked with a reason for a time, and unblocked', async () => {
    const world = await api.world()
    const { id, end_user_id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    const side = details(page).getByRole('region', { name: 'End user' })
    const person = async () => succeeded(await world.test.get(`/v1/end_users/${end_user_id}`))
    await side.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Block…' }).click()
    const dialog = page.getByRole('dialog', { name: /^Block / })
    await dialog.getByLabel('Reason').fill('Insults')
    await dialog.getByLabel('The block ends').selectOption('In a day')
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await side.getByText(/^Blocked until/).waitFor()
    await side.getByText('Insults').waitFor()
    const { status, block } = await person()
    assert.deepEqual([status, block.reason], ['blocked', 'Insults'])
    await side.getByRole('button', { name: 'Unblock' }).click()
    await toast(page, 'Unblocked').waitFor()
    assert.equal((await person()).status, 'active')
  })
})

describe('the history of a conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('leads to other conversations of the person', async () => {
    const world = await api.world()
    await ask(world, { subject: 'An earlier one' })
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    await details(page).getByRole('link', { name: 'An earlier one' }).click()
    await page.getByRole('heading', { name: 'An earlier one' }).waitFor()
    await details(page).getByRole('link', { name: 'Card declined' }).waitFor()
  })

  test('has its holds, and its events with who changed what, as they happen', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const reason = await holdReason(world.test, { name: 'Bank' })
    await act(world.test, id, 'hold', { hold_reason_id: reason, note: 'They look into it' })
    const { page } = await atConversation(api, world, id)
    const side = details(page)
    await side.getByRole('button', { name: 'Holds' }).click()
    const holds = side.getByRole('region', { name: 'Holds' })
    await holds.getByText('Bank').waitFor()
    await holds.getByText('They look into it').waitFor()
    await holds.getByText('Now', { exact: true }).waitFor()
    await act(world.test, id, 'resume')
    await holds.getByText('Ended by an operator').waitFor()
    await side.getByRole('button', { name: 'Events' }).click()
    const events = side.getByRole('region', { name: 'Events' })
    await events.getByText('Hold ended').waitFor()
    succeeded(await world.test.patch(`/v1/conversations/${id}`, { priority: 'high' }))
    await events.getByText('Priority: Normal → High').waitFor()
    const field = { applies_to: 'conversation', key: 'order', name: 'Order', type: 'text' }
    succeeded(await world.test.post('/v1/custom_fields', field))
    succeeded(await world.test.patch(`/v1/conversations/${id}`, { custom_fields: { order: 'A-1' } }))
    await events.getByText('Order: – → A-1').waitFor()
    await thread(page).getByText('changed Order').waitFor()
    await events.getByRole('button', { name: /Open raw event: Put on hold/ }).click()
    await page
      .getByRole('dialog', { name: 'conversation.held' })
      .getByText('"hold_reason_id"')
      .first()
      .waitFor()
  })
})

describe('the SLA clocks of a conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('the time line and its table say which time counted, which did not, and why', async () => {
    const world = await api.world()
    const target = { priority: null, first_response_seconds: 14_400, resolution_seconds: 14_400 }
    await config(world.test, { name: 'Gold', targets: [target] })
    const { id } = await ask(world)
    const reason = await holdReason(world.test, { name: 'Bank' })
    await advance(world, 3_600)
    await act(world.test, id, 'hold', { hold_reason_id: reason })
    await advance(world, 7_200)
    await act(world.test, id, 'resume')
    await advance(world, 1_800)
    await say(world.test, id, 'operator')
    const { page } = await atConversation(api, world, id)
    const side = details(page).getByRole('region', { name: 'SLA' })
    await side.getByText('Gold').waitFor()
    // A clock that asks for nothing is one line, which opens its time line.
    const first = side.getByRole('button', { name: /^First response.*Met$/ })
    const drawn = side.getByRole('img', { name: /First response: Met, 1 h 30 min of 4 h counted/ })
    await first.waitFor()
    assert.equal(await drawn.count(), 0)
    await first.click()
    await drawn.waitFor()
    await first.click()
    await drawn.waitFor({ state: 'detached' })
    await side.getByRole('button', { name: /^Resolution 2 h (29|30) min/ }).waitFor()
    await side.getByRole('button', { name: 'Show details' }).click()
    const table = page.getByRole('dialog').getByRole('table', { name: /First response/ })
    await table.waitFor()
    const cells = await table
      .getByRole('row')
      .evaluateAll((all) => all.map((row) => row.innerText.split(/\t|\n/)[0]))
    assert.deepEqual(cells.slice(1), ['Counted', 'On hold', 'Counted'])
    await table.getByRole('row', { name: /On hold.*2 h/ }).waitFor()
    assert.deepEqual(await violationsOn(page), [])
  })

  test('with an advanced clock, list, conversation and time line tell the same delay', async () => {
    const world = await api.world()
    await config(world.test, { name: 'Gold', targets: [{ priority: null, first_response_seconds: 3_600 }] })
    const { id } = await ask(world)
    await advance(world, 7_200)
    const { page } = await atConversation(api, world, id)
    const overdue = /^Overdue by 1 h/
    await rowOf(page, 'Card declined').getByText(overdue).waitFor()
    await page.getByRole('region', { name: 'Card declined' }).getByText(overdue).waitFor()
    const clock = details(page).getByRole('region', { name: 'First response' })
    await clock.getByText('Breached').waitFor()
    assert.match(await clock.innerText(), /Overdue by\s+1 h/)
  })
})
