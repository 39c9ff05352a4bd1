import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { act, type Body, conversation, department, say, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'

const api = service({ works: true })

const openTeam = (page: Page) => page.goto(`${api.url}/console/test/team`)
const rowOf = (page: Page, table: string, name: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: name })
const actionsOf = (page: Page, name: string) => page.getByRole('button', { name: `Actions for ${name}` })

/** The conversations to which a link leads, as the server finds them by the filter in its address. */
async function behind(world: World, link: string | null): Promise<string[]> {
  const filter = new URL(link!, api.url).searchParams.get('filter')!
  const query = new URLSearchParams({ filter })
  return succeeded(await world.test.get(`/v1/conversations?${query}`)).data.map(({ id }: Body) => id)
}

const isIn = (row: ReturnType<typeof rowOf>, texts: (string | RegExp)[]) =>
  Promise.all(texts.map((text) => row.getByText(text).first().waitFor()))

/** Two members of Billing with what they have to do: one conversation is late, one is unassigned. */
async function busyDesk(world: World, role: 'agent' | 'lead' | 'admin', options = {}) {
  const ada = await signInAs(api, world, { name: 'Ada Lovelace', role }, options)
  const grace = succeeded(
    await world.test.post('/v1/operators', { name: 'Grace Hopper', email: 'grace@example.com', capacity: 4 }),
  ).id
  const billing = await department(world.test, [ada.operatorId, grace], {
    name: 'Billing',
    assignment: { strategy: 'manual' },
  })
  const targets = [{ first_response_seconds: 600 }]
  succeeded(await world.test.post('/v1/sla_configs', { name: 'Billing', targets }))
  const fields = { department_id: billing, message: { body: 'Please help.' } }
  const late = (await conversation(world.test, fields)).id
  await act(world.test, late, 'assign', { assignee_id: grace })
  succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 1_200 }))
  const unassigned = (await conversation(world.test, fields)).id
  return { ...ada, grace, billing, late, unassigned }
}

describe('the page of the team', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('shows an agent who is there and what waits, and its numbers lead to the conversations', async () => {
    const world = await api.world()
    const { page, grace, late, unassigned } = await busyDesk(world, 'agent')
    await openTeam(page)
    const billing = rowOf(page, 'Departments', 'Billing')
    await billing.getByRole('link', { name: '1, Unassigned: Billing' }).waitFor()
    const linksOf = async (row: ReturnType<typeof rowOf>) =>
      Promise.all((await row.getByRole('link').all()).map((link) => link.getAttribute('href')))
    const [toUnassigned, toWaiting, toBreached] = await linksOf(billing)
    assert.deepEqual(await behind(world, toUnassigned!), [unassigned])
    assert.deepEqual((await behind(world, toWaiting!)).toSorted(), [late, unassigned].toSorted())
    assert.deepEqual(await behind(world, toBreached!), [late])
    const ofGrace = rowOf(page, 'Operators', 'Grace Hopper')
    await isIn(ofGrace, ['Offline', 'of 4', /^2\d min \(1 waiting\)$/])
    for (const link of await linksOf(ofGrace)) assert.deepEqual(await behind(world, link), [late])
    assert.equal(await actionsOf(page, 'Grace Hopper').count(), 0)
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'team')

    succeeded(
      await world.test.put(`/v1/operators/${grace}/status`, { status: 'busy', reason: 'Stocktaking' }),
    )
    await isIn(ofGrace, ['Busy', 'Stocktaking'])
    await act(world.test, unassigned, 'assign', { assignee_id: grace })
    await ofGrace.getByRole('link', { name: '2, Open: Grace Hopper' }).waitFor()
    await billing.getByRole('link', { name: /Unassigned/ }).waitFor({ state: 'detached' })
    await say(world.test, late, 'operator', { operator_id: grace })
    await ofGrace.getByText('(1 waiting)').waitFor()
  })

  test('is found by the keyboard, and narrows its operators to a department', async () => {
    const world = await api.world()
    const { page } = await busyDesk(world, 'agent')
    succeeded(await world.test.post('/v1/departments', { name: 'Empty' }))
    await page.goto(`${api.url}/console/test/inbox/open`)
    await page.getByRole('link', { name: 'Team' }).waitFor()
    await page.keyboard.type('gt')
    await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()
    await page.getByRole('combobox', { name: 'Department' }).selectOption({ label: 'Billing' })
    await rowOf(page, 'Operators', 'Grace Hopper').waitFor()
    await page.getByRole('combobox', { name: 'Department' }).selectOption({ label: 'Empty' })
    await page.getByText('This department has no members.').waitFor()
  })

  test('lets an administrator set the status of others, with a reason and for a while', async () => {
    const world = await api.world()
    const { page, grace } = await busyDesk(world, 'admin')
    await openTeam(page)
    await actionsOf(page, 'Grace Hopper').click()
    await page.getByRole('menuitem', { name: /With reason/ }).click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Status').selectOption('away')
    await panel.getByLabel('Reason').fill('Lunch')
    await panel.getByLabel('For how long').fill('30 min')
    await panel.getByRole('button', { name: 'Set status' }).click()
    await rowOf(page, 'Operators', 'Grace Hopper')
      .getByText(/Lunch, until/)
      .waitFor()
    const status = succeeded(await world.test.get(`/v1/operators/${grace}/status`))
    assert.deepEqual([status.status, status.reason, status.then], ['away', 'Lunch', 'online'])
  })

  test('lets a lead hand all conversations of somebody over', async () => {
    const world = await api.world()
    const { page, operatorId, late } = await busyDesk(world, 'lead')
    await openTeam(page)
    await actionsOf(page, 'Grace Hopper').click()
    await page.getByRole('menuitem', { name: 'Hand over conversations…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hand over the conversations of Grace Hopper' })
    await dialog.getByRole('button', { name: 'Hand over' }).click()
    await dialog.getByText('Choose a colleague').first().waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await dialog.getByRole('combobox', { name: 'Colleague' }).selectOption({ label: 'Ada Lovelace' })
    await dialog.getByRole('button', { name: 'Hand over' }).click()
    await dialog.waitFor({ state: 'detached' })
    await until('it is assigned', async () => (await shown(world.test, late)).assignee_id === operatorId)
    await rowOf(page, 'Operators', 'Ada Lovelace')
      .getByRole('link', { name: '1, Open: Ada Lovelace' })
      .waitFor()
  })

  test('is whole on a phone, in the dark and in German', async () => {
    const world = await api.world()
    const { page } = await busyDesk(world, 'agent', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'de-DE',
    })
    await openTeam(page)
    await rowOf(page, 'Team', 'Grace Hopper')
      .getByText(/^2\d min \(1 warten\)$/)
      .waitFor()
    assert.deepEqual(await violationsOn(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await photograph(page, 'team-phone-dark-german')
  })
})
