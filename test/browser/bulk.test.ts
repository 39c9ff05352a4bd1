import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { act, type Body, conversation, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, violationsOn } from './console.ts'
import { atDesk, pick, press, rows } from './inbox.ts'

const api = service({ works: true })

const bar = (page: Page) => page.getByRole('region', { name: 'Selected conversations' })
const runs = (page: Page) => page.getByRole('region', { name: 'Bulk changes' })
const mark = (page: Page, subject: string) => page.getByRole('checkbox', { name: `Select “${subject}”` })
const dialog = (page: Page) => page.getByRole('dialog').filter({ has: page.locator('form') })

/** Creates conversations one after the other, so that their order is known: the last one is the first row. */
async function several(world: World, count: number, fields: object = {}): Promise<Body[]> {
  const made = []
  for (let i = 1; i <= count; i++)
    made.push(await conversation(world.test, { subject: `Question ${i}`, ...fields }))
  return made
}

const priorityOf = async (world: World, { id }: Body): Promise<string> =>
  (await shown(world.test, id)).priority
const tagsOf = async (world: World, { id }: Body): Promise<string[]> => (await shown(world.test, id)).tags

/** The bulk jobs, newest first. */
const jobsOf = async (world: World): Promise<Body[]> =>
  succeeded(await world.test.get('/v1/jobs?type=bulk')).data

describe('selecting conversations', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  let world: World
  before(async () => {
    world = await api.world()
    await several(world, 60)
  })

  test('a click marks one, a click with the shift key all from the last one, and Escape none', async () => {
    const { page } = await atDesk(api, world, 'all', 'Ada Lovelace')
    await rows(page).first().waitFor()
    await mark(page, 'Question 59').click()
    await bar(page).getByText('1 selected').waitFor()
    await mark(page, 'Question 55').click({ modifiers: ['Shift'] })
    await bar(page).getByText('5 selected').waitFor()
    await photograph(page, 'bulk-selected')
    assert.deepEqual(await violationsOn(page), [])
    await mark(page, 'Question 57').click()
    await bar(page).getByText('4 selected').waitFor()
    await rows(page)
      .filter({ hasText: 'Question 53' })
      .click({ modifiers: ['Shift'] })
    await bar(page).getByText('7 selected').waitFor()
    await press(page, 'Escape')
    await bar(page).waitFor({ state: 'detached' })
    assert.match(page.url(), /\/inbox\/all$/)
  })

  test('x, shift with an arrow key and Ctrl+A select by keyboard, and a shortcut opens the action', async () => {
    const { page } = await atDesk(api, world, 'all', 'Grace Hopper')
    await rows(page).first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await bar(page).getByText('1 selected').waitFor()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await bar(page).getByText('3 selected').waitFor()
    await page.keyboard.press('x')
    await bar(page).getByText('2 selected').waitFor()
    await page.keyboard.press('Control+a')
    await bar(page).getByText('50 selected').waitFor()
    await page.keyboard.press('p')
    await page.locator('[role=option]').filter({ hasText: 'Urgent' }).waitFor()
    await page.keyboard.press('Escape')
    await bar(page).getByText('50 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })
  })

  test('all of the view are selected by its filter, also those that are not loaded', async () => {
    const { page } = await atDesk(api, world, 'unassigned', 'Mary Jackson')
    await rows(page).first().waitFor()
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click()
    await bar(page).getByText('50 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Select all 60 of this view' }).click()
    await bar(page).getByText('All of this view: 60 conversations').waitFor()
    await photograph(page, 'bulk-all')
    await bar(page).getByRole('button', { name: 'Priority' }).click()
    await pick(page, 'High')
    await dialog(page).getByRole('button', { name: 'Change 60 conversations' }).waitFor()
    await dialog(page)
      .getByRole('row', { name: /60 Priority Normal High/ })
      .waitFor()
    await photograph(page, 'bulk-preview')
    assert.deepEqual(await violationsOn(page), [])
    await dialog(page).getByRole('button', { name: 'Change 60 conversations' }).click()
    await runs(page).getByText('60 conversations are done').waitFor()
    await photograph(page, 'bulk-done')
    const { total } = succeeded(await world.test.get('/v1/conversations?priority=high&limit=1&include=total'))
    assert.equal(total, 60)
    const [job, dryRun] = await jobsOf(world)
    assert.deepEqual([job.dry_run, dryRun.dry_run], [false, true])
    assert.ok(job.params.selection.filter)
  })

  test('all of a saved view are those of its filter, with the operator who reads it', async () => {
    const own = await api.world()
    const { page, operatorId } = await atDesk(api, own, 'open', 'Ada Lovelace', { colorScheme: 'dark' })
    await several(own, 52, { assignee_id: operatorId })
    const other = await conversation(own.test, { subject: 'Of nobody' })
    const filter = { field: 'assignee_id', op: 'is', value: 'me' }
    const { id } = succeeded(await own.test.post('/v1/views', { name: 'My own', filter }))
    await page.goto(`${api.url}/console/test/inbox/${id}`)
    await rows(page).first().waitFor()
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click()
    await bar(page).getByRole('button', { name: 'Select all 52 of this view' }).click()
    await bar(page).getByRole('button', { name: 'Priority' }).click()
    await pick(page, 'Low')
    await dialog(page).getByRole('button', { name: 'Change 52 conversations' }).click()
    await runs(page).getByText('52 conversations are done').waitFor()
    await photograph(page, 'bulk-dark')
    assert.equal(await priorityOf(own, other), 'normal')
  })
})

describe('changing many conversations', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a few are changed at once, and an undo gives each its former value back', async () => {
    const world = await api.world()
    const [first, second] = await several(world, 3)
    await world.test.patch(`/v1/conversations/${first.id}`, { priority: 'low' })
    const { page } = await atDesk(api, world, 'all')
    await mark(page, 'Question 1').click()
    await mark(page, 'Question 2').click()
    await press(page, 'p')
    await pick(page, 'Urgent')
    await runs(page).getByText('2 conversations are done').waitFor()
    assert.deepEqual([await priorityOf(world, first), await priorityOf(world, second)], ['urgent', 'urgent'])
    await bar(page).waitFor({ state: 'detached' })
    await runs(page).getByRole('button', { name: 'Undo' }).waitFor()
    await press(page, 'z')
    await runs(page).getByText('Undo: Set priority: Urgent').waitFor()
    await runs(page).getByText('2 conversations are done').waitFor()
    assert.deepEqual([await priorityOf(world, first), await priorityOf(world, second)], ['low', 'normal'])
    assert.equal(await runs(page).getByRole('button', { name: 'Undo' }).count(), 0)
    await runs(page).getByRole('button', { name: 'Dismiss' }).click()
    await runs(page).waitFor({ state: 'detached' })
  })

  test('the preview counts the changes and tells the refusals, and those that fail keep their reason and link', async () => {
    const world = await api.world()
    const made = await several(world, 8)
    await act(world.test, made[0].id, 'close')
    await world.test.post(`/v1/conversations/${made[1].id}/tags`, { add: ['outage'] })
    const { page } = await atDesk(api, world, 'all')
    await mark(page, 'Question 8').click()
    await mark(page, 'Question 1').click({ modifiers: ['Shift'] })
    await bar(page).getByRole('button', { name: 'Resolve' }).click()
    await dialog(page).getByText('1 would be refused').waitFor()
    await dialog(page).getByRole('link', { name: 'Question 1' }).waitFor()
    await dialog(page)
      .getByRole('row', { name: /7 Status New Resolved/ })
      .waitFor()
    await photograph(page, 'bulk-refusals')
    await dialog(page).getByRole('button', { name: 'Change 7 conversations' }).click()
    await runs(page).getByText('7 conversations are done').waitFor()
    await runs(page).getByRole('button', { name: '1 failed' }).click()
    const failed = page.getByRole('dialog', { name: 'Not changed' })
    await failed.getByText(/while the status is closed/).waitFor()
    await photograph(page, 'bulk-failed')
    await failed.getByRole('link', { name: 'Question 1' }).click()
    await page.waitForURL(new RegExp(made[0].id))
    await runs(page).getByRole('button', { name: 'Undo' }).click()
    await until('all are open again', async () => (await shown(world.test, made[7].id)).status === 'open')
  })

  test('tags are added where they were not, and the undo takes them from no other', async () => {
    const world = await api.world()
    const made = await several(world, 7)
    const tagged = made[0]
    await world.test.post(`/v1/conversations/${tagged.id}/tags`, { add: ['outage'] })
    const { page } = await atDesk(api, world, 'all')
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click()
    await press(page, 't')
    const tags = page.getByRole('dialog').getByRole('combobox')
    await tags.fill('outage')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show the changes' }).click()
    await dialog(page)
      .getByRole('row', { name: /6 Tags \+ outage/ })
      .waitFor()
    await dialog(page).getByText('1 stays as it is.').waitFor()
    await dialog(page).getByRole('button', { name: 'Change 7 conversations' }).click()
    await runs(page).getByText('7 conversations are done').waitFor()
    assert.deepEqual(await tagsOf(world, made[3]), ['outage'])
    await runs(page).getByRole('button', { name: 'Undo' }).click()
    await runs(page).getByText('6 conversations are done').waitFor()
    assert.deepEqual(await tagsOf(world, made[3]), [])
    assert.deepEqual(await tagsOf(world, tagged), ['outage'])
  })

  test('a job that runs is found again after a reload, and can be cancelled', async () => {
    const world = await api.world()
    await several(world, 6)
    const { page } = await atDesk(api, world, 'all')
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click()
    await bar(page).getByRole('button', { name: 'Resolve' }).click()
    await dialog(page).getByRole('button', { name: 'Change 6 conversations' }).waitFor()
    // The browser is told that the job has not ended yet.
    let cancelled = false
    await page.route(/\/v1\/jobs\/job_\w+$/, async (route) => {
      const response = await route.fetch()
      const job = await response.json()
      const ended = job.dry_run || cancelled ? {} : { status: 'running', ended_at: null }
      const progress = job.dry_run || cancelled ? {} : { progress: { done: 2, total: 6, failed: 0 } }
      await route.fulfill({ response, json: { ...job, version: job.version + 1_000, ...ended, ...progress } })
    })
    await page.route(/\/v1\/jobs\/job_\w+\/cancel$/, async (route) => {
      cancelled = true
      await route.fulfill({ json: { ...(await jobsOf(world))[0], status: 'cancelled' } })
    })
    await page.locator('button[type=submit]:focus').waitFor()
    await page.keyboard.press('Enter')
    await runs(page).getByText('2 of 6').waitFor()
    await page.reload()
    await runs(page).getByText('2 of 6').waitFor()
    await photograph(page, 'bulk-running')
    assert.deepEqual(await violationsOn(page), [])
    await runs(page).getByRole('button', { name: 'Cancel' }).click()
    await runs(page).getByText('6 conversations are done').waitFor()
    assert.ok(cancelled)
  })

  test('closing asks first, however few they are', async () => {
    const world = await api.world()
    const [only] = await several(world, 1)
    const { page } = await atDesk(api, world, 'all')
    await mark(page, 'Question 1').click()
    await bar(page).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Close for good…' }).click()
    await dialog(page).getByText('Closed conversations cannot be reopened').waitFor()
    assert.equal((await shown(world.test, only.id)).status, 'new')
    await dialog(page).getByRole('button', { name: 'Close 1 conversation' }).click()
    await runs(page).getByText('1 conversation is done').waitFor()
    assert.equal((await shown(world.test, only.id)).status, 'closed')
    assert.equal(await runs(page).getByRole('button', { name: 'Undo' }).count(), 0)
  })

  test('a fault in the fields of an action stands at the field', async () => {
    const world = await api.world()
    await several(world, 2)
    const { page } = await atDesk(api, world, 'all')
    await mark(page, 'Question 1').click()
    await bar(page).getByRole('button', { name: 'Tags' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Change 1 conversation' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    assert.deepEqual(await jobsOf(world), [])
  })

  test('on a phone, and in the dark, everything has room', async () => {
    const world = await api.world()
    await several(world, 7)
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' } as const
    const { page } = await atDesk(api, world, 'all', 'Ada Lovelace', phone)
    await mark(page, 'Question 7').click()
    await mark(page, 'Question 6').click()
    await bar(page).getByText('2 selected').waitFor()
    await photograph(page, 'bulk-phone')
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click()
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click()
    await bar(page).getByText('7 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Resolve' }).click()
    await dialog(page).getByRole('button', { name: 'Change 7 conversations' }).waitFor()
    await photograph(page, 'bulk-phone-preview')
    assert.deepEqual(await violationsOn(page), [])
    await dialog(page).getByRole('button', { name: 'Change 7 conversations' }).click()
    await runs(page).getByText('7 conversations are done').waitFor()
    await photograph(page, 'bulk-phone-done')
  })
})
