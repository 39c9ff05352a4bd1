import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import type { Page } from 'playwright-core'
import { type Body, conversation, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { published } from '../knowledge.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, violationsOn } from './console.ts'
import { atConversation, atDesk, composer, press, search, thread, toast, written } from './inbox.ts'

const api = service({ works: true })

async function asked(world: World, fields: object = {}): Promise<string> {
  succeeded(await world.test.post('/v1/end_users', { external_id: 'user_7', name: 'Mary Jackson' }))
  const message = { body: 'My card was declined.' }
  const subject = 'Card declined'
  return (await conversation(world.test, { external_user_id: 'user_7', subject, message, ...fields })).id
}

const sent = async (world: World, id: string): Promise<Body[]> =>
  succeeded(await world.test.get(`/v1/conversations/${id}/messages`)).data.slice(1)

/** Selects a part of what is written. */
const select = (page: Page, part: string) =>
  composer(page).evaluate((field, text) => {
    const area = field as unknown as {
      value: string
      focus(): void
      setSelectionRange(a: number, b: number): void
    }
    const at = area.value.indexOf(text)
    area.focus()
    area.setSelectionRange(at, at + text.length)
  }, part)

const template = async (world: World, name: string, body: string, fields: object = {}) =>
  succeeded(await world.test.post('/v1/message_templates', { name, body, ...fields }))

describe('formatting', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('keys and buttons mark what is selected, the preview shows it, and it is sent as Markdown with its lines', async () => {
    const world = await api.world()
    const id = await asked(world)
    const { page } = await atConversation(api, world, id)
    await composer(page).fill('Hello Mary,\npress <Key> on this page')
    await select(page, 'Mary')
    await page.keyboard.press('Control+b')
    await select(page, '<Key>')
    await page.keyboard.press('Control+i')
    await select(page, 'this page')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('https://example.com/keys')
    await written(page, 'Hello **Mary**,\npress *<Key>* on [this page](https://example.com/keys)')
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.locator('strong', { hasText: 'Mary' }).waitFor()
    await preview.locator('em', { hasText: '<Key>' }).waitFor()
    await preview.getByRole('link', { name: 'this page' }).waitFor()
    assert.equal(await preview.locator('br').count(), 1)
    await photograph(page, 'composer-preview')
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('button', { name: 'Back to the text' }).click()
    await composer(page).press('Control+Enter')
    await thread(page).locator('em', { hasText: '<Key>' }).waitFor()
    await until('it is sent', async () => (await sent(world, id)).length === 1)
    assert.equal((await sent(world, id))[0].body_format, 'markdown')
  })

  test('the command palette opens by its keys while nothing is selected', async () => {
    const world = await api.world()
    const { page } = await atConversation(api, world, await asked(world))
    await composer(page).fill('Hello')
    await page.keyboard.press('Control+k')
    await search(page).waitFor()
    await page.keyboard.press('Escape')
    await written(page, 'Hello')
  })

  test('a text without marks stays a text; the menu says what a text with marks is', async () => {
    const world = await api.world()
    const id = await asked(world)
    const { page } = await atConversation(api, world, id)
    await composer(page).fill('2 * 3 * 4, as in file_name_here')
    await composer(page).press('Control+Enter')
    await written(page, '')
    await composer(page).fill('Type **twice**')
    await page.getByRole('button', { name: 'Format: Automatic' }).click()
    await page.getByRole('menuitemradio', { name: 'Plain text' }).click()
    await page.getByRole('button', { name: 'Format: Plain text' }).waitFor()
    await composer(page).press('Control+Enter')
    await thread(page).getByText('Type **twice**').waitFor()
    await page.getByRole('button', { name: 'Format: Automatic' }).waitFor()
    await until('both are sent', async () => (await sent(world, id)).length === 2)
    assert.deepEqual(
      (await sent(world, id)).map(({ body_format }) => body_format),
      ['text', 'text'],
    )
  })

  test('an emoji is found by its name, also in the other language, and stands where the cursor was', async () => {
    const world = await api.world()
    const { page } = await atConversation(api, world, await asked(world))
    await composer(page).fill('Thanks  Mary')
    await composer(page).evaluate((field) =>
      (field as unknown as { setSelectionRange(a: number, b: number): void }).setSelectionRange(7, 7),
    )
    await page.getByRole('button', { name: 'Emoji' }).click()
    await search(page).fill('danke')
    await page.getByRole('option', { name: 'thank you, please' }).waitFor()
    await photograph(page, 'composer-emoji')
    assert.deepEqual(await violationsOn(page), [])
    await page.keyboard.press('Enter')
    await written(page, 'Thanks 🙏 Mary')
    await page.locator('textarea:focus').waitFor()
  })
})

describe('a slash at the start of a word', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('finds a template, shows it with the values of the conversation, and puts it there', async () => {
    const world = await api.world()
    await template(world, 'Greeting', 'Dear {{ end_user.name }},', { folder: 'Openings' })
    await template(world, 'Farewell', 'Yours, {{ order.number }}')
    const { page } = await atConversation(api, world, await asked(world))
    await composer(page).focus()
    await page.keyboard.type('First: /')
    await search(page).fill('greet')
    await page.getByText('Dear Mary Jackson,').waitFor()
    await photograph(page, 'composer-slash')
    assert.deepEqual(await violationsOn(page), [])
    await page.keyboard.press('Enter')
    await written(page, 'First: Dear Mary Jackson,')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type(' /')
    await search(page).fill('fare')
    await page.getByText('Asks for order.number').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Values for “Farewell”' }).getByRole('textbox').fill('A-17')
    await page.keyboard.press('Enter')
    await written(page, 'First: Dear Mary Jackson, Yours, A-17')
  })

  test('gives back what was typed, if nothing was meant by it', async () => {
    const world = await api.world()
    const { page } = await atConversation(api, world, await asked(world))
    await composer(page).focus()
    await page.keyboard.type('either/or, see /')
    await search(page).waitFor()
    await page.keyboard.type('etc/')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('hosts /')
    await search(page).waitFor()
    await page.keyboard.type(' ')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('and /')
    await search(page).waitFor()
    await page.keyboard.type('tmp')
    await page.keyboard.press('Escape')
    await page.locator('textarea:focus').waitFor()
    await written(page, 'either/or, see /etc/hosts / and /tmp')
  })

  test('finds articles and FAQs by their words, and macros', async () => {
    const world = await api.world()
    const metadata = { url: 'https://help.example.com/limits' }
    await published(world.test, { title: 'Limits [of cards]', body: 'Each card has a limit.', metadata })
    await published(world.test, {
      title: 'Parcels',
      body: '![A parcel](https://example.com/p.png)\n\nWe send **parcels**.',
    })
    succeeded(await world.test.post('/v1/macros', { name: 'Escalate', actions: [{ type: 'resolve' }] }))
    const { page } = await atConversation(api, world, await asked(world))
    const insert = async (typed: string, option: string) => {
      await composer(page).focus()
      await page.keyboard.press('End')
      await page.keyboard.type(' /')
      await search(page).fill(typed)
      await page.getByRole('option', { name: option }).click()
    }
    await composer(page).fill('See')
    await insert('limits', 'Limits [of cards]')
    await written(page, 'See [Limits \\[of cards\\]](https://help.example.com/limits)')
    await composer(page).fill('')
    await insert('parcels', 'Parcels')
    await written(page, ' We send **parcels**.')
    await insert('escal', 'Escalate')
    await page.getByRole('dialog', { name: 'Apply “Escalate”?' }).waitFor()
    await page.keyboard.press('Escape')
    await written(page, ' We send **parcels**. ')
    await page.locator('textarea:focus').waitFor()
  })
})

describe('suggested answers', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('are above the text, inserted by a click, and stay away once they are hidden', async () => {
    const world = await api.world()
    const faq = { question: 'Why was my card declined?', answer: 'Most often the **limit** is reached.' }
    succeeded(await world.test.post('/v1/faqs', { ...faq, status: 'published' }))
    const id = await asked(world)
    const { page } = await atConversation(api, world, id)
    const suggestions = page.getByRole('group', { name: 'Suggested answers' })
    await suggestions.getByRole('button', { name: `Insert “${faq.question}”` }).waitFor()
    await photograph(page, 'composer-suggestions')
    assert.deepEqual(await violationsOn(page), [])
    await suggestions.getByRole('button', { name: `Insert “${faq.question}”` }).click()
    await written(page, faq.answer)
    await page.getByRole('tab', { name: 'Note' }).click()
    await suggestions.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Reply' }).click()
    await suggestions.getByRole('button', { name: 'Hide the suggestions' }).click()
    await suggestions.waitFor({ state: 'detached' })
    await composer(page).fill('Hello')
    await page.getByRole('tab', { name: 'Note' }).click()
    await page.getByRole('tab', { name: 'Reply' }).click()
    await written(page, 'Hello')
    assert.equal(await suggestions.count(), 0)
  })
})

describe('a macro with a text', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('is applied without it, and the text waits in the composer to be edited', async () => {
    const world = await api.world()
    await template(world, 'Refunded', 'Dear {{ end_user.name }}, it is refunded.')
    const { data } = succeeded(await world.test.get('/v1/message_templates'))
    const actions = [
      { type: 'set_priority', priority: 'low' },
      { type: 'note', body: 'Checked' },
      { type: 'reply', template_id: data[0].id, set_status: 'resolved' },
    ]
    succeeded(await world.test.post('/v1/macros', { name: 'Refund', actions }))
    const id = await asked(world)
    const { page } = await atConversation(api, world, id)
    await press(page, 'y')
    await page.getByRole('option', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog', { name: 'Apply “Refund”?' })
    await dialog.getByText('Dear Mary Jackson, it is refunded.').waitFor()
    await photograph(page, 'macro-edit-first')
    assert.deepEqual(await violationsOn(page), [])
    await dialog.getByRole('button', { name: 'Edit the text first' }).click()
    await toast(page, '“Refund” was applied').waitFor()
    await page.getByRole('tab', { name: 'Reply', selected: true }).waitFor()
    await written(page, 'Dear Mary Jackson, it is refunded.')
    await page.getByText('Choose “Send and resolve” again').waitFor()
    await page.getByRole('tab', { name: 'Note' }).click()
    await written(page, 'Checked')
    assert.deepEqual(await sent(world, id), [])
    const { priority, status } = await shown(world.test, id)
    assert.deepEqual([priority, status], ['low', 'new'])
    await toast(page, '“Refund” was applied').getByRole('button', { name: 'Undo' }).click()
    await until('it is undone', async () => (await shown(world.test, id)).priority === 'normal')
    await written(page, 'Checked')
  })
})

describe('files that are dropped', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('on the thread are attached; elsewhere the browser stays on the page', async () => {
    setPublicUrl(api.url) // uploads have absolute URLs
    const world = await api.world()
    const { page } = await atConversation(api, world, await asked(world))
    const dataTransfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['All is agreed'], 'contract.txt', { type: 'text/plain' }))
      return transfer
    })()`)
    await thread(page).dispatchEvent('dragover', { dataTransfer })
    await page.getByText('Drop files to attach them').waitFor()
    await photograph(page, 'composer-drop')
    await thread(page).dispatchEvent('drop', { dataTransfer })
    const files = page.getByRole('list', { name: 'Attachments' })
    await files.getByText('contract.txt').waitFor()
    const prevented = await page
      .getByRole('navigation')
      .first()
      .evaluate((element, transfer) => {
        const { DragEvent: Drag } = globalThis as unknown as { DragEvent: new (...of: unknown[]) => never }
        const init = { dataTransfer: transfer, bubbles: true, cancelable: true }
        return ['dragover', 'drop'].map(
          (type) =>
            !(element as unknown as { dispatchEvent(event: never): boolean }).dispatchEvent(
              new Drag(type, init),
            ),
        )
      }, dataTransfer)
    assert.deepEqual(prevented, [true, true])
    assert.equal(await files.getByRole('listitem').count(), 1)
  })
})

describe('where there is little room', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('the composer is one line until somebody writes, in German and dark', async () => {
    const world = await api.world()
    const id = await asked(world)
    const { page } = await atDesk(api, world, `open/${id}`, 'Ada Lovelace', {
      locale: 'de-DE',
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await composer(page).waitFor()
    const send = page.getByRole('button', { name: 'Senden', exact: true })
    assert.equal(await send.isVisible(), false)
    await photograph(page, 'composer-phone-folded')
    assert.deepEqual(await violationsOn(page), [])
    await composer(page).tap()
    await send.waitFor()
    await composer(page).fill('Ich **prüfe** das.')
    await photograph(page, 'composer-phone-dark')
    assert.deepEqual(await violationsOn(page), [])
    await send.tap()
    await thread(page).locator('strong', { hasText: 'prüfe' }).waitFor()
    assert.equal(await send.isVisible(), false)
    await composer(page).tap()
    await page.getByRole('button', { name: 'Werkzeuge ausblenden' }).tap()
    await send.waitFor({ state: 'hidden' })
  })
})
