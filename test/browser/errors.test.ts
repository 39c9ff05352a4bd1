import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { conversation } from '../desk.ts'
import { service } from '../harness.ts'
import { canBrowse, photograph, signInAs } from './console.ts'
import { composer, details, rowOf } from './inbox.ts'

/* Faults of the page itself, which an answer that it does not expect brings about. */

const api = service({ works: true, environment: { BACKLINE_SESSIONS_PER_MINUTE: '0' } })

const alert = { name: 'This part of the page has failed' }

describe('an error of a part of the page', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('takes one section of the details or one area, and the rest goes on', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Card declined', message: { body: 'Help.' } })
    const { page, faults } = await signInAs(api, world, { name: 'Ada Lovelace', role: 'agent' })
    await page.route('**/v1/end_users/*', (route) => route.fulfill({ json: {} }))
    await page.route('**/v1/kb/articles?*', (route) =>
      route.fulfill({ json: { data: [{}, {}], has_more: false, next_cursor: null } }),
    )

    await page.goto(`${api.url}/console/test/inbox/open/${id}`)
    await details(page).getByRole('heading', alert).waitFor()
    await details(page).getByText('Waiting for').waitFor()
    await composer(page).fill('A reply')
    await photograph(page, 'failed-section')
    await page.unroute('**/v1/end_users/*')

    await page.getByRole('link', { name: 'Knowledge' }).click()
    await page.getByRole('main').getByRole('heading', alert).waitFor()
    await page.getByRole('link', { name: 'Inbox' }).click()
    await rowOf(page, 'Card declined').waitFor()
    assert.equal(await page.getByRole('main').getByRole('heading', alert).count(), 0)
    assert.ok(faults.length > 0)
    faults.length = 0
  })
})
