import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Body, conversation, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, violationsOn } from './console.ts'
import {
  type AtDesk,
  atConversation,
  atDesk,
  composer,
  pick,
  press,
  ready,
  rowOf,
  search,
  thread,
  written,
} from './inbox.ts'

const api = service({ works: true })

const asked = async (world: World): Promise<string> =>
  (await conversation(world.test, { subject: 'Card declined', message: { body: 'Why?' } })).id

const notes = async (world: World, id: string): Promise<Body[]> =>
  succeeded(await world.test.get(`/v1/conversations/${id}/messages`)).data.slice(1)

/** The kinds of what an operator has been notified of. */
const noticed = async ({ test: client }: World, operatorId: string): Promise<string[]> => {
  const list = await client.get('/v1/notifications', { 'backline-operator': operatorId })
  return succeeded(list).data.map(({ kind }: Body) => kind)
}

/** Ada and Grace at the same conversation. */
async function bothAt(world: World, id: string): Promise<[AtDesk, AtDesk]> {
  const grace = await atConversation(api, world, id, 'Grace Hopper')
  return [await atConversation(api, world, id), grace]
}

const mark = (page: Page, text: string) => thread(page).locator('mark', { hasText: text })
const followers = (page: Page, names: string) => page.getByRole('button', { name: `Followers: ${names}` })

/** Writes a note up to the sign that opens the list. */
async function beginNote(page: Page, text: string): Promise<void> {
  await press(page, 'i')
  await composer(page).and(page.getByLabel('Note')).waitFor()
  await page.keyboard.type(text)
  await search(page).waitFor()
}

describe('a mention', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('is found by typing, notifies the colleague, is marked by name, and stays when the note is edited', async () => {
    const world = await api.world()
    const id = await asked(world)
    const [{ page }, grace] = await bothAt(world, id)
    await beginNote(page, 'Please look, @')
    await page.keyboard.type('gr')
    await page.getByRole('option', { name: /^Grace Hopper/ }).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'mention-list')
    await pick(page, 'gr', 'Grace Hopper')
    await written(page, 'Please look, @Grace Hopper ')
    await page.keyboard.type('thanks')
    await composer(page).press('Control+Enter')
    await mark(page, '@Grace Hopper').waitFor()
    await mark(grace.page, '@Grace Hopper').and(grace.page.locator('[data-own]')).waitFor()
    assert.equal(await mark(page, '@Grace Hopper').and(page.locator('[data-own]')).count(), 0)
    await until('Grace is notified', async () => (await noticed(world, grace.operatorId)).length === 1)
    assert.deepEqual(await noticed(world, grace.operatorId), ['mentioned'])
    await followers(page, 'Grace Hopper').waitFor()
    assert.deepEqual(await violationsOn(grace.page), [])

    const note = thread(page).getByRole('article').filter({ hasText: 'Please look' })
    await note.hover()
    await note.getByRole('button', { name: /actions$/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit note' })
    assert.equal(await dialog.getByRole('textbox').inputValue(), 'Please look, @Grace Hopper thanks')
    await dialog.getByRole('textbox').fill('Please look today, @Grace Hopper')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await thread(page).getByText('Please look today').waitFor()
    await mark(page, '@Grace Hopper').waitFor()
    const [{ body, mentions }] = await notes(world, id)
    assert.deepEqual([body, mentions], ['Please look today, @Grace Hopper', [grace.operatorId]])
  })

  test('ends with its name in the text; what chooses nobody is text', async () => {
    const world = await api.world()
    const id = await asked(world)
    const [{ page }, grace] = await bothAt(world, id)
    await beginNote(page, '@')
    await pick(page, 'hopper', 'Grace Hopper')
    await written(page, '@Grace Hopper ')
    await composer(page).fill('Never mind, ')
    await composer(page).press('End')
    await page.keyboard.type('@')
    await search(page).waitFor()
    await page.keyboard.type('home ')
    await written(page, 'Never mind, @home ')
    // What is searched in a list that a button has opened is no text.
    await page.getByRole('button', { name: 'Mention a colleague' }).click()
    await search(page).waitFor()
    await page.keyboard.type('nobody')
    await page.keyboard.press('Escape')
    await search(page).waitFor({ state: 'detached' })
    await written(page, 'Never mind, @home ')
    await composer(page).press('Control+Enter')
    await until('the note is written', async () => (await notes(world, id)).length === 1)
    assert.deepEqual((await notes(world, id))[0].mentions, [])
    succeeded(
      await world.test.post(
        `/v1/conversations/${id}/messages`,
        { author_side: 'operator', visibility: 'internal', body: 'By API', mentions: [grace.operatorId] },
        { 'backline-operator': grace.operatorId },
      ),
    )
    await thread(page).getByText('Mentions Grace Hopper').waitFor()
  })

  test('is nothing in a reply', async () => {
    const world = await api.world()
    const id = await asked(world)
    const [{ page }, grace] = await bothAt(world, id)
    await press(page, 'r')
    await composer(page).and(page.getByLabel('Reply')).waitFor()
    await page.keyboard.type('Hello @Grace Hopper')
    await written(page, 'Hello @Grace Hopper')
    assert.equal(await page.getByRole('button', { name: 'Mention a colleague' }).count(), 0)
    await composer(page).press('Control+Enter')
    await until('it is sent', async () => (await notes(world, id)).length === 1)
    await thread(grace.page).getByText('Hello @Grace Hopper').waitFor()
    assert.deepEqual((await notes(world, id))[0].mentions, [])
    assert.equal(await mark(page, '@Grace Hopper').count(), 0)
  })
})

describe('following', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('begins and ends by a key, is seen by colleagues, and has a view with its number', async () => {
    const world = await api.world()
    const id = await asked(world)
    const [{ page }, grace] = await bothAt(world, id)
    await press(page, 'w')
    await followers(page, 'Ada Lovelace').waitFor()
    await followers(grace.page, 'Ada Lovelace').waitFor()
    const view = page.getByRole('list', { name: 'Views' }).getByRole('link', { name: /^Following/ })
    await view.getByText('1', { exact: true }).waitFor()
    await view.click()
    await rowOf(page, 'Card declined').click()
    await ready(page)
    await press(page, 'w')
    await followers(page, 'Ada Lovelace').waitFor({ state: 'detached' })
    await followers(grace.page, 'Ada Lovelace').waitFor({ state: 'detached' })
    assert.deepEqual(succeeded(await world.test.get(`/v1/conversations/${id}/followers`)).data, [])
  })

  test('is decided for colleagues too, in a list that says why', async () => {
    const world = await api.world()
    const id = await asked(world)
    const { page, operatorId } = await atDesk(api, world, 'open')
    succeeded(
      await world.test.post(`/v1/conversations/${id}/messages`, {
        author_side: 'operator',
        operator_id: operatorId,
        body: 'Because.',
      }),
    )
    const path = `/v1/conversations/${id}/followers`
    await until('Ada follows', async () => succeeded(await world.test.get(path)).data.length === 1)
    await page
      .getByRole('list', { name: 'Views' })
      .getByRole('link', { name: /^Following/ })
      .click()
    await rowOf(page, 'Card declined').click()
    await ready(page)
    const grace = await atConversation(api, world, id, 'Grace Hopper')
    await followers(page, 'Ada Lovelace').click()
    await page.getByRole('option', { name: /Ada Lovelace \(you\).*since an answer/ }).waitFor()
    await pick(page, 'grace', 'Grace Hopper')
    await followers(grace.page, 'Ada Lovelace, Grace Hopper').waitFor()
    await page.getByRole('option', { name: /Grace/, selected: true }).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'followers')
  })
})
