import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Body, conversation, holdReason, operator, say, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, violationsOn } from './console.ts'
import {
  atDesk,
  atFlowingDesk,
  composer,
  pick,
  press,
  ready,
  rowOf,
  rows,
  thread,
  toast,
  written,
} from './inbox.ts'

/* An agent who works through a list, by the keyboard. */

const api = service({ works: true })

/** Creates conversations, of which the first is the first in the list. */
async function questions(world: World, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = count; i >= 1; i--) {
    const { id } = await conversation(world.test, {
      subject: `Question ${i}`,
      message: { body: 'Please help.' },
    })
    ids.unshift(id)
  }
  return ids
}

const answersIn = async (world: World, id: string): Promise<string[]> => {
  const { data } = succeeded(await world.test.get(`/v1/conversations/${id}/messages`))
  return data.slice(1).map(({ body }: Body) => body)
}

const becomes = (world: World, id: string, wanted: object) =>
  until(JSON.stringify(wanted), async () => {
    const now = await shown(world.test, id)
    return Object.entries(wanted).every(
      ([name, value]) => JSON.stringify(now[name]) === JSON.stringify(value),
    )
  })

const isOpen = async (page: Page, number: number) => {
  await page.getByRole('heading', { name: `Question ${number}`, exact: true }).waitFor()
  await page.getByRole('button', { name: /^(Resolve|Reopen)$/ }).waitFor()
}
const headingIsFocused = (page: Page, number: number) =>
  page
    .locator('h2:focus')
    .filter({ hasText: `Question ${number}` })
    .waitFor()
const isLive = (page: Page) => page.getByRole('status', { name: 'Connected' }).waitFor()
const outgoing = (page: Page, text: string) => thread(page).getByRole('article').filter({ hasText: text })

describe('a list that is worked through', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('13 conversations are answered and resolved with at most six key presses each', async () => {
    const world = await api.world()
    const ids = await questions(world, 13)
    succeeded(
      await world.test.post('/v1/message_templates', {
        name: 'Refund',
        body: 'It is on its way.',
      }),
    )
    const { page } = await atFlowingDesk(api, world, 'open')
    await rows(page).nth(12).waitFor()
    let presses = 0
    const keys = async (...pressed: string[]) => {
      for (const key of pressed) {
        presses++
        await page.keyboard.press(key)
      }
    }
    await keys('j')
    for (let number = 1; number <= 13; number++) {
      await isOpen(page, number)
      await keys('s')
      await page.locator('input[role=combobox]:focus').waitFor()
      await keys('r', 'e')
      await page.locator('[role=option]').first().filter({ hasText: 'Refund' }).waitFor()
      await keys('Enter')
      await written(page, 'It is on its way.')
      await keys('Control+Shift+Enter')
      if (number === 1) await photograph(page, 'triage-sent')
    }
    await page.getByText('No conversation selected').waitFor()
    assert.ok(presses <= 13 * 6, `${presses} key presses`)
    for (const id of ids) {
      await becomes(world, id, { status: 'resolved' })
      assert.deepEqual(await answersIn(world, id), ['It is on its way.'])
    }
    await page.getByText('Nothing to do').waitFor()
  })

  test('j and k open the next and the previous; a key that is held down opens where it is released', async () => {
    const world = await api.world()
    await questions(world, 8)
    const { page } = await atFlowingDesk(api, world, 'open')
    await rows(page).nth(7).waitFor()
    await page.keyboard.press('j')
    await isOpen(page, 1)
    await page.getByText('Opened: Question 1').waitFor({ state: 'attached' })
    await page.keyboard.press('j')
    await isOpen(page, 2)
    await page.keyboard.press('k')
    await isOpen(page, 1)
    let opened = 0
    page.on('request', (request) => {
      if (/\/transitions/.test(request.url())) opened++
    })
    for (let i = 0; i < 5; i++) await page.keyboard.down('j')
    await page.locator('a[data-row]:focus').filter({ hasText: 'Question 6' }).waitFor()
    await page.keyboard.up('j')
    await isOpen(page, 6)
    assert.ok(opened <= 2, `${opened} conversations were opened`)
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('j')
    await page.locator('a[data-row]:focus').filter({ hasText: 'Question 8' }).waitFor()
    await page.getByRole('heading', { name: 'Question 6' }).waitFor()
  })

  test('resolving and holding open the next one; z takes it back on the server, and opens it again', async () => {
    const world = await api.world()
    const ids = await questions(world, 4)
    await holdReason(world.test, { name: 'Bank' })
    const { page } = await atFlowingDesk(api, world, `open/${ids[0]}`)
    await ready(page)
    await isLive(page)
    await press(page, 'e')
    await isOpen(page, 2)
    await headingIsFocused(page, 2)
    await becomes(world, ids[0]!, { status: 'resolved' })
    await toast(page, 'Resolved').getByText('Question 1').waitFor()
    await page.keyboard.press('h')
    await page
      .getByRole('dialog', { name: 'Put on hold' })
      .getByRole('button', { name: 'Put on hold' })
      .click()
    await isOpen(page, 3)
    await headingIsFocused(page, 3)
    await page.keyboard.press('z')
    await isOpen(page, 2)
    await becomes(world, ids[1]!, { status: 'open', hold: null })
    assert.equal((await shown(world.test, ids[0]!)).status, 'resolved')
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor()
    await page.keyboard.press('e')
    await isOpen(page, 3)
    await page.keyboard.press('z')
    await isOpen(page, 2)
    await becomes(world, ids[1]!, { status: 'open' })
    await page.keyboard.press('e')
    await isOpen(page, 3)
    await toast(page, 'Resolved').getByText('Question 2').waitFor()
    await photograph(page, 'triage-undo')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('what was assigned, tagged or changed in its fields is undone', async () => {
    const world = await api.world()
    const [id] = (await questions(world, 1)) as [string]
    await operator(world.test, { name: 'Grace Hopper' })
    succeeded(await world.test.post('/v1/categories', { name: 'Payments' }))
    succeeded(
      await world.test.post('/v1/departments', { name: 'Billing', assignment: { strategy: 'manual' } }),
    )
    succeeded(await world.test.post('/v1/tags', { name: 'vip' }))
    const { page } = await atFlowingDesk(api, world, `open/${id}`)
    await ready(page)
    await isLive(page)
    const before = await shown(world.test, id)
    await page.getByRole('button', { name: 'Take', exact: true }).waitFor()
    const details = page.getByRole('complementary', { name: 'Details' })
    const choose = (field: string, label: string) =>
      details.getByRole('combobox', { name: field }).selectOption({ label })
    const pickBy = async (key: string, typed: string, option: string | RegExp) => {
      await press(page, key)
      await pick(page, typed, option)
    }
    const changes: [field: string, title: string, change: () => Promise<unknown>][] = [
      ['assignee_id', 'Assigned to Grace Hopper', () => pickBy('a', 'grace', /Grace/)],
      ['priority', 'Priority: Urgent', () => pickBy('p', 'urg', 'Urgent')],
      ['tags', 'Tag added: vip', () => pickBy('t', 'vip', 'vip').then(() => page.keyboard.press('Escape'))],
      ['category_id', 'Category: Payments', () => choose('Category', 'Payments')],
      ['department_id', 'Department: Billing', () => choose('Department', 'Billing')],
    ]
    for (const [field, title, change] of changes) {
      await change()
      await toast(page, title).waitFor()
      assert.notDeepEqual((await shown(world.test, id))[field], before[field])
      await press(page, 'z')
      await becomes(world, id, { [field]: before[field] })
      await toast(page, title).waitFor({ state: 'detached' })
    }
  })

  test('what a colleague has changed since is not undone', async () => {
    const world = await api.world()
    const [id] = (await questions(world, 2)) as [string, string]
    const { page } = await atFlowingDesk(api, world, `open/${id}`)
    await ready(page)
    await press(page, 'p')
    await pick(page, 'urg', 'Urgent')
    await toast(page, 'Priority: Urgent').waitFor()
    succeeded(await world.test.patch(`/v1/conversations/${id}`, { priority: 'low' }))
    await toast(page, 'Priority: Urgent').getByRole('button', { name: 'Undo' }).click()
    await toast(page, 'It was not undone').getByText('Somebody has changed it since.').waitFor()
    assert.equal((await shown(world.test, id)).priority, 'low')
  })

  test('the person chooses to stay, or to go back to the list, and whether messages wait', async () => {
    const world = await api.world()
    const ids = await questions(world, 3)
    const { page } = await atFlowingDesk(api, world, `open/${ids[0]}`)
    await ready(page)
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'More ways to send' }).click()
      await page.getByRole(/^Wait/.test(item) ? 'menuitemcheckbox' : 'menuitemradio', { name: item }).click()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    await choose('Wait 8 seconds before sending')
    await choose('Resolved or on hold: stay here')
    await composer(page).fill('At once.')
    await composer(page).press('Control+Shift+Enter')
    await becomes(world, ids[0]!, { status: 'resolved' })
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await isOpen(page, 1)
    await choose('Resolved or on hold: show the list')
    await rowOf(page, 'Question 2').click()
    await isOpen(page, 2)
    await press(page, 'e')
    await page.getByText('No conversation selected').waitFor()
    await page.locator('a[data-row]:focus').filter({ hasText: 'Question 3' }).waitFor()
    await page.reload()
    await rowOf(page, 'Question 3').click()
    await isOpen(page, 3)
    await press(page, 'e')
    await page.getByText('No conversation selected').waitFor()
  })

  test('a required field is asked for before the next one opens', async () => {
    const world = await api.world()
    const ids = await questions(world, 2)
    const field = {
      applies_to: 'conversation',
      required_on: 'resolve',
      key: 'cause',
      name: 'Cause',
      type: 'text',
    }
    succeeded(await world.test.post('/v1/custom_fields', field))
    const { page } = await atFlowingDesk(api, world, `open/${ids[0]}`)
    await ready(page)
    await composer(page).fill('It works again.')
    await composer(page).press('Control+Shift+Enter')
    const dialog = page.getByRole('dialog', { name: 'Required before resolving' })
    await dialog.getByLabel('Cause').fill('A bug')
    await dialog.getByLabel('Cause').press('Control+Enter')
    await isOpen(page, 2)
    await becomes(world, ids[0]!, { status: 'resolved' })
    assert.deepEqual(await answersIn(world, ids[0]!), ['It works again.'])
  })

  test('the keyboard has a place after a macro and after n, and Enter applies a macro', async () => {
    const world = await api.world()
    const ids = await questions(world, 3)
    const actions = [{ type: 'set_priority', priority: 'high' }]
    succeeded(await world.test.post('/v1/macros', { name: 'Raise', actions }))
    const { page } = await atFlowingDesk(api, world, `open/${ids[0]}`)
    await ready(page)
    const dialog = page.getByRole('dialog', { name: 'Apply “Raise”?' })
    for (const [key, priority] of [
      ['Escape', 'normal'],
      ['Enter', 'high'],
      ['Control+Enter', 'high'],
    ] as const) {
      await press(page, 'y')
      await pick(page, 'raise', 'Raise')
      await dialog
        .getByText(/High|changes nothing/)
        .first()
        .waitFor()
      await page.keyboard.press(key)
      await dialog.waitFor({ state: 'detached' })
      await headingIsFocused(page, 1)
      assert.equal((await shown(world.test, ids[0]!)).priority, priority)
    }
    await page.keyboard.press('z')
    await becomes(world, ids[0]!, { priority: 'normal' })
    await page.keyboard.press('n')
    await isOpen(page, 3) // it has waited longest
    await headingIsFocused(page, 3)
    assert.match(page.url(), /\/mine\//)
  })

  test('each stop of the Tab key in the composer is a control', async () => {
    const world = await api.world()
    const [id] = (await questions(world, 1)) as [string]
    const { page } = await atFlowingDesk(api, world, `open/${id}`)
    await ready(page)
    await composer(page).focus()
    await page.keyboard.press('Shift+Tab')
    assert.equal(await page.locator(':focus').getAttribute('role'), 'tab')
  })

  test('a phone has buttons in place of the keys, and says in German what they do', async () => {
    const world = await api.world()
    const ids = await questions(world, 3)
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'de-DE' }
    const { page } = await atFlowingDesk(api, world, `open/${ids[0]}`, 'Ada Lovelace', phone)
    await composer(page).waitFor()
    await page.getByRole('button', { name: 'Nächste in der Liste' }).tap()
    await page.getByRole('heading', { name: 'Question 2' }).waitFor()
    await page.getByRole('button', { name: 'Vorherige in der Liste' }).tap()
    await page.getByRole('heading', { name: 'Question 1' }).waitFor()
    await composer(page).fill('Erledigt.')
    await page.getByRole('button', { name: 'Senden und lösen' }).tap()
    await page.getByRole('heading', { name: 'Question 2' }).waitFor()
    const undo = toast(page, 'Wird gesendet und gelöst').getByRole('button', { name: 'Rückgängig' })
    await undo.waitFor()
    await photograph(page, 'triage-phone')
    assert.deepEqual(await violationsOn(page), [])
    await undo.tap()
    await page.getByRole('heading', { name: 'Question 1' }).waitFor()
    await written(page, 'Erledigt.')
    assert.deepEqual(await answersIn(world, ids[0]!), [])
  })
})

describe('a message that waits', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('is taken back by a key or a button, and its text is in the composer again', async () => {
    const world = await api.world()
    const ids = await questions(world, 2)
    const { page } = await atFlowingDesk(api, world, `open/${ids[0]}`)
    await ready(page)
    await composer(page).fill('Too fast')
    await composer(page).press('Control+Enter')
    await outgoing(page, 'Too fast')
      .getByText(/Sending in \d s/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('z')
    await written(page, 'Too fast')
    await page.locator('textarea:focus').waitFor()
    await outgoing(page, 'Too fast').waitFor({ state: 'detached' })
    await composer(page).press('Control+Enter')
    await outgoing(page, 'Too fast').getByRole('button', { name: 'Undo' }).click()
    await written(page, 'Too fast')
    await composer(page).press('Control+Shift+Enter')
    await isOpen(page, 2)
    await press(page, 'z')
    await isOpen(page, 1)
    await written(page, 'Too fast')
    assert.deepEqual(await answersIn(world, ids[0]!), [])
    assert.equal((await shown(world.test, ids[0]!)).status, 'new')
    await composer(page).press('Control+Enter')
    await photograph(page, 'triage-waiting')
    await outgoing(page, 'Too fast').getByRole('button', { name: 'Send now' }).click()
    await until('it is sent', async () => (await answersIn(world, ids[0]!)).length === 1)
  })

  test('has the format that was chosen for it when it is taken back', async () => {
    const world = await api.world()
    const [id] = (await questions(world, 1)) as [string]
    const { page } = await atFlowingDesk(api, world, `open/${id}`)
    await ready(page)
    for (const format of ['Plain text', 'Markdown']) {
      await composer(page).fill('Type **twice**')
      await page.getByRole('button', { name: /^Format:/ }).click()
      await page.getByRole('menuitemradio', { name: format }).click()
      await composer(page).press('Control+Enter')
      await page.getByRole('button', { name: 'Format: Automatic' }).waitFor()
      await outgoing(page, 'Type **twice**').getByRole('button', { name: 'Undo' }).click()
      await written(page, 'Type **twice**')
      await page.getByRole('button', { name: `Format: ${format}` }).waitFor()
    }
  })

  test('is sent when its time has come, once, in another conversation and another area', async () => {
    const world = await api.world()
    const ids = await questions(world, 2)
    const { page } = await atFlowingDesk(api, world, `open/${ids[0]}`)
    await ready(page)
    await composer(page).fill('First')
    await composer(page).press('Control+Enter')
    await composer(page).fill('Second')
    await composer(page).press('Control+Enter')
    await press(page, 'j')
    await isOpen(page, 2)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('design')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Design system' }).waitFor()
    await until('both are sent', async () => (await answersIn(world, ids[0]!)).length === 2)
    assert.deepEqual(await answersIn(world, ids[0]!), ['First', 'Second'])
  })

  test('is sent at once when the page is left', async () => {
    const world = await api.world()
    const [id] = (await questions(world, 1)) as [string]
    const { page } = await atFlowingDesk(api, world, `open/${id}`)
    await ready(page)
    await composer(page).fill('Goodbye')
    await composer(page).press('Control+Shift+Enter')
    await toast(page, 'Sending and resolving').waitFor()
    await page.goto('about:blank')
    await becomes(world, id, { status: 'resolved' })
    await page.goto(`${api.url}/console/test/inbox/all/${id}`)
    await until('it is there once', async () => (await outgoing(page, 'Goodbye').count()) === 1)
    assert.deepEqual(await answersIn(world, id), ['Goodbye'])
  })

  test('waits for the person if a colleague answers in these seconds, and is not lost', async () => {
    const world = await api.world()
    const ids = await questions(world, 2)
    const grace = await operator(world.test, { name: 'Grace Hopper' })
    const { page } = await atFlowingDesk(api, world, `open/${ids[0]}`)
    await ready(page)
    await isLive(page)
    await composer(page).fill('From Ada')
    await composer(page).press('Control+Shift+Enter')
    await isOpen(page, 2)
    await say(world.test, ids[0]!, 'operator', { operator_id: grace, body: 'From Grace' })
    await page.getByRole('navigation').getByRole('link', { name: '1 not sent', exact: true }).click()
    await outgoing(page, 'From Ada').getByText('Somebody else has written meanwhile.').waitFor()
    assert.deepEqual(await answersIn(world, ids[0]!), ['From Grace'])
    await outgoing(page, 'From Ada').getByRole('button', { name: 'Edit' }).click()
    await written(page, 'From Ada')
  })
})

describe('two agents in one conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('the second is told of the answer before theirs is sent, reads it, and loses no word', async () => {
    const world = await api.world()
    const ids = await questions(world, 2)
    const ada = await atFlowingDesk(api, world, `open/${ids[0]}`)
    const grace = await atDesk(api, world, `open/${ids[0]}`, 'Grace Hopper')
    for (const { page } of [ada, grace]) {
      await ready(page)
      await isLive(page)
    }
    await press(ada.page, 'r')
    await ada.page.locator('textarea:focus').waitFor()
    await ada.page.keyboard.type('Please try again')
    await composer(grace.page).fill('I have refunded it.')
    await composer(grace.page).press('Control+Enter')
    await thread(ada.page).getByText('I have refunded it.').waitFor()
    const dialog = ada.page.getByRole('dialog', { name: 'Grace Hopper answered while you wrote' })
    await ada.page.keyboard.press('Control+Enter')
    await dialog.getByText('I have refunded it.').waitFor()
    await photograph(ada.page, 'triage-answered')
    assert.deepEqual(await violationsOn(ada.page), [])
    // The first button has the focus: it is read first.
    await ada.page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await ada.page.locator('textarea:focus').waitFor()
    await written(ada.page, 'Please try again')
    await ada.page.keyboard.type(', it has been refunded.')
    await composer(grace.page).fill('The receipt is attached.')
    await composer(grace.page).press('Control+Enter')
    await thread(ada.page).getByText('The receipt is attached.').waitFor()
    await ada.page.keyboard.press('Control+Shift+Enter')
    await dialog.getByText('The receipt is attached.').waitFor()
    assert.equal(await dialog.getByText('I have refunded it.').count(), 0)
    await ada.page.keyboard.press('Tab')
    await ada.page.keyboard.press('Enter')
    await isOpen(ada.page, 2)
    await becomes(world, ids[0]!, { status: 'resolved' })
    assert.deepEqual(await answersIn(world, ids[0]!), [
      'I have refunded it.',
      'The receipt is attached.',
      'Please try again, it has been refunded.',
    ])
  })

  test('a note, and an answer to what was read before, are sent without a question', async () => {
    const world = await api.world()
    const [id] = (await questions(world, 1)) as [string]
    const graceId = await operator(world.test, { name: 'Grace Hopper' })
    const { page } = await atDesk(api, world, `open/${id}`)
    await ready(page)
    await isLive(page)
    await say(world.test, id, 'operator', { operator_id: graceId, body: 'From Grace' })
    await thread(page).getByText('From Grace').waitFor()
    await composer(page).fill('From Ada')
    await composer(page).press('Control+Enter')
    await until('it is sent', async () => (await answersIn(world, id)).length === 2)
    await press(page, 'i')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('A note')
    await say(world.test, id, 'operator', { operator_id: graceId, body: 'Again' })
    await thread(page).getByText('Again').waitFor()
    await page.keyboard.press('Control+Enter')
    await until('it is sent', async () => (await answersIn(world, id)).length === 4)
  })
})
