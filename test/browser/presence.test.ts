import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Body, conversation, department, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'

/* Two operators at one conversation, and the status that the console keeps for its operator. */

const api = service({ works: true })

const rowOf = (page: Page, subject: string) =>
  page.getByRole('list').getByRole('link', { name: new RegExp(subject) })
const colleagues = (page: Page) => page.getByRole('list', { name: 'Colleagues who are here' })

/** Does what a browser does when its person turns to another tab, or comes back. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    // biome-ignore lint/suspicious/noExplicitAny: the global scope is that of the page here
    const { document } = globalThis as any
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

describe('two operators at one conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('see each other arrive, reply, stop, turn away and leave', async () => {
    const world = await api.world()
    const ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    const grace = await signInAs(api, world, { name: 'Grace Hopper', role: 'agent' })
    for (const [external_user_id, subject] of [
      ['user_1', 'Card declined'],
      ['user_2', 'Wrong invoice'],
    ])
      await conversation(world.test, { external_user_id, subject, message: { body: 'Please help.' } })
    for (const { page } of [ada, grace]) await page.goto(`${api.url}/console/test/inbox/open`)

    await rowOf(ada.page, 'Card declined').click()
    const composer = ada.page.getByRole('region', { name: 'Write' }).getByRole('textbox')
    await composer.waitFor()
    await colleagues(ada.page).waitFor({ state: 'detached' })

    await rowOf(grace.page, 'Card declined').click()
    await colleagues(ada.page).getByText('Grace Hopper is looking at this').waitFor()
    // Who comes later is told who was there before.
    await colleagues(grace.page).getByText('Ada Lovelace is looking at this').waitFor()

    await composer.fill('Let me check that')
    const replying = grace.page.getByRole('status').getByText('Ada Lovelace is replying')
    await replying.waitFor()
    await colleagues(grace.page).getByText('Ada Lovelace is replying').waitFor()
    await photograph(grace.page, 'presence-replying')

    await ada.page.keyboard.press('Control+Enter')
    await replying.waitFor({ state: 'detached' })
    await colleagues(grace.page).getByText('Ada Lovelace is looking at this').waitFor()

    await hide(ada.page, true)
    await colleagues(grace.page).waitFor({ state: 'detached' })
    await hide(ada.page, false)
    await colleagues(grace.page).getByText('Ada Lovelace is looking at this').waitFor()

    await rowOf(ada.page, 'Wrong invoice').click()
    await colleagues(grace.page).waitFor({ state: 'detached' })
    await rowOf(grace.page, 'Wrong invoice').click()
    await colleagues(ada.page).getByText('Grace Hopper is looking at this').waitFor()
  })
})

const statusOf = async (world: World, id: string): Promise<Body> =>
  succeeded(await world.test.get(`/v1/operators/${id}/status`))
const setStatus = async (world: World, id: string, body: object): Promise<void> =>
  void succeeded(await world.test.put(`/v1/operators/${id}/status`, body))
const becomes = (world: World, id: string, status: string, reason: string | null = null) =>
  until(`the status is ${status}`, async () => {
    const now = await statusOf(world, id)
    return now.status === status && now.reason === reason
  })
const historyOf = async (world: World, id: string): Promise<string[]> =>
  succeeded(await world.test.get(`/v1/operators/${id}/status_history?sort=from&limit=50`)).data.map(
    ({ status }: Body) => status,
  )
const shows = (page: Page, status: string) =>
  page.getByRole('button', { name: `Your status: ${status}` }).waitFor()

/** Leaves the browser alone for twenty minutes. */
const leave = (page: Page) =>
  page.evaluate(`localStorage.setItem('backline.last_input', String(Date.now() - 20 * 60_000))`)

describe('the own status', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('is told to a member of a department whom new conversations pass over', async () => {
    const world = await api.world()
    const ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    await department(world.test, [ada.operatorId])
    await ada.page.goto(`${api.url}/console/test/inbox/open`)
    await ada.page.getByText('Your status is “Offline”: new conversations pass you over.').waitFor()
    assert.deepEqual(await violationsOn(ada.page), [])
    await photograph(ada.page, 'status-offline')
    await ada.page.getByRole('button', { name: 'Go online' }).click()
    await becomes(world, ada.operatorId, 'online')
    await ada.page.getByRole('button', { name: 'Go online' }).waitFor({ state: 'detached' })
  })

  test('is away without input in any tab, online at the first one, and otherwise as it was set by hand', async () => {
    const world = await api.world()
    const ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    const id = ada.operatorId
    const other = await ada.context.newPage()
    for (const tab of [ada.page, other]) {
      await tab.goto(`${api.url}/console/test/inbox/open`)
      await shows(tab, 'Offline')
    }
    await setStatus(world, id, { status: 'online' })
    for (const tab of [ada.page, other]) await shows(tab, 'Online')
    await leave(other)
    await becomes(world, id, 'away', 'No input')
    await shows(other, 'Away')
    await other.keyboard.press('Shift')
    await becomes(world, id, 'online')

    await setStatus(world, id, { status: 'busy' })
    for (const tab of [ada.page, other]) await shows(tab, 'Busy')
    await leave(other)
    await other.keyboard.press('Shift')
    await setStatus(world, id, { status: 'away', reason: 'Lunch' })
    for (const tab of [ada.page, other]) await shows(tab, 'Away')
    await leave(other)
    await other.keyboard.press('Shift')
    await setStatus(world, id, { status: 'online' })
    for (const tab of [ada.page, other]) await shows(tab, 'Online')
    await leave(other)
    await becomes(world, id, 'away', 'No input')
    assert.deepEqual(await historyOf(world, id), [
      'offline',
      'online',
      'away',
      'online',
      'busy',
      'away',
      'online',
      'away',
    ])
  })

  test('is not kept online by a browser without input, when another one had some', async () => {
    const world = await api.world()
    const ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    const { page, operatorId: id } = ada
    await setStatus(world, id, { status: 'online' })
    await page.goto(`${api.url}/console/test/inbox/open`)
    await shows(page, 'Online')
    const other = await ada.context.newPage()
    await other.goto(`${api.url}/v1/openapi.json`)
    await leave(other)
    await becomes(world, id, 'away', 'No input')
    await setStatus(world, id, { status: 'online' }) // as the other browser does
    await shows(page, 'Online')
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 301 }))
    await becomes(world, id, 'offline', 'No heartbeat')
    await shows(page, 'Offline')
    await page.keyboard.press('Shift')
    await becomes(world, id, 'online')
  })

  test('is never away by itself if the menu says so', async () => {
    const world = await api.world()
    const ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    const id = ada.operatorId
    await setStatus(world, id, { status: 'online' })
    const other = await ada.context.newPage()
    for (const tab of [ada.page, other]) {
      await tab.goto(`${api.url}/console/test/inbox/open`)
      await shows(tab, 'Online')
    }
    await other.getByRole('button', { name: 'Your status: Online' }).click()
    await other
      .getByRole('menuitemradio', { name: 'Never away by itself' })
      .or(other.getByRole('menuitemcheckbox', { name: 'Never away by itself' }))
      .or(other.getByRole('menuitem', { name: 'Never away by itself' }))
      .click()
    await leave(other)
    await other.getByRole('button', { name: 'Your status: Online' }).click()
    await other.getByText('Away after 15 min without input').click()
    await leave(other)
    await becomes(world, id, 'away', 'No input')
    assert.equal((await historyOf(world, id)).filter((status) => status === 'away').length, 1)
  })

  test('is offline after the last tab is closed, and online again with the next one, unless by hand', async () => {
    const world = await api.world()
    const ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    const id = ada.operatorId
    await setStatus(world, id, { status: 'online' })
    const isKept = (page: Page) => page.waitForResponse((response) => response.url().endsWith('/heartbeat'))
    const open = async () => {
      const page = await ada.context.newPage()
      const kept = isKept(page)
      await page.goto(`${api.url}/console/test/inbox/open`)
      await kept
      return page
    }
    const first = await open()
    await shows(first, 'Online')
    await first.close()
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 301 }))
    await becomes(world, id, 'offline', 'No heartbeat')
    const second = await open()
    await shows(second, 'Online')
    await setStatus(world, id, { status: 'offline' })
    await shows(second, 'Offline')
    await second.close()
    await becomes(world, id, 'offline')
    assert.deepEqual(await historyOf(world, id), ['offline', 'online', 'offline', 'online', 'offline'])
  })
})
