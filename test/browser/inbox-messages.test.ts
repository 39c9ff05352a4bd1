import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import type { Page } from 'playwright-core'
import { act, type Body, conversation, say, succeeded } from '../desk.ts'
import { png } from '../file-samples.ts'
import { file } from '../files.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'
import { type AtDesk, atConversation, atDesk, composer, ready, thread, toast, written } from './inbox.ts'

const api = service({ works: true })

const messages = async (world: World, id: string): Promise<Body[]> =>
  succeeded(await world.test.get(`/v1/conversations/${id}/messages?limit=100`)).data

const messageOf = (page: Page, text: string | RegExp) =>
  thread(page).getByRole('article').filter({ hasText: text })

/** Opens the menu of a message, and returns the names of its items. */
async function openMenu(page: Page, text: string | RegExp): Promise<string[]> {
  await messageOf(page, text).hover()
  await messageOf(page, text)
    .getByRole('button', { name: /actions$/ })
    .click()
  await page.getByRole('menuitem').first().waitFor()
  return page.getByRole('menuitem').allTextContents()
}

async function choose(page: Page, text: string | RegExp, item: string): Promise<void> {
  await openMenu(page, text)
  await page.getByRole('menuitem', { name: item }).click()
}

/** A page with the clipboard, on which a text can be read that was copied. */
async function withClipboard({ context, page }: AtDesk): Promise<() => Promise<string>> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  return () => page.evaluate<string>('navigator.clipboard.readText()')
}

const withReply = async (world: World, operator_id?: string) => {
  const { id } = await conversation(world.test, { subject: 'Refund', message: { body: 'Where is it?' } })
  await say(world.test, id, 'operator', { body: 'It is on its wya.', ...(operator_id && { operator_id }) })
  return id as string
}

describe('the menu of a message', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('edits a reply; the former text is shown with who wrote it and when', async () => {
    const world = await api.world()
    const id = await withReply(world)
    const { page } = await atConversation(api, world, id)
    await choose(page, 'on its wya', 'Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit message' })
    await dialog.getByRole('textbox').fill('It is on its way.')
    await photograph(page, 'message-edit')
    assert.deepEqual(await violationsOn(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await messageOf(page, 'It is on its way.').waitFor()
    await messageOf(page, 'on its way').getByRole('button', { name: 'edited' }).click()
    const revisions = page.getByRole('dialog', { name: 'Former texts' })
    await revisions.getByText('It is on its wya.').waitFor()
    await revisions.getByText(/Now · Ada Lovelace · /).waitFor()
    await photograph(page, 'message-revisions')
    assert.deepEqual(await violationsOn(page), [])
    assert.equal((await messages(world, id))[1].body, 'It is on its way.')
  })

  test('an edit of a text that a colleague has changed meanwhile shows both, and is not lost', async () => {
    const world = await api.world()
    const id = await withReply(world)
    const { page } = await atConversation(api, world, id)
    await choose(page, 'on its wya', 'Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit message' })
    await dialog.getByRole('textbox').fill('Mine')
    const [, { id: messageId }] = await messages(world, id)
    succeeded(await world.test.patch(`/v1/messages/${messageId}`, { body: 'Theirs' }))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('Theirs').waitFor()
    assert.equal((await messages(world, id))[1].body, 'Theirs')
    await dialog.getByRole('button', { name: 'Save mine anyway' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await messages(world, id))[1].body, 'Mine')
  })

  test('redacts after a question, and an agent is not offered what the server refuses', async () => {
    const world = await api.world()
    const id = await withReply(world)
    const { page } = await atConversation(api, world, id)
    assert.deepEqual(await openMenu(page, 'Where is it?'), ['Quote', 'Copy text', 'Copy link'])
    await page.keyboard.press('Escape')
    await choose(page, 'on its wya', 'Redact…')
    const question = page.getByRole('dialog', { name: 'Redact this message?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    const button = messageOf(page, 'on its wya').getByRole('button', { name: /actions$/ })
    await until('the button has the focus', () => button.evaluate((each) => each.matches(':focus')))
    assert.equal((await messages(world, id))[1].redacted_at, null)
    await choose(page, 'on its wya', 'Redact…')
    await question.getByRole('button', { name: 'Redact', exact: true }).click()
    await thread(page).getByText('This message was redacted').waitFor()
    assert.equal((await messages(world, id))[1].body, '')
  })

  test('a closed conversation offers no edit of what the end user has read', async () => {
    const world = await api.world()
    const id = await withReply(world)
    await say(world.test, id, 'operator', { body: 'A note', visibility: 'internal' })
    for (const action of ['resolve', 'close']) await act(world.test, id, action)
    const { page } = await atDesk(api, world, `all/${id}`)
    assert.equal((await openMenu(page, 'on its wya')).includes('Edit'), false)
    await page.keyboard.press('Escape')
    assert.equal((await openMenu(page, 'A note')).includes('Edit'), true)
  })

  test('copies the text, and quotes it: a note goes into a note, never into a reply', async () => {
    const world = await api.world()
    const id = await withReply(world)
    await say(world.test, id, 'operator', { body: 'Beware of him', visibility: 'internal' })
    const person = await atConversation(api, world, id)
    const { page } = person
    const clipboard = await withClipboard(person)
    await choose(page, 'Where is it?', 'Copy text')
    await toast(page, 'Text copied').waitFor()
    assert.equal(await clipboard(), 'Where is it?')
    await choose(page, 'Where is it?', 'Quote')
    await written(page, '> Where is it?\n\n')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('Here.')
    await choose(page, 'Beware of him', 'Quote')
    await page.getByRole('textbox', { name: 'Note' }).waitFor()
    await written(page, '> Beware of him\n\n')
    await page.getByRole('tab', { name: 'Reply' }).click()
    await written(page, '> Where is it?\n\nHere.')
  })

  test('copies a link that opens the thread at the message, also one that is far up', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Long', message: { body: 'The beginning' } })
    for (let i = 1; i <= 60; i++) await say(world.test, id, 'end_user', { body: `Question ${i}\n\n…\n\n…` })
    const person = await atConversation(api, world, id)
    const { page } = person
    const clipboard = await withClipboard(person)
    await choose(page, /Question 60/, 'Copy link')
    await toast(page, 'Link copied').waitFor()
    const copied = new URL(await clipboard())
    assert.match(copied.pathname, new RegExp(`/console/test/inbox/all/${id}$`))
    const [first] = await messages(world, id)
    copied.hash = first.id
    await page.goto('about:blank')
    await page.goto(copied.href)
    await messageOf(page, 'The beginning').waitFor()
    await until('it has the focus', () =>
      page.evaluate<boolean>(`document.activeElement?.dataset.message === ${JSON.stringify(first.id)}`),
    )
    await page.getByRole('button', { name: 'To the latest message' }).waitFor()
    await photograph(page, 'message-linked')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('works by keys alone: from the composer to the menu, through it, and back', async () => {
    const world = await api.world()
    const id = await withReply(world)
    const { page } = await atConversation(api, world, id)
    const button = messageOf(page, 'on its wya').getByRole('button', { name: /actions$/ })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Quote' }).waitFor()
    await page.keyboard.press('Escape')
    await until('the button has the focus', () => button.evaluate((element) => element.matches(':focus')))
    await photograph(page, 'message-focus')
  })

  test('leads those who may see events to those of the message', async () => {
    const world = await api.world()
    const id = await withReply(world)
    const { page } = await signInAs(api, world, { name: 'Grace Hopper', role: 'admin' })
    await page.goto(`${api.url}/console/test/inbox/all/${id}`)
    await ready(page)
    await choose(page, 'on its wya', 'Show its events')
    await page.waitForURL(/engineering\/events\?resource=msg_/)
    await page.getByText('message.created').first().waitFor()
  })

  test('serves touch, in German and dark', async () => {
    const world = await api.world()
    const id = await withReply(world)
    const { page } = await atDesk(api, world, `open/${id}`, 'Ada Lovelace', {
      locale: 'de-DE',
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await messageOf(page, 'on its wya')
      .getByRole('button', { name: /Aktionen$/ })
      .tap()
    await page.getByRole('menuitem', { name: 'Zitieren' }).waitFor()
    await photograph(page, 'message-menu-phone-dark')
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('menuitem', { name: 'Schwärzen …' }).tap()
    await page.getByRole('dialog', { name: 'Diese Nachricht schwärzen?' }).waitFor()
    await photograph(page, 'message-redact-phone-dark')
    assert.deepEqual(await violationsOn(page), [])
  })
})

describe('messages', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('have headings of their size, no links into the console, and a time each', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Import', message: { body: 'It fails.' } })
    const body =
      '# My problem\n\nIt is [here](/console/test/setup), [there](https://example.com).\n\n## Again\n\nText'
    await say(world.test, id, 'end_user', { body, body_format: 'markdown' })
    await say(world.test, id, 'operator', { body: 'Thanks.' })
    await say(world.test, id, 'operator', { body: 'And a note', visibility: 'internal' })
    await say(world.test, id, 'operator', { body: 'More of it', visibility: 'internal' })
    const { page } = await atConversation(api, world, id)
    await messageOf(page, 'My problem').waitFor()
    assert.equal(await thread(page).getByRole('article').getByRole('heading').count(), 0)
    assert.deepEqual(
      await thread(page)
        .getByRole('link')
        .evaluateAll((all) => all.map((each) => each.textContent)),
      ['there'],
    )
    const times = await thread(page).locator('article time').count()
    assert.equal(times, await thread(page).getByRole('article').count())
    await messageOf(page, 'More of it').hover()
    await photograph(page, 'messages-flat')
    await page.emulateMedia({ colorScheme: 'dark' })
    await photograph(page, 'messages-flat-dark')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('show their images large, one after the other, and save them', async () => {
    setPublicUrl(api.url) // images have absolute URLs
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Damage', message: { body: 'See the photos.' } })
    const bytes = png([], { width: 800, height: 600 })
    const [inline, attached, other] = [
      await file(api, world.test, { bytes, filename: 'inline.png' }),
      await file(api, world.test, { bytes, filename: 'front.png' }),
      await file(api, world.test, { bytes, filename: 'back.png' }),
    ]
    await say(world.test, id, 'end_user', {
      body: `Here: ![The scratch](file:${inline.id})`,
      body_format: 'markdown',
      attachments: [{ file_id: inline.id, disposition: 'inline' }],
    })
    await say(world.test, id, 'end_user', {
      body: 'Two more',
      attachments: [{ file_id: attached.id }, { file_id: other.id }],
    })
    const { page } = await atConversation(api, world, id)
    await thread(page).getByRole('button', { name: 'Show The scratch' }).click()
    const viewer = page.getByRole('dialog')
    await viewer.getByRole('heading', { name: 'inline.png' }).waitFor()
    await viewer.getByText('1 of 3').waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('heading', { name: 'front.png' }).waitFor()
    await viewer.getByRole('img', { name: 'front.png' }).waitFor()
    await photograph(page, 'image-viewer')
    assert.deepEqual(await violationsOn(page), [])
    await viewer.getByRole('button', { name: 'Previous image' }).click()
    await page.keyboard.press('ArrowLeft')
    await viewer.getByRole('heading', { name: 'back.png' }).waitFor()
    const saving = page.waitForEvent('download')
    await viewer.getByRole('button', { name: 'Download' }).click()
    assert.equal((await saving).suggestedFilename(), 'back.png')
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    assert.equal(await composer(page).isVisible(), true)
  })
})
