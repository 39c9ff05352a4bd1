import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { act, conversation, succeeded } from '../desk.ts'
import { service } from '../harness.ts'
import { canBrowse } from './console.ts'
import { atDesk, rows } from './inbox.ts'

const api = service({ works: true })

const counted = (page: Page, view: string, count: string) =>
  page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(`^${view}`) })
    .getByText(count, { exact: true })
    .waitFor()

/** The requests of a page that count, whatever they count. */
function countings(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.endsWith('/counts') || search.includes('include=total')) asked.push(pathname)
  })
  return asked
}

describe('the counts of the sidebar', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('follow a change of a colleague by one request for all views, and ask for nothing without one', async () => {
    const world = await api.world()
    const high = { field: 'priority', op: 'is', value: 'high' }
    const saved = succeeded(await world.test.post('/v1/views', { name: 'Hurry', filter: high }))
    const { id } = await conversation(world.test, { subject: 'Card declined' })
    const { page, operatorId } = await atDesk(api, world, 'open')
    await rows(page).first().waitFor()
    for (const view of ['Open', 'Unassigned', 'All']) await counted(page, view, '1')
    const asked = countings(page)

    await act(world.test, id, 'assign', { assignee_id: operatorId })
    await counted(page, 'Mine', '1')
    assert.deepEqual(asked, ['/v1/views/counts'])

    // Later than the two seconds in which another hint could come.
    succeeded(await world.test.post('/v1/tags', { name: 'vip' }))
    await page.waitForTimeout(2_500)
    assert.equal(asked.length, 1)

    succeeded(await world.test.patch(`/v1/conversations/${id}`, { priority: 'high' }))
    await counted(page, 'Hurry', '1')
    assert.deepEqual(asked, ['/v1/views/counts', '/v1/views/counts'])

    await act(world.test, id, 'resolve')
    await counted(page, 'Resolved', '1')

    succeeded(await world.test.patch(`/v1/views/${saved.id}`, { name: 'Never', filter: { not: high } }))
    await page.getByRole('navigation').getByRole('link', { name: 'Never', exact: true }).waitFor()
  })
})
