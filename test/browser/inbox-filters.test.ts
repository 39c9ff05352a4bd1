import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Body, conversation, succeeded } from '../desk.ts'
import { type Client, service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, signInAs, violationsOn } from './console.ts'
import { atConversation, atDesk, composer, pick, press, ready, rowOf, rows, thread } from './inbox.ts'

const api = service({ works: true })

const bar = (page: Page) => page.getByRole('region', { name: 'Filters of this list' })
const splitter = (page: Page, name: string) => page.getByRole('separator', { name: `Width: ${name}` })
const widthOf = async (page: Page) => (await page.locator('section[aria-label="Open"]').boundingBox())!.width
const listed = (page: Page, count: number) =>
  until(`${count} are listed`, async () => (await rows(page).count()) === count)

/** Adds a condition by the keyboard alone: its field, and one value. */
async function filterBy(page: Page, field: 'Priority' | 'Tags', value: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).waitFor()
  await press(page, 'f')
  await pick(page, field)
  const form = page.getByRole('dialog', { name: 'Filter' })
  await form.getByLabel('Value').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(value)
  if (field === 'Priority') {
    await page.getByRole('option', { name: value }).waitFor()
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: `Remove ${value}` }).waitFor()
  }
  await form.getByRole('button', { name: 'Apply', disabled: false }).focus()
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
}

async function fourConversations({ test: client }: World): Promise<void> {
  for (const [subject, fields] of [
    ['Card declined', { priority: 'urgent', tags: ['vip'] }],
    ['Refund', { priority: 'urgent', tags: ['vip'] }],
    ['Password', { priority: 'urgent' }],
    ['Invoice', { priority: 'low', tags: ['vip'] }],
  ] as const)
    await conversation(client, { subject, message: { body: `About ${subject}` }, ...fields })
}

const view = async (client: Client, fields: object): Promise<string> =>
  succeeded(await client.post('/v1/views', fields)).id

describe('filters of a list', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('an agent narrows a view by conditions, which the address keeps, and follows it live', async () => {
    const world = await api.world()
    await fourConversations(world)
    const { page } = await atDesk(api, world, 'open')
    await listed(page, 4)
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    await filterBy(page, 'Priority', 'Urgent')
    await listed(page, 3)
    await filterBy(page, 'Tags', 'vip')
    await listed(page, 2)
    await bar(page).getByText('2 matches').waitFor()
    assert.deepEqual(await bar(page).getByRole('listitem').allInnerTexts(), ['Priority: Urgent', 'Tags: vip'])
    assert.equal(await bar(page).getByRole('button', { name: 'Save as view' }).count(), 0)
    await bar(page).getByRole('button', { name: 'Clear filters' }).focus() // the tooltip of the button goes
    await page.getByText('F', { exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual(await violationsOn(page), [])
    await page.reload()
    await listed(page, 2)
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    // What comes into the list and leaves it is decided by the filter.
    await conversation(world.test, { subject: 'Fraud', priority: 'urgent', tags: ['vip'] })
    await conversation(world.test, { subject: 'Question', priority: 'low', tags: ['vip'] })
    await rowOf(page, 'Fraud').waitFor()
    await bar(page).getByText('3 matches').waitFor()
    await listed(page, 3)
    // The conversation opens in the narrowed list.
    await rowOf(page, 'Refund').click()
    await page.getByRole('heading', { name: 'Refund' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.has('filter'), true)
    // A condition is changed and removed where it stands.
    await bar(page).getByRole('button', { name: 'Priority: Urgent', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Priority: Urgent' })
    await form.getByRole('combobox', { name: 'Value' }).fill('Low')
    await page.getByRole('option', { name: 'Low' }).click()
    await page.keyboard.press('Tab')
    await form.getByRole('button', { name: 'Apply' }).click()
    await bar(page).getByText('5 matches').waitFor()
    await bar(page).getByRole('button', { name: 'Remove Tags: vip' }).click()
    await bar(page).getByText('6 matches').waitFor()
    await page
      .locator('button:focus')
      .and(page.getByRole('button', { name: 'Remove Priority: Urgent, Low' }))
      .waitFor()
    await bar(page).getByRole('button', { name: 'Clear filters' }).click()
    await bar(page).waitFor({ state: 'detached' })
    await page
      .locator('button:focus')
      .and(page.getByRole('button', { name: 'Filter' }))
      .waitFor()
    assert.equal(new URL(page.url()).searchParams.has('filter'), false)
    await listed(page, 6)
  })

  test('with the words of a search, nothing fits: the page says so, and takes the filters away', async () => {
    const world = await api.world()
    await fourConversations(world)
    const { page } = await atDesk(api, world, 'open?q=invoice')
    await listed(page, 1)
    await filterBy(page, 'Priority', 'Urgent')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await bar(page).getByText('0 matches').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await rowOf(page, 'Invoice').waitFor()
    assert.match(page.url(), /q=invoice$/)
  })

  test('an address with something else in place of a filter shows the whole view', async () => {
    const world = await api.world()
    await fourConversations(world)
    const { page } = await atDesk(api, world, 'open?filter=%7B"all"')
    await listed(page, 4)
    assert.equal(await bar(page).count(), 0)
  })

  test('a lead saves what is listed as a view, and goes to it', async () => {
    const world = await api.world()
    await fourConversations(world)
    const urgent = { all: [{ field: 'priority', op: 'is', value: 'urgent' }] }
    const id = await view(world.test, { name: 'Urgent', filter: urgent, columns: ['tags'] })
    const { page, operatorId } = await signInAs(api, world, { name: 'Grace Hopper', role: 'lead' })
    await page.goto(`${api.url}/console/test/inbox/${id}`)
    await listed(page, 3)
    await filterBy(page, 'Tags', 'vip')
    await listed(page, 2)
    await bar(page).getByRole('button', { name: 'Save as view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as view' })
    assert.deepEqual(await violationsOn(page), [])
    await dialog.getByLabel('Name').fill('Urgent')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor() // the name is taken
    await dialog.getByLabel('Name').fill('Urgent VIPs')
    await dialog.getByLabel('Who sees it').focus()
    await page.keyboard.type('Only')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Urgent VIPs' }).waitFor()
    await listed(page, 2)
    assert.equal(await bar(page).count(), 0)
    const { data } = succeeded(await world.test.get('/v1/views'))
    const saved = data.find(({ name }: Body) => name === 'Urgent VIPs')
    assert.deepEqual(
      [saved.filter, saved.columns, saved.visibility],
      [
        { all: [...urgent.all, { field: 'tags', op: 'contains', value: 'vip' }] },
        ['tags'],
        { operator_ids: [operatorId], department_ids: [] },
      ],
    )
  })

  test('all of a narrowed view are those that the filter chooses', async () => {
    const world = await api.world()
    const subjects = Array.from({ length: 60 }, (_, i) => `Question ${i}`)
    for (const subject of subjects) await conversation(world.test, { subject, priority: 'high' })
    await fourConversations(world)
    const { page } = await atDesk(api, world, 'open')
    await filterBy(page, 'Priority', 'High')
    await bar(page).getByText('60 matches').waitFor()
    await rowOf(page, 'Question 59').hover()
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check()
    await page.getByRole('button', { name: 'Select all 60 of this view' }).waitFor()
  })
})

describe('what a list shows', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('the columns of a view are in its rows, and make a table of a list that is wide', async () => {
    const world = await api.world()
    succeeded(
      await world.test.post('/v1/custom_fields', {
        ...{ applies_to: 'conversation', key: 'plan', name: 'Plan', type: 'text' },
      }),
    )
    await conversation(world.test, { subject: 'Refund', custom_fields: { plan: 'Gold' }, tags: ['vip'] })
    const filter = { field: 'status', op: 'in', value: ['new', 'open'] }
    const columns = ['subject', 'tags', 'custom_fields.plan', 'unknown']
    const id = await view(world.test, { name: 'Refunds', filter, columns })
    const { page } = await atDesk(api, world, id)
    const row = rowOf(page, 'Refund')
    await row.getByText('Gold').waitFor()
    await row.getByText('vip').waitFor()
    assert.equal(await row.getByText('New').count(), 0)
    const heading = page.getByText('Plan', { exact: true }).first()
    assert.equal(await heading.isVisible(), false)
    await splitter(page, 'Conversations').focus()
    await page.keyboard.press('End')
    await heading.waitFor()
    const [above, below] = [await heading.boundingBox(), await row.getByText('Gold').boundingBox()]
    assert.ok(Math.abs(above!.x - below!.x) < 2, `${above!.x} ${below!.x}`)
    assert.deepEqual(await violationsOn(page), [])
  })

  test('the width of the list is dragged, moved by keys and kept, and a double click resets it', async () => {
    const world = await api.world()
    await conversation(world.test, { subject: 'Refund', message: { body: 'Where?' } })
    const { page } = await atDesk(api, world, 'open')
    await rowOf(page, 'Refund').waitFor()
    const usual = await widthOf(page)
    const handle = splitter(page, 'Conversations')
    const box = (await handle.boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + 200]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y, { steps: 3 })
    await page.mouse.up()
    await until('it is wider', async () => Math.abs((await widthOf(page)) - usual - 60) < 2)
    await handle.press('ArrowLeft')
    await until('it is a step narrower', async () => Math.abs((await widthOf(page)) - usual - 44) < 2)
    await page.reload()
    await rowOf(page, 'Refund').waitFor()
    assert.ok(Math.abs((await widthOf(page)) - usual - 44) < 2)
    await handle.press('Home')
    const least = await widthOf(page)
    assert.ok(least >= 250 && least < usual, String(least))
    assert.ok(Number(await handle.getAttribute('aria-valuenow')) < 50)
    await handle.dblclick()
    await until('it is as before', async () => Math.abs((await widthOf(page)) - usual) < 2)
    // The thread keeps room, however wide the list was made.
    await handle.press('End')
    await rowOf(page, 'Refund').click()
    await ready(page)
    assert.ok((await composer(page).boundingBox())!.width > 200)
  })

  test('the id of a conversation or message, and an external id, find it in every view', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, {
      ...{ subject: 'Refund', external_id: 'ticket-4711', message: { body: 'Where?' } },
    })
    await conversation(world.test, { subject: 'Card declined' })
    const { data } = succeeded(await world.test.get(`/v1/conversations/${id}/messages`))
    const { page } = await atDesk(api, world, 'resolved')
    await page.getByRole('heading', { name: 'Nothing is resolved yet' }).waitFor()
    const search = page.getByRole('searchbox')
    for (const typed of [id, data[0].id, 'ticket-4711']) {
      await search.fill(typed)
      await rowOf(page, 'Refund').waitFor()
      assert.equal(await rows(page).count(), 1)
      await search.fill('')
      await page.getByRole('heading', { name: 'Nothing is resolved yet' }).waitFor()
    }
    await search.fill('declined')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await page.getByRole('link', { name: 'Search all conversations' }).click()
    await rowOf(page, 'Card declined').waitFor()
    assert.match(page.url(), /\/all\?q=declined$/)
  })

  test('a name and a subject from right to left stand on the same side', async () => {
    const world = await api.world()
    succeeded(await world.test.post('/v1/end_users', { external_id: 'sara', name: 'سارة' }))
    await conversation(world.test, { external_user_id: 'sara', subject: 'أين طردي' })
    const { page } = await atDesk(api, world, 'open')
    const row = rowOf(page, 'أين طردي')
    await row.waitFor()
    const directions = await page.evaluate<string[]>(
      '[...document.querySelectorAll("[data-row] :is(bdi, [dir=auto])")].map((each) => getComputedStyle(each).direction)',
    )
    assert.deepEqual(directions.slice(0, 2), ['rtl', 'rtl']) // the name and the subject
  })

  test('a template that is inserted and sent is counted, also if its text was changed', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Refund', message: { body: 'Where?' } })
    const template = { name: 'Thanks', body: 'Thank you, {{ conversation.subject }}.' }
    const { id: templateId } = succeeded(await world.test.post('/v1/message_templates', template))
    const { page } = await atConversation(api, world, id)
    await composer(page).fill('/')
    await pick(page, 'Thanks', 'Thanks')
    await until('it is inserted', async () => (await composer(page).inputValue()) === 'Thank you, Refund.')
    await composer(page).press('End')
    await page.keyboard.type(' Bye.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await thread(page).getByText('Thank you, Refund. Bye.').waitFor()
    await until('it is counted', async () => {
      const { usage_count } = succeeded(await world.test.get(`/v1/message_templates/${templateId}`))
      return usage_count === 1
    })
  })
})
