import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import type { Page } from 'playwright-core'
import { conversation, say } from '../desk.ts'
import { png } from '../file-samples.ts'
import { file } from '../files.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, violationsOn } from './console.ts'
import { atConversation, atDesk, composer, thread } from './inbox.ts'

const api = service({ works: true })

const picture = png([], { width: 800, height: 600 })

type Box = {
  scrollTop: number
  scrollHeight: number
  clientHeight: number
  scrollWidth: number
  clientWidth: number
}

const isAtEnd = (page: Page) =>
  thread(page).evaluate(
    ({ scrollTop, scrollHeight, clientHeight }: Box) => scrollHeight - scrollTop - clientHeight < 2,
  )

const toLatest = (page: Page) => page.getByRole('button', { name: /To the latest message|\d+ new/ })

/** Resolves when each image of the thread has its pixels. */
const imagesAreDrawn = (page: Page, count: number) =>
  until(`${count} images are drawn`, async () => {
    const widths = await thread(page)
      .locator('img')
      .evaluateAll((images: { naturalWidth: number }[]) => images.map(({ naturalWidth }) => naturalWidth))
    return widths.length === count && widths.every((width) => width > 0)
  })

/** A conversation that is longer than the window. Two of its messages have an image: in the text, and attached. */
async function withImages(world: World): Promise<string> {
  setPublicUrl(api.url) // images have absolute URLs
  const { id } = await conversation(world.test, { subject: 'Refund', message: { body: 'Where is it?' } })
  for (let i = 1; i <= 15; i++) await say(world.test, id, 'end_user', { body: `Question ${i}` })
  const [inline, attached] = [
    await file(api, world.test, { bytes: picture }),
    await file(api, world.test, { bytes: picture }),
  ]
  await say(world.test, id, 'end_user', {
    body: `![The receipt](file:${inline.id})`,
    body_format: 'markdown',
    attachments: [{ file_id: inline.id, disposition: 'inline' }],
  })
  await say(world.test, id, 'end_user', { body: 'The other', attachments: [{ file_id: attached.id }] })
  return id
}

describe('a thread with images', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('opens at its end, and stays there when the images are drawn and when a colleague answers', async () => {
    const world = await api.world()
    const id = await withImages(world)
    const { page } = await atConversation(api, world, id)
    await imagesAreDrawn(page, 2)
    await until('the end is in sight', () => isAtEnd(page))
    assert.equal(await toLatest(page).count(), 0)
    await say(world.test, id, 'operator', { body: 'A colleague answers' })
    await thread(page).getByText('A colleague answers').waitFor()
    await until('the end is in sight', () => isAtEnd(page))
    await composer(page).fill('So do I.')
    await composer(page).press('Control+Enter')
    await thread(page).getByText('So do I.').waitFor()
    await until('the end is in sight', () => isAtEnd(page))
    assert.equal(await toLatest(page).count(), 0)
    await photograph(page, 'thread-images')
  })

  test('leaves a reader where they are, and counts what is new', async () => {
    const world = await api.world()
    const id = await withImages(world)
    const { page } = await atConversation(api, world, id)
    await imagesAreDrawn(page, 2)
    await until('the end is in sight', () => isAtEnd(page))
    await thread(page).hover()
    await page.mouse.wheel(0, -500)
    await toLatest(page).waitFor()
    const before = await thread(page).evaluate(({ scrollTop }: Box) => scrollTop)
    await say(world.test, id, 'operator', { body: 'A colleague answers' })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    assert.equal(await thread(page).evaluate(({ scrollTop }: Box) => scrollTop), before)
    await page.getByRole('button', { name: '1 new' }).click()
    await until('the end is in sight', () => isAtEnd(page))
    await toLatest(page).waitFor({ state: 'detached' })
  })
})

const wide = {
  'code block': `Look:\n\n\`\`\`\nconst url = "${'a-long-path/'.repeat(40)}"\n\`\`\``,
  table: `Look:\n\n${'| heading '.repeat(24)}|\n${'|---'.repeat(24)}|\n${'| content '.repeat(24)}|`,
}

describe('wide content', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  for (const [window, viewport] of Object.entries({
    desktop: { width: 1280, height: 800 },
    phone: { width: 390, height: 844 },
  }))
    test(`scrolls inside its message, and the thread has the width of its pane: ${window}`, async () => {
      const world = await api.world()
      const { id } = await conversation(world.test, { subject: 'Import', message: { body: 'It fails.' } })
      for (const author_side of ['end_user', 'operator'])
        for (const body of Object.values(wide))
          await say(world.test, id, author_side, { body, body_format: 'markdown' })
      const { page } = await atDesk(api, world, `open/${id}`, 'Ada Lovelace', { viewport })
      for (const tag of ['pre', 'table'])
        await thread(page).locator(tag).nth(1).waitFor({ state: 'attached' })
      const isWide = ({ scrollWidth, clientWidth }: Box) => scrollWidth > clientWidth
      const widths = await thread(page)
        .locator('pre, table')
        .evaluateAll((all: Box[]) => all.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth))
      assert.deepEqual(widths, [true, true, true, true])
      assert.equal(await thread(page).evaluate(isWide), false)
      await photograph(page, `thread-wide-${window}`)
      assert.deepEqual(await violationsOn(page), [])
    })

  test('addresses are links, in texts and in Markdown, and open in a tab of their own', async () => {
    const world = await api.world()
    const body =
      'See https://example.com/a?b=1&c=2. Or (http://example.org), ada@example.com; javascript:alert(1)'
    const { id } = await conversation(world.test, { subject: 'Links', message: { body } })
    const markdown =
      '**Here:** https://example.net/x, [this](https://example.com/y) and `https://code.example`'
    await say(world.test, id, 'end_user', { body: markdown, body_format: 'markdown' })
    const { page } = await atConversation(api, world, id)
    await thread(page).getByRole('link', { name: 'https://example.net/x' }).waitFor()
    const links = await thread(page)
      .locator('article a')
      .evaluateAll((all) =>
        all.map((each) => [each.textContent, each.getAttribute('href'), each.getAttribute('rel')]),
      )
    const rel = 'noopener noreferrer'
    assert.deepEqual(links, [
      ['https://example.com/a?b=1&c=2', 'https://example.com/a?b=1&c=2', rel],
      ['http://example.org', 'http://example.org', rel],
      ['ada@example.com', 'mailto:ada@example.com', rel],
      ['https://example.net/x', 'https://example.net/x', rel],
      ['this', 'https://example.com/y', rel],
    ])
  })
})
