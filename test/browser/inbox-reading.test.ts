import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { conversation, operator, say, shown, succeeded } from '../desk.ts'
import { service } from '../harness.ts'
import { until } from '../processes.ts'
import { stateOf } from '../read-states.ts'
import { canBrowse } from './console.ts'
import { atDesk, command, ready, rowOf, rows } from './inbox.ts'

const api = service({ works: true })

const unreadIn = (page: Page, subject: string, count: number) =>
  rowOf(page, subject).getByText(`${count} unread message${count === 1 ? '' : 's'}`)
const box = (page: Page) => page.getByRole('list', { name: 'Views' }).getByRole('link', { name: /^Unread/ })

describe('reading', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('is one’s own: who looks reads for themselves, and for the team only what is theirs', async () => {
    const world = await api.world()
    const { test: client } = world
    const { page, operatorId } = await atDesk(api, world, 'open')
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    const { id } = await conversation(client, {
      subject: 'Card declined',
      assignee_id: await operator(client),
      message: { body: 'It was **declined** [twice](https://example.com)', body_format: 'markdown' },
    })
    await unreadIn(page, 'Card declined', 1).waitFor({ state: 'attached' })
    await rowOf(page, 'Card declined').getByText('It was declined twice').waitFor()
    await box(page).getByText('1', { exact: true }).waitFor()
    await rowOf(page, 'Card declined').click()
    await ready(page)
    await unreadIn(page, 'Card declined', 1).waitFor({ state: 'detached' })
    assert.equal((await stateOf(client, operatorId, id)).unread_count, 0)
    assert.equal((await shown(client, id)).unread_count.operator, 1)
    succeeded(await client.post(`/v1/conversations/${id}/assign`, { assignee_id: operatorId }))
    await until('it is read for the team', async () => (await shown(client, id)).unread_count.operator === 0)
  })

  test('can be undone, and what another client has read is read here', async () => {
    const world = await api.world()
    const { test: client } = world
    const { page, operatorId } = await atDesk(api, world, 'to_read')
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    const { id } = await conversation(client, { subject: 'Refund', message: { body: 'Where is it?' } })
    const { id: other } = await conversation(client, { subject: 'Invoice', message: { body: 'Which one?' } })
    await unreadIn(page, 'Refund', 1).waitFor({ state: 'attached' })
    await unreadIn(page, 'Invoice', 1).waitFor({ state: 'attached' })
    await say(client, id, 'end_user', { body: 'Still?' })
    await unreadIn(page, 'Refund', 2).waitFor({ state: 'attached' })
    await rowOf(page, 'Refund').getByText('Still?').waitFor()
    await rowOf(page, 'Refund').click()
    await ready(page)
    await unreadIn(page, 'Refund', 2).waitFor({ state: 'detached' })
    await command(page, 'Mark as unread')
    await unreadIn(page, 'Refund', 1).waitFor({ state: 'attached' })
    assert.equal((await stateOf(client, operatorId, id)).unread_count, 1)
    succeeded(
      await client.post(`/v1/conversations/${other}/mark_read`, {}, { 'backline-operator': operatorId }),
    )
    await rowOf(page, 'Invoice').waitFor({ state: 'detached' })
    assert.equal(await rows(page).count(), 1)
  })
})
