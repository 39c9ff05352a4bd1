import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { conversation, shown, succeeded } from '../desk.ts'
import { service } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'
import { atConversation, press, rowOf } from './inbox.ts'

const api = service({ works: true })

const inTenDays = new Date(Date.now() + 10 * 86_400_000)
/** A day in ten days, as a language writes it. */
const dayIn = (locale: string) =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'Europe/Berlin',
  }).format(inTenDays)

/** Whether the element is in a state. The types of tests know no elements. */
const is = (field: Locator, state: ':open' | ':focus'): Promise<boolean> =>
  field.evaluate(
    (each: unknown, name) => (each as { matches(selector: string): boolean }).matches(name),
    state,
  )
const isOpen = (select: Locator) => is(select, ':open')
const hasFocus = (field: Locator) => is(field, ':focus')
const becomes = (what: string, field: Locator, value: string) =>
  until(what, async () => (await field.inputValue()).replace('\u202f', ' ') === value)

describe('controls', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a select is used by keyboard: Escape closes its list and leaves the dialog, arrows choose', async () => {
    const world = await api.world()
    const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' })
    await page.goto(`${api.url}/console/test/setup/departments/new`)
    const panel = page.getByRole('dialog')
    const select = panel.getByLabel('Next conversation')
    await select.focus()
    await page.keyboard.press('Space')
    assert.equal(await isOpen(select), true)
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'select-open')
    await page.keyboard.press('Escape')
    assert.equal(await isOpen(select), false)
    assert.equal(await panel.isVisible(), true)
    await until('the select has the focus again', () => hasFocus(select))
    await page.keyboard.press('Space')
    await until('the list is open', () => isOpen(select))
    const due = select.locator('option[value=due]')
    await until('the arrow has moved to the entry', async () => {
      if (!(await is(due, ':focus'))) await page.keyboard.press('ArrowDown')
      return is(due, ':focus')
    })
    await page.keyboard.press('Enter')
    await becomes('the entry is chosen', select, 'due')
    assert.equal(await isOpen(select), false)
    assert.equal(await hasFocus(select), true)
  })

  test('a time is typed as English writes it, and changed in the calendar by keyboard', async () => {
    const world = await api.world()
    succeeded(await world.test.post('/v1/hold_reasons', { name: 'Bank', default_duration_seconds: 172_800 }))
    const { id } = await conversation(world.test, { subject: 'Card declined' })
    const { page } = await atConversation(api, world, id)
    await press(page, 'h')
    const dialog = page.getByRole('dialog', { name: 'Put on hold' })
    await dialog.getByRole('option', { name: 'Bank (2 d)' }).waitFor({ state: 'attached' })
    const field = dialog.getByLabel('Until')

    await field.fill('tomorrow')
    await page.keyboard.press('Tab')
    const fault = dialog.getByText(/^This is not a date\. Write it like \d\d\/\d\d\/\d{4}, \d+:\d\d [AP]M\.$/)
    await fault.waitFor()
    await dialog.getByRole('button', { name: 'Put on hold' }).click()
    await until('the field with the fault has the focus', () => hasFocus(field))
    await field.fill(`${dayIn('en-US')} 4:30pm`)
    await fault.waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await becomes('the time is written out', field, `${dayIn('en-US')}, 4:30 PM`)

    await field.press('Alt+ArrowDown')
    const grid = page.getByRole('grid')
    await grid.waitFor()
    await until('a day has the focus', () => grid.locator(':focus').count().then(Boolean))
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'calendar')
    await page.keyboard.press('Escape')
    await grid.waitFor({ state: 'detached' })
    assert.equal(await dialog.isVisible(), true)
    await until('the field has the focus again', () => hasFocus(field))

    await field.press('Alt+ArrowDown')
    await until('a day has the focus', () => grid.locator(':focus').count().then(Boolean))
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowRight', 'Enter'])
      await page.keyboard.press(key)
    const next = new Date(inTenDays.getTime() + 86_400_000).toLocaleDateString('en-US', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone: 'Europe/Berlin',
    })
    await becomes('the next day is chosen', field, `${next}, 4:30 PM`)
    await page.getByRole('textbox', { name: 'Time' }).fill('16:45')
    await page.getByRole('button', { name: 'Done' }).click()
    await becomes('the time of the day is changed', field, `${next}, 4:45 PM`)
    await dialog.getByRole('button', { name: 'Put on hold' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { hold } = await shown(world.test, id)
    const stored = new Date(hold.until).toLocaleString('en-US', { timeZone: 'Europe/Berlin' })
    assert.match(stored.replace('\u202f', ' '), /, 4:45:00 PM$/)
  })

  test('a German page has German dates, weeks from Monday, 24 hours, and faults in German', async () => {
    const world = await api.world()
    succeeded(await world.test.post('/v1/hold_reasons', { name: 'Bank' }))
    const { id } = await conversation(world.test, { subject: 'Karte gesperrt' })
    const { page } = await atConversation(api, world, id, 'Ada Lovelace', {
      locale: 'de-DE',
      colorScheme: 'dark',
    })
    const time = page.locator('a[data-row]').locator('time')
    assert.match(await time.innerText(), /^(jetzt|\d+ (s|min))$/)
    assert.match((await time.getAttribute('title'))!, /^\p{L}{2}\., \d+\. \p{L}+\.?, \d{1,2}:\d\d$/u)
    await press(page, 'h')
    const dialog = page.getByRole('dialog', { name: 'Zurückstellen' })
    await dialog.getByRole('button', { name: 'Morgen, 9:00' }).waitFor()
    const field = dialog.getByLabel('Bis')
    assert.equal(await field.getAttribute('placeholder'), 'TT.MM.JJJJ, hh:mm')
    await field.fill('morgen')
    await page.keyboard.press('Tab')
    await dialog.getByText('Das ist kein Datum.').waitFor()
    await field.fill(`${dayIn('de-DE')} 16.30 Uhr`)
    await page.keyboard.press('Tab')
    await becomes('the time is written out', field, `${dayIn('de-DE')}, 16:30`)
    await dialog.getByRole('button', { name: 'Im Kalender wählen' }).click()
    const days = page.getByRole('grid').getByRole('columnheader')
    await days.first().waitFor()
    assert.equal((await days.first().innerText()).slice(0, 2), 'Mo')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('times have one form: how long ago, and the date with its time on hovering', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Card declined' })
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 7_300 }))
    const { page } = await atConversation(api, world, id)
    const time = rowOf(page, 'Card declined').locator('time')
    assert.equal(await time.innerText(), '2 h')
    const form = /^\w{3}, \w{3} \d+, \d+:\d\d [AP]M$/
    assert.match((await time.getAttribute('title'))!, form)
    const created = page.getByRole('complementary', { name: 'Details' }).getByText(/^Started /)
    assert.match(await created.innerText(), /^Started \w{3}, \w{3} \d+, \d+:\d\d [AP]M /)
  })

  test('faults are told at the field in our words, and go when it is corrected', async () => {
    const world = await api.world()
    succeeded(await world.test.post('/v1/tags', { name: 'refund' }))
    const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' })
    const panel = page.getByRole('dialog')
    await page.goto(`${api.url}/console/test/setup/tags/new`)
    const name = panel.getByLabel('Name')
    await panel.getByRole('button', { name: 'Create' }).click()
    const missing = panel.getByText('Fill this in.')
    await missing.waitFor()
    assert.equal(await hasFocus(name), true)
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    assert.deepEqual(await violationsOn(page), [])
    await name.fill('refund')
    await missing.waitFor({ state: 'detached' })
    await panel.getByRole('button', { name: 'Create' }).click()
    const taken = panel.getByText('Another one has this already')
    await taken.waitFor()
    await until('the field with the fault has the focus', () => hasFocus(name))
    await name.fill('refunds')
    await taken.waitFor({ state: 'detached' })
    assert.equal(await name.getAttribute('aria-invalid'), 'false')

    await page.goto(`${api.url}/console/test/setup/operators/new`)
    await panel.getByLabel('E-mail address').fill('grace')
    await page.keyboard.press('Tab')
    const noEmail = panel.getByText('Write an e-mail address, such as ada@example.com.')
    await noEmail.waitFor()
    await panel.getByLabel('E-mail address').fill('grace@example.com')
    await noEmail.waitFor({ state: 'detached' })

    await page.goto(`${api.url}/console/test/setup/custom_fields/new`)
    await panel.getByLabel('Name').fill('Plan')
    await panel.getByLabel('Key').fill('Two words')
    await panel.getByRole('button', { name: 'Create' }).click()
    await panel.getByText(/^Must have the format of this example: \w+$/).waitFor()
  })

  test('a table is sorted by its headers, up, down and not', async () => {
    const world = await api.world()
    for (const name of ['card', 'api', 'bug']) succeeded(await world.test.post('/v1/tags', { name }))
    const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'lead' })
    await page.goto(`${api.url}/console/test/setup/tags`)
    const header = page.getByRole('columnheader', { name: 'Name' })
    const names = () => page.locator('tbody tr td:first-child').allInnerTexts()
    const order = async (sort: string | null, wanted: string[]) => {
      await until(`the order is ${sort}`, async () => (await header.getAttribute('aria-sort')) === sort)
      assert.deepEqual(
        (await names()).map((each) => each.trim()),
        wanted,
      )
    }
    await header.getByRole('button').click()
    await order('ascending', ['api', 'bug', 'card'])
    assert.deepEqual(await violationsOn(page), [])
    await header.getByRole('button').press('Enter')
    await order('descending', ['card', 'bug', 'api'])
    await header.getByRole('button').press('Enter')
    await order(null, ['api', 'bug', 'card'])
  })

  test('a drawer is as tall as its form, and the question about discarding covers it', async () => {
    const world = await api.world()
    const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'lead' })
    await page.goto(`${api.url}/console/test/setup/tags/new`)
    const panel = page.getByRole('dialog', { name: 'New tag' })
    await panel.getByLabel('Name').fill('refund')
    const box = (await panel.boundingBox())!
    assert.ok(box.height < page.viewportSize()!.height / 1.5, `${box.height}`)
    await page.keyboard.press('Escape')
    await page.getByText('Discard your changes?').waitFor()
    const isCovered = await page.evaluate(
      `document.elementFromPoint(${box.x + box.width - 30}, ${box.y + 30})?.closest('[role=dialog]') === null`,
    )
    assert.equal(isCovered, true)
    await photograph(page, 'discard')
  })

  test('a tooltip shows for the pointer and the keyboard, can be reached, and goes when its button is pressed', async () => {
    const world = await api.world()
    const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' })
    const { id } = await conversation(world.test)
    await page.goto(`${api.url}/console/test/inbox/open/${id}`)
    const resolve = page.getByRole('button', { name: 'Resolve', exact: true })
    const bold = page.getByRole('button', { name: 'Bold', exact: true })
    const tooltip = page.locator('[role=tooltip]')
    await resolve.hover()
    await tooltip.waitFor()
    assert.match(await tooltip.innerText(), /^Resolve/)
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'tooltip')
    await tooltip.hover()
    await page.waitForTimeout(300)
    assert.equal(await tooltip.isVisible(), true)
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'hidden' })

    await bold.hover()
    await tooltip.waitFor()
    assert.match(await tooltip.innerText(), /^Bold/)
    await bold.click()
    await tooltip.waitFor({ state: 'hidden' })
    await page.waitForTimeout(600)
    assert.equal(await tooltip.isVisible(), false)

    await page.mouse.move(1, 1)
    await bold.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await tooltip.waitFor()
    assert.match(await tooltip.innerText(), /^Bold/)
    await page.keyboard.press('Tab')
    await until('the tooltip is that of the next button', async () =>
      (await tooltip.innerText()).startsWith('Format: '),
    )
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'hidden' })

    // Escape dismisses it, and no more: the drawer stays.
    await page.goto(`${api.url}/console/test/setup/tags/new`)
    const panel = page.getByRole('dialog', { name: 'New tag' })
    await panel.getByLabel('Name').focus()
    await page.keyboard.press('Shift+Tab')
    await tooltip.waitFor()
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'hidden' })
    assert.equal(await panel.isVisible(), true)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  })
})
