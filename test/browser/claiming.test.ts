import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { conversation, shown, succeeded } from '../desk.ts'
import { service } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'
import { atDesk, press, ready, rowOf, toast } from './inbox.ts'

const api = service({ works: true })

describe('who gets a conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a department that is created in the console has replies that assign, and the order that was chosen', async () => {
    const world = await api.world()
    const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' })
    await page.goto(`${api.url}/console/test/setup/departments/new`)
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Name').fill('Billing')
    const assigns = panel.getByLabel('A reply assigns the conversation')
    assert.equal(await assigns.isChecked(), true)
    await panel.getByLabel('Next conversation').selectOption('due')
    await panel.getByText(/What is overdue most comes first/).waitFor()
    await panel.getByRole('button', { name: 'Create' }).click()
    await page.getByText('“Billing” created').waitFor()
    const path = `/v1/departments/${page.url().split('/').at(-1)}`
    const wanted = { name: 'Billing', claim_order: 'due', reply_assigns: true }
    assert.partialDeepStrictEqual(succeeded(await world.test.get(path)), wanted)
    await assigns.uncheck()
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Billing” saved').waitFor()
    assert.equal(succeeded(await world.test.get(path)).reply_assigns, false)
  })

  test('the workspace has the same for conversations without a department, stored at once', async () => {
    const world = await api.world()
    const { page } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' })
    await page.goto(`${api.url}/console/test/setup/workspace`)
    const [order, assigns] = [
      page.getByLabel('Next conversation'),
      page.getByLabel('A reply assigns the conversation'),
    ]
    await order.waitFor()
    assert.deepEqual([await order.inputValue(), await assigns.isChecked()], ['waiting', false])
    const becomes = (wanted: object) =>
      until(JSON.stringify(wanted), async () => {
        const { claim_order, reply_assigns } = succeeded(await world.test.get('/v1/workspace'))
        return JSON.stringify({ claim_order, reply_assigns }) === JSON.stringify(wanted)
      })
    await order.selectOption('priority')
    await becomes({ claim_order: 'priority', reply_assigns: false })
    await assigns.check()
    await becomes({ claim_order: 'priority', reply_assigns: true })
    await page.reload()
    await order.waitFor()
    assert.deepEqual([await order.inputValue(), await assigns.isChecked()], ['priority', true])
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'setup-workspace')
  })

  test('n takes the next one by the order of the workspace, and says which order that is', async () => {
    const world = await api.world()
    await conversation(world.test, { subject: 'First' })
    const urgent = await conversation(world.test, { subject: 'Urgent one', priority: 'urgent' })
    succeeded(await world.test.patch('/v1/workspace', { claim_order: 'priority' }))
    const { page, operatorId } = await atDesk(api, world, 'open')
    await rowOf(page, 'Urgent one').waitFor()
    await press(page, 'n')
    await toast(page, 'The next by priority').waitFor()
    await page.getByRole('heading', { name: 'Urgent one' }).waitFor()
    await ready(page)
    assert.equal((await shown(world.test, urgent.id)).assignee_id, operatorId)
  })
})
