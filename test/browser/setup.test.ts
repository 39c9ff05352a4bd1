import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { act, type Body, conversation, operator, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, deliverFirstLast, newPerson, photograph, signInAs, violationsOn } from './console.ts'

// All people of these tests sign in from one address.
const api = service({ works: true })

/** Signs somebody in and opens a page of the area. */
async function opened(world: World, path: string, role: 'lead' | 'admin' = 'admin') {
  const person = await signInAs(api, world, { name: 'Ada Lovelace', role })
  const go = (to: string) => person.page.goto(`${api.url}/console/test/setup/${to}`)
  await go(path)
  const panel = person.page.getByRole('dialog')
  return { ...person, go, panel, save: panel.getByRole('button', { name: /^(Save|Create)$/ }) }
}

const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** The only object of a list with this name. */
async function stored(world: World, path: string, name: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the tests look at single members of many resources
  const items: any[] = succeeded(await world.test.get(`/v1/${path}?limit=100&archived=true`)).data
  const found = items.filter((item) => item.name === name)
  assert.equal(found.length, 1, `${path} has one ${name}`)
  return found[0]
}

describe('the set-up area', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a lead sees the pages that they may change', async () => {
    const { page } = await opened(await api.world(), 'tags', 'lead')
    const links = page.locator('#area-navigation a')
    await links.first().waitFor()
    const expected = [
      'Tags',
      'Categories',
      'Hold reasons',
      'Macros',
      'Message templates',
      'Views',
      'Mailboxes',
      'Mail that arrived',
      'Suppressed addresses',
      'Exports',
      'Imports',
      'Jobs',
    ]
    assert.deepEqual(await links.allInnerTexts(), expected)
  })

  test('a new operator joins the departments that were chosen; a second one with the address is told so', async () => {
    const world = await api.world()
    const { id } = succeeded(await world.test.post('/v1/departments', { name: 'Billing' }))
    const { page, panel, save, go } = await opened(world, 'operators/new')
    await panel.getByLabel('Name').fill('Grace Hopper')
    await panel.getByLabel('E-mail address').fill('grace@example.com')
    await panel.getByRole('combobox', { name: 'Departments' }).fill('bil')
    await page.getByRole('option', { name: 'Billing' }).click()
    await save.click()
    await said(page, '“Grace Hopper” created')
    assert.deepEqual((await stored(world, 'operators', 'Grace Hopper')).department_ids, [id])

    await go('operators/new')
    await panel.getByLabel('Name').fill('Another Grace')
    await panel.getByLabel('E-mail address').fill('grace@example.com')
    await save.click()
    await said(page, /Another one has this already/)
    await page.keyboard.press('Escape')
    await said(page, 'Discard your changes?')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('members are found by a search, and a conflict keeps what both people wrote', async () => {
    const world = await api.world()
    const { id } = succeeded(await world.test.post('/v1/departments', { name: 'Billing' }))
    const { page, panel, save } = await opened(world, `departments/${id}`)
    await panel.getByLabel('Add a member').fill('ada')
    await panel.getByRole('button', { name: 'Add Ada Lovelace' }).click()
    await panel.getByRole('button', { name: 'Remove Ada Lovelace' }).waitFor()
    await panel.getByLabel('E-mail address').fill('billing@example.com')
    succeeded(await world.test.patch(`/v1/departments/${id}`, { description: 'Invoices' }))
    await save.click()
    await said(page, /Somebody has changed this/)
    await panel.getByRole('button', { name: 'Save mine' }).click()
    await said(page, '“Billing” saved')
    const department = await stored(world, 'departments', 'Billing')
    assert.deepEqual([department.email, department.description], ['billing@example.com', 'Invoices'])
  })

  test('after a conflict, a field can be set back to what it was before; the button that saves keeps the focus', async () => {
    const world = await api.world()
    const { id } = succeeded(await world.test.post('/v1/categories', { name: 'Cards', public: false }))
    const { page, panel, save } = await opened(world, `categories/${id}`)
    await panel.getByLabel('Name').fill('Credit cards')
    succeeded(await world.test.patch(`/v1/categories/${id}`, { public: true }))
    await save.click()
    await said(page, /Somebody has changed this/)
    const isPublic = panel.getByLabel('End users can choose it')
    assert.equal(await isPublic.isChecked(), true)
    await isPublic.uncheck()
    assert.equal(await isPublic.isChecked(), false)
    await page.route(`**/v1/categories/${id}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
    )
    const saveMine = panel.getByRole('button', { name: 'Save mine' })
    await saveMine.click()
    await said(page, 'Not saved')
    assert.equal(await saveMine.evaluate((button) => button === button.ownerDocument.activeElement), true)
    await page.unroute(`**/v1/categories/${id}`)
    await saveMine.click()
    await said(page, '“Credit cards” saved')
    assert.equal((await stored(world, 'categories', 'Credit cards')).public, false)
  })

  test('a form also tells the fault of a field that it does not have', async () => {
    const world = await api.world()
    const { page, panel, save } = await opened(world, 'tags/new')
    await panel.getByLabel('Name').fill('vip')
    await page.route('**/v1/tags', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 422,
            contentType: 'application/problem+json',
            json: {
              status: 422,
              code: 'validation_failed',
              detail: 'It is invalid.',
              params: {},
              errors: [{ pointer: '/other', code: 'invalid', detail: 'is refused' }],
            },
          })
        : route.continue(),
    )
    await save.click()
    await panel.getByRole('alert').getByText('other: is refused').waitFor()
  })

  test('a tag in use cannot be deleted, but archived; a merged one says what happens first', async () => {
    const world = await api.world()
    await conversation(world.test, { tags: ['vip', 'refund'] })
    const { page, panel } = await opened(world, 'tags')
    await page.getByRole('button', { name: 'Actions for vip' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await panel.getByRole('button', { name: 'Delete' }).click()
    await panel.getByText('It is in use').waitFor()
    await panel.getByRole('button', { name: 'Archive' }).click()
    await said(page, '“vip” archived')
    assert.equal((await stored(world, 'tags', 'vip')).archived, true)

    succeeded(await world.test.post('/v1/tags', { name: 'money' }))
    await page.getByRole('button', { name: 'Actions for refund' }).click()
    await page.getByRole('menuitem', { name: /Merge/ }).click()
    await panel.getByLabel('Into').selectOption({ label: 'money' })
    await said(page, '1 conversation gets “money” in place of “refund”.')
    await panel.getByRole('button', { name: 'Merge' }).click()
    await said(page, '“refund” is now “money”')
    assert.equal((await stored(world, 'tags', 'money')).usage_count, 1)
  })

  test('a category is moved by the keyboard', async () => {
    const world = await api.world()
    for (const [name, position] of [
      ['One', 1],
      ['Two', 2],
    ] as const)
      succeeded(await world.test.post('/v1/categories', { name, position }))
    const { page } = await opened(world, 'categories')
    const written = await deliverFirstLast(page, '**/v1/categories/*')
    await page.getByRole('button', { name: 'Two', exact: true }).press('Alt+ArrowRight')
    await page.getByRole('button', { name: 'Subcategories of One' }).waitFor()
    await said(page, 'Moved: One › Two')
    await page.getByRole('button', { name: 'Two', exact: true }).press('Alt+ArrowLeft')
    await page.getByRole('button', { name: 'Subcategories of One' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Two', exact: true }).press('Alt+ArrowUp')
    await page.locator('main li').first().getByRole('button', { name: 'Two', exact: true }).waitFor()
    await until('all writes are answered', () => written() === 4)
    const { data } = succeeded(await world.test.get('/v1/categories'))
    assert.deepEqual(
      data.map(({ name, parent_id, position }: Body) => [name, parent_id, position]).toSorted(),
      [
        ['One', null, 2],
        ['Two', null, 1],
      ],
    )
  })

  test('a macro is moved by its buttons', async () => {
    const world = await api.world()
    const names = ['One', 'Two', 'Three']
    for (const [i, name] of names.entries())
      succeeded(
        await world.test.post('/v1/macros', {
          ...{ name, position: i + 1 },
          actions: [{ type: 'set_priority', priority: 'high' }],
        }),
      )
    const { page } = await opened(world, 'macros')
    const written = await deliverFirstLast(page, '**/v1/macros/*')
    const shows = async (...expected: string[]) => {
      for (const [i, name] of expected.entries())
        await page.locator('tbody tr').nth(i).getByText(name, { exact: true }).waitFor()
    }
    const move = (to: string) => page.getByRole('button', { name: `Move ${to}` }).click()
    await move('Three up')
    await shows('One', 'Three', 'Two')
    await move('Three up')
    await shows('Three', 'One', 'Two')
    await move('Three down')
    await move('Three down')
    await shows('One', 'Two', 'Three')
    await move('Two up')
    await shows('Two', 'One', 'Three')
    await until('all writes are answered', () => written() === 10)
    const { data } = succeeded(await world.test.get('/v1/macros'))
    const stored = data.toSorted((one: Body, other: Body) => one.position - other.position)
    assert.deepEqual(
      stored.map(({ name }: Body) => name),
      ['Two', 'One', 'Three'],
    )
    await shows('Two', 'One', 'Three')
  })

  test('durations are typed as people write them', async () => {
    const world = await api.world()
    const { page, panel, save } = await opened(world, 'hold_reasons/new')
    await panel.getByLabel('Name').fill('Waiting for the bank')
    await panel.getByLabel('Usual duration').fill('a while')
    await save.click()
    await said(page, /This is not a duration/)
    await panel.getByLabel('Usual duration').fill('1.5 h')
    await panel.getByLabel('Longest duration').fill('1 h')
    await save.click()
    await said(page, /Must be at most max_duration_seconds/)
    await panel.getByLabel('Longest duration').fill('2 days')
    await save.click()
    await said(page, '“Waiting for the bank” created')
    const reason = await stored(world, 'hold_reasons', 'Waiting for the bank')
    assert.deepEqual([reason.default_duration_seconds, reason.max_duration_seconds], [5_400, 172_800])
  })

  test('business hours are painted and typed, and the simulator draws when a conversation is due', async () => {
    const world = await api.world()
    const { page, panel, save } = await opened(world, 'sla_configs/new')
    await panel.getByLabel('Name').fill('Business hours')
    await panel.getByLabel('First response, All others').fill('2 h')
    await panel.getByLabel('Around the clock').uncheck()
    await panel.getByLabel('Time zone').fill('Europe/Berlin')
    const bar = panel.locator('[data-bar]').nth(5)
    await bar.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await bar.boundingBox())!
    await page.mouse.move(x + (width * 10.2) / 24, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + (width * 13.7) / 24, y + height / 2)
    await page.mouse.up()
    await panel.getByLabel('Monday', { exact: true }).fill('8-12:15, 13-18')
    await panel.getByLabel('Monday', { exact: true }).press('Enter')
    await panel.getByRole('button', { name: 'Copy Monday' }).click()
    await page.getByRole('menuitem', { name: 'To Tuesday' }).click()
    await panel.getByLabel('Wednesday', { exact: true }).fill('22-6')
    await save.click()
    await said(page, '“Business hours” created')
    type Span = { day: string; from: string; to: string }
    const { schedule } = await stored(world, 'sla_configs', 'Business hours')
    assert.deepEqual(
      schedule.weekly.map(({ day, from, to }: Span) => `${day} ${from} ${to}`),
      [
        'mon 08:00 12:15',
        'mon 13:00 18:00',
        'tue 08:00 12:15',
        'tue 13:00 18:00',
        'wed 22:00 24:00',
        'thu 00:00 06:00',
        'thu 09:00 17:00',
        'fri 09:00 17:00',
        'sat 10:00 14:00',
      ],
    )

    await page.getByRole('button', { name: 'Actions for Business hours' }).click()
    await page.getByRole('menuitem', { name: 'Try it out…' }).click()
    await panel.getByLabel('The end user writes at').fill('2026-11-27T16:30')
    await said(page, 'due Sat, Nov 28, 11:30 AM')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('a macro shows faults at its actions, and what it would do to a conversation', async () => {
    const world = await api.world()
    await conversation(world.test, { subject: 'Card declined' })
    const { page, panel, save } = await opened(world, 'macros/new')
    await panel.getByLabel('Name').fill('Escalate')
    for (const name of ['Set priority', 'Add tags', 'Leave a note']) {
      await panel.getByRole('button', { name: 'Add an action' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await panel.getByLabel('Text').fill('Looking into it')
    await save.click()
    await said(page, 'Must not be empty')
    await panel.getByRole('combobox', { name: 'Tags' }).fill('escalated')
    await page.getByRole('option').first().click()
    await save.click()
    await said(page, '“Escalate” created')
    await panel.getByRole('button', { name: /Card declined/ }).click()
    await panel.locator('blockquote', { hasText: 'Looking into it' }).waitFor()
    await panel.getByText('high', { exact: true }).waitFor()
  })

  test('a template names the variables without a value, and renders with them', async () => {
    const world = await api.world()
    await conversation(world.test, { subject: 'Card declined' })
    const { page, panel, save } = await opened(world, 'message_templates/new')
    await panel.getByLabel('Name').fill('Refund')
    await panel.getByLabel('Text').fill('About your order {{ order_id }}.')
    await save.click()
    await said(page, '“Refund” created')
    await panel.getByRole('button', { name: /Card declined/ }).click()
    await said(page, 'These variables have no value here:')
    await panel.getByLabel('order_id').fill('A-17')
    await said(page, 'About your order A-17.')
  })

  test('a view is built from groups, counts its items, and is mended when a field is gone', async () => {
    const world = await api.world()
    await conversation(world.test, { subject: 'Card declined', priority: 'urgent' })
    await conversation(world.test, { subject: 'How to' })
    const field = { applies_to: 'conversation', key: 'plan', name: 'Plan', type: 'text' }
    const { id } = succeeded(await world.test.post('/v1/custom_fields', field))
    const { page, panel, save } = await opened(world, 'views/new')
    await panel.getByLabel('Name').fill('Important')
    await panel.getByRole('status').getByText('2 matches').waitFor()
    await panel.getByRole('button', { name: 'Condition', exact: true }).click()
    await panel.getByLabel('Field', { exact: true }).last().selectOption('custom_fields.plan')
    await panel.getByLabel('Value', { exact: true }).last().fill('pro')
    await panel.getByRole('status').getByText('0 matches').waitFor()
    await save.click()
    await said(page, '“Important” created')

    succeeded(await world.test.delete(`/v1/custom_fields/${id}`))
    await page.reload()
    await page.getByText('Broken').waitFor()
    await page
      .getByRole('button', { name: /^Important/ })
      .first()
      .click()
    await said(page, 'This view no longer works')
    assert.deepEqual(await violationsOn(page), [])
    await panel.getByLabel('Field', { exact: true }).last().selectOption('priority')
    await panel.getByRole('combobox', { name: 'Value' }).last().fill('urg')
    await page.getByRole('option', { name: 'Urgent' }).click()
    await panel.getByRole('status').getByText('1 match').waitFor()
    await save.click()
    await said(page, '“Important” saved')
    const view = await stored(world, 'views', 'Important')
    assert.equal(view.broken, null)
    assert.deepEqual(view.filter.all[1], { field: 'priority', op: 'in', value: ['urgent'] })
  })

  test('an operator is invited by a link, which is shown once, replaced and revoked', async () => {
    const world = await api.world()
    const grace = { name: 'Grace Hopper', email: 'grace@example.com', role: 'agent' }
    const { id } = succeeded(await world.live.post('/v1/operators', grace))
    const { page, panel } = await opened(world, 'operators')
    await page.goto(`${api.url}/console/live/setup/operators`)
    const ask = async () => {
      await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
      await page.getByRole('menuitem', { name: 'Invite' }).click()
    }
    await ask()
    await panel.getByText('Not invited yet.').waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await panel.getByLabel('Valid for').selectOption({ label: '1 d' })
    await panel.getByRole('button', { name: 'Make a link' }).click()
    const link = panel.getByText(/#link=bkl_link_/)
    await link.waitFor()
    const first = await link.innerText()
    await panel.getByRole('cell', { name: 'Pending' }).waitFor()
    await photograph(page, 'invite-operator')
    assert.deepEqual(await violationsOn(page), [])

    await panel.getByRole('button', { name: 'Invite again' }).click()
    await panel.getByRole('cell', { name: 'Revoked' }).waitFor()
    const second = await link.innerText()
    assert.notEqual(second, first)
    await panel.getByRole('button', { name: 'Close' }).last().click()
    await ask()
    await panel.getByRole('cell', { name: 'Pending' }).waitFor()
    assert.equal(await link.count(), 0)

    const other = await newPerson()
    const open = (url: string) => other.page.goto(`${api.url}/console${new URL(url).hash}`)
    await open(first)
    await other.page.getByText('This link was revoked, or a newer one has replaced it.').waitFor()
    await other.page.goto('about:blank')
    await open(second)
    await other.page.getByText('Grace Hopper').waitFor()
    assert.match(other.page.url(), /\/console\/live\/get_started/)
    const [there] = succeeded(await world.test.get('/v1/operators?email=grace@example.com')).data
    assert.equal(there.name, 'Grace Hopper')
    await panel.getByRole('cell', { name: 'Accepted' }).waitFor()

    await panel.getByRole('button', { name: 'Make a link' }).click()
    await panel.getByRole('button', { name: 'Revoke', exact: true }).click()
    await panel.getByRole('cell', { name: 'Pending' }).waitFor({ state: 'detached' })
    assert.equal(await link.count(), 0)
    const { data } = succeeded(await world.live.get(`/v1/operators/${id}/invitations`))
    assert.deepEqual(
      data.map(({ status }: Body) => status),
      ['revoked', 'accepted', 'revoked'],
    )
  })

  describe('archiving an operator', () => {
    /** The question about an operator with so many conversations, of which the last ones are closed. */
    async function withConversations(count: number, closed = 0) {
      const world = await api.world()
      const grace = await operator(world.test, { name: 'Grace Hopper' })
      const ids: string[] = []
      for (let i = 1; i <= count; i++) {
        const { id } = await conversation(world.test, { subject: `Question ${i}` })
        await act(world.test, id, 'assign', { assignee_id: grace })
        if (i > count - closed) await act(world.test, id, 'close')
        ids.push(id)
      }
      const person = await opened(world, 'operators')
      await person.page.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
      await person.page.getByRole('menuitem', { name: 'Archive' }).click()
      const isArchived = async () =>
        succeeded(await world.test.get(`/v1/operators/${grace}`)).archived as boolean
      const assignees = async () =>
        Promise.all(ids.map(async (id) => (await shown(world.test, id)).assignee_id as string | null))
      return { ...person, world, grace, ids, isArchived, assignees }
    }

    test('tells how many conversations they have, and gives them back to the departments', async () => {
      const { page, panel, grace, isArchived, assignees } = await withConversations(3, 1)
      await said(page, /the 2 conversations that are assigned to them/)
      await photograph(page, 'archive-operator')
      assert.deepEqual(await violationsOn(page), [])
      assert.equal(await isArchived(), false)
      await panel.getByRole('button', { name: 'Archive' }).click()
      await said(page, '“Grace Hopper” archived')
      assert.equal(await isArchived(), true)
      assert.deepEqual(await assignees(), [null, null, grace])
    })

    test('assigns them to a colleague; a failure is shown, archives nobody, and can be repeated', async () => {
      const { page, panel, ids, operatorId, isArchived, assignees } = await withConversations(2)
      await panel.getByLabel('Assign them to a colleague').check()
      const archive = panel.getByRole('button', { name: 'Archive' })
      await archive.click()
      await said(page, 'Choose a colleague')
      await panel.getByLabel('Colleague', { exact: true }).selectOption({ label: 'Ada Lovelace' })
      const refusal = { type: 'about:blank', title: 'Not now', status: 409, code: 'invalid_transition' }
      const path = `**/v1/conversations/${ids[1]}/assign`
      await page.route(path, (route) =>
        route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          body: JSON.stringify({ ...refusal, detail: 'It cannot be assigned now.', params: {}, errors: [] }),
        }),
      )
      await archive.click()
      await said(page, 'Question 2: It cannot be assigned now.')
      assert.equal(await isArchived(), false)
      await page.unroute(path)
      await archive.click()
      await said(page, '“Grace Hopper” archived')
      assert.equal(await isArchived(), true)
      assert.deepEqual(await assignees(), [operatorId, operatorId])
    })

    test('leaves them assigned if that is wanted', async () => {
      const { page, panel, grace, assignees } = await withConversations(1)
      await panel.getByLabel('Leave them assigned').check()
      await panel.getByRole('button', { name: 'Archive' }).click()
      await said(page, '“Grace Hopper” archived')
      assert.deepEqual(await assignees(), [grace])
    })

    test('the only administrator is neither archived nor demoted, and the dialog says why', async () => {
      const world = await api.world()
      const { page, panel, go, save, operatorId } = await opened(world, 'operators')
      await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
      await page.getByRole('menuitem', { name: 'Archive' }).click()
      await panel.getByText('This is the only administrator.').waitFor()
      assert.equal(await panel.getByRole('button', { name: 'Archive' }).count(), 0)
      await go(`operators/${operatorId}`)
      await panel.getByLabel('Agent').check()
      await save.click()
      await panel.getByText('This is the only administrator.').waitFor()
      assert.equal((await stored(world, 'operators', 'Ada Lovelace')).role, 'admin')
    })
  })
})
