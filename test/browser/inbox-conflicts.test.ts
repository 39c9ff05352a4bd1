import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Body, conversation, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse } from './console.ts'
import {
  atConversation,
  atDesk,
  composer,
  details,
  pick,
  press,
  ready,
  thread,
  toast,
  written,
} from './inbox.ts'

const api = service({ works: true })

const ask = (world: World, fields: object = {}): Promise<Body> =>
  conversation(world.test, {
    subject: 'Card declined',
    message: { body: 'It was declined twice.' },
    ...fields,
  })

/** A person whose page does not hear of changes: the others are always a moment faster. */
async function unawareAt(world: World, id: string) {
  const person = await atDesk(api, world, 'open')
  await person.page.route('**/v1/events/stream**', (route) => route.abort('aborted'))
  await person.page.goto(`${api.url}/console/test/inbox/open/${id}`)
  await ready(person.page)
  return person
}

/** Answers writes to a path as the server answers what the state of the object does not allow. */
async function refuse(page: Page, path: string): Promise<void> {
  const problem = {
    type: 'about:blank',
    title: 'The action is not possible in this state',
    status: 409,
    code: 'invalid_transition',
    detail: 'It cannot be changed now.',
    params: {},
    errors: [],
  }
  await page.route(`**${path}`, (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          body: JSON.stringify(problem),
        }),
  )
}

describe('two people at one conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('who comes second is told who did what, and nothing of it is overwritten', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const grace = await atConversation(api, world, id, 'Grace Hopper')
    const ada = await unawareAt(world, id)
    await composer(ada.page).fill('My half of an answer')
    await grace.page.getByRole('button', { name: 'Take', exact: true }).click()
    await grace.page.getByRole('button', { name: 'Take', exact: true }).waitFor({ state: 'detached' })
    await press(ada.page, 'p')
    await pick(ada.page, 'urg', 'Urgent')
    await toast(ada.page, 'Somebody was faster').getByText('Grace Hopper: took it.').waitFor()
    await ada.page.getByRole('button', { name: 'Priority: Normal' }).waitFor()
    await ada.page.getByRole('button', { name: 'Assign: Grace Hopper' }).waitFor()
    const { assignee_id, priority } = await shown(world.test, id)
    assert.deepEqual([assignee_id, priority], [grace.operatorId, 'normal'])
    await written(ada.page, 'My half of an answer')
    await press(ada.page, 'p')
    await pick(ada.page, 'urg', 'Urgent')
    await until('it is urgent', async () => (await shown(world.test, id)).priority === 'urgent')
  })

  test('two people who edit one field: the second sees the other value, keeps theirs, and decides', async () => {
    const world = await api.world()
    const field = { applies_to: 'conversation', key: 'order', name: 'Order', type: 'text' }
    succeeded(await world.test.post('/v1/custom_fields', field))
    const { id } = await ask(world, { custom_fields: { order: 'A-1' } })
    const { page } = await atConversation(api, world, id)
    const side = details(page)
    await side.getByRole('button', { name: 'Order: A-1' }).click()
    await side.getByLabel('Order', { exact: true }).fill('A-2')
    succeeded(await world.test.patch(`/v1/conversations/${id}`, { custom_fields: { order: 'A-3' } }))
    await side.getByRole('button', { name: 'Save' }).click()
    await side.getByText('Somebody changed this meanwhile. It is now: A-3').waitFor()
    assert.equal(await side.getByLabel('Order', { exact: true }).inputValue(), 'A-2')
    assert.equal((await shown(world.test, id)).custom_fields.order, 'A-3')
    await side.getByRole('button', { name: 'Save mine anyway' }).click()
    await side.getByRole('button', { name: 'Order: A-2' }).waitFor()
    assert.equal((await shown(world.test, id)).custom_fields.order, 'A-2')
  })

  test('two people who edit different fields do not disturb each other', async () => {
    const world = await api.world()
    for (const key of ['order', 'shop'])
      succeeded(
        await world.test.post('/v1/custom_fields', {
          applies_to: 'conversation',
          key,
          name: key,
          type: 'text',
        }),
      )
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    const side = details(page)
    await side.getByRole('button', { name: 'Add: order' }).click()
    await side.getByLabel('order', { exact: true }).fill('A-2')
    succeeded(await world.test.patch(`/v1/conversations/${id}`, { custom_fields: { shop: 'Berlin' } }))
    await side.getByRole('button', { name: 'Save' }).click()
    await side.getByRole('button', { name: 'order: A-2' }).waitFor()
    await side.getByRole('button', { name: 'shop: Berlin' }).waitFor()
    assert.deepEqual((await shown(world.test, id)).custom_fields, { order: 'A-2', shop: 'Berlin' })
  })

  test('what was shown at once is taken back if the server refuses it', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const { page } = await atConversation(api, world, id)
    await refuse(page, `/v1/conversations/${id}`)
    await press(page, 'p')
    await pick(page, 'urg', 'Urgent')
    await toast(page, 'The priority was not changed').getByText('It cannot be changed now.').waitFor()
    await page.getByRole('button', { name: 'Priority: Normal' }).waitFor()
    await refuse(page, `/v1/conversations/${id}/claim`)
    await press(page, 'c')
    await toast(page, 'The conversation was not taken').waitFor()
    await page.getByRole('button', { name: 'Assign: Unassigned' }).waitFor()
    await page.getByRole('button', { name: 'Take', exact: true }).waitFor()
  })

  test('a colleague who is typing a reply, and a reply that arrives, leave the own text alone', async () => {
    const world = await api.world()
    const { id } = await ask(world)
    const ada = await atConversation(api, world, id)
    const grace = await atConversation(api, world, id, 'Grace Hopper')
    await composer(ada.page).fill('I think that')
    await composer(grace.page).fill('It works again.')
    await composer(grace.page).press('Control+Enter')
    await thread(ada.page).getByText('It works again.').waitFor()
    await written(ada.page, 'I think that')
    await written(grace.page, '')
  })
})
