import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { conversation, shown, succeeded } from '../desk.ts'
import { clientOf, service } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph } from './console.ts'
import { atDesk, composer, rowOf, written } from './inbox.ts'

/* A day at the desk: an end user in an app, two operators at the console, a server with its workers. */

const api = service({ works: true })

/** Milliseconds until the page shows the text, counted from now. */
async function waitedFor(page: Page, text: string): Promise<number> {
  const startedAtMs = performance.now()
  await page.getByText(text, { exact: true }).first().waitFor()
  return Math.round(performance.now() - startedAtMs)
}

async function openDesk(t: TestContext) {
  const world = await api.world()
  const ada = await atDesk(api, world, 'open')
  const grace = await atDesk(api, world, 'open', 'Grace Hopper')
  const session = succeeded(await world.test.post('/v1/end_user_sessions', { external_user_id: 'user_42' }))
  const customer = clientOf(api.url, session.token)
  for (const { page } of [ada, grace]) await page.getByRole('status', { name: 'Connected' }).waitFor()
  t.diagnostic(`end user ${session.end_user_id}`)
  return { world, ada, grace, customer }
}

describe('a day at the desk', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a question is seen, taken, answered and resolved, and everybody sees each step without a reload', async (t) => {
    const { world, ada, grace, customer } = await openDesk(t)
    const asked = await customer.post('/v1/me/conversations', {
      subject: 'Card declined',
      message: { body: 'My card was declined twice.' },
    })
    const { id } = succeeded(asked)
    await rowOf(ada.page, 'Card declined').waitFor()
    await rowOf(grace.page, 'Card declined').click()

    await rowOf(ada.page, 'Card declined').click()
    await ada.page.getByText('My card was declined twice.').first().waitFor()
    await ada.page.getByRole('button', { name: 'Take', exact: true }).waitFor()
    await ada.page.keyboard.press('c')
    await until('Ada has it', async () => (await shown(world.test, id)).assignee_id === ada.operatorId)

    await ada.page.keyboard.press('r')
    await composer(ada.page).fill('Let me check that for you.')
    await ada.page.keyboard.press('Control+Enter')
    t.diagnostic(`Grace sees the reply after ${await waitedFor(grace.page, 'Let me check that for you.')} ms`)
    const read = succeeded(await customer.get(`/v1/me/conversations/${id}/messages`)).data
    assert.deepEqual(
      read.map(({ body }: { body: string }) => body),
      ['My card was declined twice.', 'Let me check that for you.'],
    )

    await ada.page.keyboard.press('Escape')
    succeeded(await customer.post(`/v1/me/conversations/${id}/messages`, { body: 'Thank you, waiting.' }))
    t.diagnostic(`Ada sees the answer after ${await waitedFor(ada.page, 'Thank you, waiting.')} ms`)
    await photograph(ada.page, 'day-conversation')

    await ada.page.getByRole('button', { name: 'Resolve', exact: true }).waitFor()
    await ada.page.keyboard.press('e')
    await until('it is resolved', async () => (await shown(world.test, id)).status === 'resolved')
    await grace.page.getByRole('button', { name: 'Reopen' }).waitFor()
  })

  test('an internal note is seen by colleagues, and never by the end user', async (t) => {
    const { ada, grace, customer } = await openDesk(t)
    const { id } = succeeded(
      await customer.post('/v1/me/conversations', { subject: 'Refund', message: { body: 'Where is it?' } }),
    )
    for (const { page } of [ada, grace]) await rowOf(page, 'Refund').click()
    await ada.page.getByText('Where is it?').first().waitFor()
    await composer(ada.page).waitFor()
    await ada.page.keyboard.press('i')
    await composer(ada.page).fill('The bank has refused it.')
    await ada.page.keyboard.press('Control+Enter')
    await grace.page.getByText('The bank has refused it.').first().waitFor()
    const read = succeeded(await customer.get(`/v1/me/conversations/${id}/messages`))
    assert.doesNotMatch(JSON.stringify(read), /bank/)
  })

  test('unsent text survives a reload, and is not sent', async (t) => {
    const { world, ada } = await openDesk(t)
    const { id } = await conversation(world.test, { subject: 'Slow app', message: { body: 'It hangs.' } })
    await rowOf(ada.page, 'Slow app').click()
    await ada.page.getByText('It hangs.').first().waitFor()
    await ada.page.keyboard.press('r')
    await composer(ada.page).fill('Which version do you')
    await ada.page.reload()
    await ada.page.getByText('It hangs.').first().waitFor()
    await written(ada.page, 'Which version do you')
    assert.equal((await shown(world.test, id)).message_count, 1)
  })

  test('of two operators who take one conversation at once, one has it and the other is told', async (t) => {
    const { world, ada, grace } = await openDesk(t)
    const { id } = await conversation(world.test, { subject: 'Wrong invoice' })
    for (const { page } of [ada, grace]) {
      await rowOf(page, 'Wrong invoice').click()
      await page.getByRole('button', { name: 'Take' }).waitFor()
    }
    await Promise.all([ada, grace].map(({ page }) => page.keyboard.press('c')))
    await until('somebody has it', async () => (await shown(world.test, id)).assignee_id !== null)
    const { assignee_id } = await shown(world.test, id)
    const loser = assignee_id === ada.operatorId ? grace : ada
    const winner = assignee_id === ada.operatorId ? 'Ada Lovelace' : 'Grace Hopper'
    await loser.page.getByText(winner).first().waitFor()
  })
})
