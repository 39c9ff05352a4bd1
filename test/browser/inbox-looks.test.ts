import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { conversation, holdReason, say, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, violationsOn } from './console.ts'
import { atConversation, atDesk, composer, rowOf, rows, search, thread } from './inbox.ts'

const api = service({ works: true })

async function twoConversations(world: World): Promise<string[]> {
  const ids: string[] = []
  for (const subject of ['Refund', 'Card declined'])
    ids.push((await conversation(world.test, { subject, message: { body: `About: ${subject}` } })).id)
  return ids
}

const status = async (world: World, id: string) => (await shown(world.test, id)).status

/** Fails if the page is wider than the window, or is not accessible. */
async function isWell(page: Page, picture: string): Promise<void> {
  await photograph(page, picture)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, picture)
  assert.deepEqual(await violationsOn(page), [], picture)
}

describe('the inbox', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('at 360 px: one pane after the other, from a view to a reply, to the details and back', async () => {
    const world = await api.world()
    const [, id] = (await twoConversations(world)) as [string, string]
    const narrow = { viewport: { width: 360, height: 740 }, hasTouch: true }
    const { page } = await atDesk(api, world, 'mine', 'Ada Lovelace', narrow)
    await page.getByRole('heading', { name: 'Nothing to do' }).waitFor()
    await page.getByRole('button', { name: 'Menu' }).first().tap()
    await isWell(page, 'flow-narrow-1-menu')
    await page.getByRole('link', { name: /^Open/ }).tap()
    await rowOf(page, 'Card declined').waitFor()
    await isWell(page, 'flow-narrow-2-list')
    await rowOf(page, 'Card declined').tap()
    await thread(page).getByText('About: Card declined').waitFor()
    assert.equal(await rows(page).first().isVisible(), false)
    await composer(page).fill('Please try the other card.')
    await isWell(page, 'flow-narrow-3-reply')
    await page.getByRole('button', { name: 'Send', exact: true }).tap()
    await thread(page).getByText('Please try the other card.').waitFor()
    await page.getByRole('button', { name: 'Resolve', exact: true }).tap()
    await until('it is resolved', async () => (await status(world, id)) === 'resolved')
    await page.getByRole('button', { name: 'Details' }).tap()
    await page.getByRole('heading', { name: 'Details', level: 1 }).waitFor()
    await page.getByText('No SLA applies to this conversation.').waitFor()
    await isWell(page, 'flow-narrow-5-details')
    await page.getByRole('button', { name: 'Back' }).last().tap()
    await thread(page).waitFor()
    await page.getByRole('button', { name: 'Back' }).first().tap()
    await rowOf(page, 'Refund').waitFor()
  })

  test('enlarged to 200 %: most of the window is for the messages, and each tells its time', async () => {
    const world = await api.world()
    const [id] = (await twoConversations(world)) as [string]
    for (const body of ['Hello?', 'Is anybody there?']) await say(world.test, id, 'end_user', { body })
    const enlarged = { viewport: { width: 720, height: 450 } }
    const { page } = await atConversation(api, world, id, 'Ada Lovelace', enlarged)
    await page.getByRole('button', { name: 'Resolve', exact: true }).getByText('Resolve').waitFor()
    const share = await thread(page).evaluate(
      ({ clientHeight }: { clientHeight: number }) => clientHeight / 450,
    )
    assert.ok(share >= 0.6, `${share} of the window`)
    assert.equal(await thread(page).locator('article time').count(), 3)
    const last = thread(page).locator('article').last()
    await last.hover()
    const opacity =
      "getComputedStyle([...document.querySelectorAll('article')].at(-1).querySelector('header')).opacity"
    await until('its time is shown', async () => (await page.evaluate(opacity)) === '1')
    await isWell(page, 'flow-enlarged')
  })

  test('in German and dark: everything a reply needs is in German', async () => {
    const world = await api.world()
    const [id] = (await twoConversations(world)) as [string]
    await holdReason(world.test, { name: 'Bank' })
    const german = { locale: 'de-DE', colorScheme: 'dark' } as const
    const { page } = await atConversation(api, world, id, 'Ada Lovelace', german)
    await composer(page).fill('Wir kümmern uns darum.')
    await page.getByRole('button', { name: 'Senden', exact: true }).click()
    await thread(page).getByText('Wir kümmern uns darum.').waitFor()
    await page.getByRole('tab', { name: 'Notiz' }).click()
    await page.getByRole('textbox', { name: 'Notiz' }).fill('Nur für uns')
    await page.getByRole('button', { name: 'Notiz speichern' }).click()
    await thread(page).getByText('Interne Notiz').waitFor()
    await page.getByRole('button', { name: 'Zurückstellen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Zurückstellen' })
    await dialog.getByLabel('Grund').waitFor()
    await isWell(page, 'flow-german-dark-1-hold')
    await dialog.getByRole('button', { name: 'Zurückstellen' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Fortsetzen' }).click()
    await page.getByRole('button', { name: 'Lösen' }).click()
    await page.getByRole('button', { name: 'Wieder öffnen' }).waitFor()
    await thread(page).getByText('hat sie gelöst').waitFor()
    await isWell(page, 'flow-german-dark-2-resolved')
    const text = await page.locator('body').innerText()
    assert.doesNotMatch(
      text,
      /\b(Reply|Send|Open|Resolved|Assign|Priority|Unassigned|Search|Nobody|took|hold)\b/,
    )
    assert.equal(await status(world, id), 'resolved')
  })

  test('by the keyboard alone: a day without a mouse', async () => {
    const world = await api.world()
    const [later, first] = (await twoConversations(world)) as [string, string]
    succeeded(await world.test.post('/v1/tags', { name: 'vip' }))
    const { page, operatorId } = await atDesk(api, world, 'open')
    const keys = async (...pressed: string[]) => {
      for (const key of pressed) await page.keyboard.press(key)
    }
    const type = async (text: string, found: string) => {
      await search(page).waitFor()
      await page.keyboard.type(text)
      await page.locator('[role=option]').first().filter({ hasText: found }).waitFor()
    }
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await rows(page).first().waitFor()
    await keys('j')
    await page.locator('a[data-row]:focus').filter({ hasText: 'Card declined' }).waitFor()
    await keys('Enter')
    await button('Take').waitFor()
    await keys('c')
    await until('Ada has it', async () => (await shown(world.test, first)).assignee_id === operatorId)
    await keys('t')
    await type('vip', 'vip')
    await keys('Enter', 'Escape')
    await until('it has the tag', async () => (await shown(world.test, first)).tags.includes('vip'))
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await keys('p')
    await type('high', 'High')
    await keys('Enter')
    await until('it has the priority', async () => (await shown(world.test, first)).priority === 'high')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await keys('r')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('Please try again.')
    await keys('Control+Enter')
    await thread(page).getByText('Please try again.').waitFor()
    await keys('Escape', 'e')
    await until('it is resolved', async () => (await status(world, first)) === 'resolved')
    await keys('j')
    await page.locator('a[data-row]:focus').filter({ hasText: 'Refund' }).waitFor()
    await keys('Enter')
    await page.getByRole('heading', { name: 'Refund' }).waitFor()
    await button('Resolve').waitFor()
    await keys('Control+k')
    await type('resolve', 'Resolve')
    await keys('Enter')
    await until('it is resolved', async () => (await status(world, later)) === 'resolved')
    await keys('g', 'k')
    await page.getByRole('heading', { name: 'Articles', exact: true }).waitFor()
    await keys('g', 'i')
    await page.getByRole('heading', { name: 'Open' }).waitFor()
    await keys('/')
    await page.locator('input[type=search]:focus').waitFor()
  })
})
