import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { type Body, conversation, department, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse } from './console.ts'
import { atConversation, details, search } from './inbox.ts'

const api = service({ works: true })

const define = async (world: World, type: string, fields: object = {}): Promise<Body> =>
  succeeded(
    await world.test.post('/v1/custom_fields', {
      applies_to: 'conversation',
      key: type,
      name: `The ${type}`,
      type,
      ...fields,
    }),
  )

async function opened(world: World, fields: object = {}) {
  const subject = { subject: 'Card declined', message: { body: 'It was declined twice.' } }
  const { id } = await conversation(world.test, { ...subject, ...fields })
  const { page, operatorId } = await atConversation(api, world, id)
  const becomes = (name: string, value: unknown) =>
    until(`${name} is ${JSON.stringify(value)}`, async () => {
      const now = await shown(world.test, id)
      return JSON.stringify(now[name]) === JSON.stringify(value)
    })
  return { page, side: details(page), id, operatorId, becomes }
}

/** Types into a field that shows its value as text, and saves it. */
async function type(side: Locator, name: string, value: string): Promise<void> {
  await side.getByRole('button', { name: new RegExp(`(: ${name}$|^${name}: )`) }).click()
  await side.getByLabel(name, { exact: true }).fill(value)
  await side.getByRole('button', { name: 'Save' }).click()
}

describe('the details of a conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('each type of custom field has its editor, and the value is shown as people write it', async () => {
    const world = await api.world()
    const options = [
      { value: 'free', label: 'Free' },
      { value: 'pro', label: 'Professional' },
    ]
    for (const name of ['text', 'number', 'date', 'url', 'boolean']) await define(world, name)
    for (const name of ['select', 'multi_select']) await define(world, name, { options })
    const { page, side, becomes } = await opened(world)
    const values: Record<string, unknown> = {}
    const saved = async (name: string, value: unknown) => {
      values[name] = value
      const ordered = Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
      await becomes('custom_fields', ordered)
    }
    await type(side, 'The text', 'Wants a refund')
    await side.getByRole('button', { name: 'The text: Wants a refund' }).waitFor()
    await saved('text', 'Wants a refund')
    await type(side, 'The number', '1250,5')
    await side.getByRole('button', { name: 'The number: 1,250.5' }).waitFor()
    await saved('number', 1250.5)
    await type(side, 'The date', '2026-12-24')
    await side.getByRole('button', { name: 'The date: Dec 24, 2026' }).waitFor()
    await saved('date', '2026-12-24')
    await type(side, 'The url', 'https://example.com/order')
    await side.getByRole('link', { name: 'Open' }).waitFor()
    await saved('url', 'https://example.com/order')
    await side.getByLabel('The boolean').selectOption('Yes')
    await saved('boolean', true)
    await side.getByLabel('The select', { exact: true }).selectOption('Professional')
    await saved('select', 'pro')
    await side.getByRole('button', { name: /The multi_select/ }).click()
    for (const { label } of options) await page.getByRole('checkbox', { name: label }).check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await side.getByRole('button', { name: 'The multi_select: Free, Professional' }).waitFor()
    await saved('multi_select', ['free', 'pro'])
  })

  test('a value that the field cannot have is refused at the field, and what was typed stays', async () => {
    const world = await api.world()
    await define(world, 'number')
    await define(world, 'url')
    const { side, id } = await opened(world)
    await type(side, 'The number', 'many')
    await side.getByText('Enter a number').waitFor()
    await side.getByRole('button', { name: 'Cancel' }).click()
    await type(side, 'The url', 'example')
    await side.getByRole('alert').waitFor()
    assert.equal(await side.getByLabel('The url', { exact: true }).inputValue(), 'example')
    assert.deepEqual((await shown(world.test, id)).custom_fields, {})
    await side.getByLabel('The url', { exact: true }).press('Escape')
    await side.getByRole('button', { name: 'Add: The url' }).waitFor()
  })

  test('a field that is needed to resolve says so, and is asked for by a dialog that can be left', async () => {
    const world = await api.world()
    await define(world, 'text', { name: 'Root cause', required_on: 'resolve' })
    const { page, side, becomes, id } = await opened(world)
    await side.getByText('Needed to resolve').waitFor()
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Required before resolving' })
    await dialog.getByLabel('Root cause').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await shown(world.test, id)).status, 'new')
    await type(side, 'Root cause', 'Expired card')
    await side.getByText('Needed to resolve').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    await becomes('status', 'resolved')
  })

  test('department, category and language are chosen, and taken away', async () => {
    const world = await api.world()
    const billing = await department(world.test, [], { name: 'Billing', assignment: { strategy: 'manual' } })
    const { id: parent } = succeeded(await world.test.post('/v1/categories', { name: 'Cards' }))
    const declined = { name: 'Declined', parent_id: parent }
    const { id: category } = succeeded(await world.test.post('/v1/categories', declined))
    const { side, becomes } = await opened(world)
    await side.getByLabel('Department').selectOption('Billing')
    await becomes('department_id', billing)
    await side.getByLabel('Category').selectOption('Cards › Declined')
    await becomes('category_id', category)
    await side.getByLabel('Language').selectOption('German')
    await becomes('language', 'de')
    await side.getByLabel('Category').selectOption('–')
    await becomes('category_id', null)
  })

  test('people join the conversation by a search, and leave it after a question', async () => {
    const world = await api.world()
    const people = [
      { name: 'Mary Jackson', emails: [{ address: 'mary@example.com' }] },
      { name: 'Katherine Johnson', external_id: 'user_9' },
    ]
    const ids: string[] = []
    for (const each of people) ids.push(succeeded(await world.test.post('/v1/end_users', each)).id)
    const { page, side, becomes } = await opened(world)
    await side.getByText('Nobody else takes part.').waitFor()
    for (const [i, typed] of ['mary@example.com', 'Katherine'].entries()) {
      await side.getByRole('button', { name: 'Add a participant' }).click()
      // Enter waits for what the search finds.
      await search(page).fill(typed)
      await page.keyboard.press('Enter')
      await side.getByRole('button', { name: `Remove ${people[i]!.name}` }).waitFor()
    }
    await side.getByRole('button', { name: 'Remove Mary Jackson' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove this participant?' })
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await becomes('participant_ids', [ids[1]])
    await side.getByRole('button', { name: 'Remove Mary Jackson' }).waitFor({ state: 'detached' })
  })
})
