import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import type { Page } from 'playwright-core'
import { type Body, succeeded } from '../desk.ts'
import { png } from '../file-samples.ts'
import { service, type World } from '../harness.ts'
import { article, published, search } from '../knowledge.ts'
import { made } from '../macro-fixtures.ts'
import { until } from '../processes.ts'
import { canBrowse, deliverFirstLast, signInAs, violationsOn } from './console.ts'

// All people of these tests sign in from one address.
const api = service({ works: true })

/** Signs a lead in and opens a page of the area. */
async function opened(world: World, path: string) {
  const person = await signInAs(api, world, { name: 'Ada Lovelace', role: 'lead' })
  const go = (to: string) => person.page.goto(`${api.url}/console/test/knowledge/${to}`)
  await go(path)
  return { ...person, go, dialog: person.page.getByRole('dialog') }
}

const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const preview = (page: Page) => page.getByRole('article', { name: 'Preview' })
const body = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

async function choose(page: Page, item: string): Promise<void> {
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: item }).click()
}

const stored = async ({ test }: World, id: string, view = 'draft'): Promise<Body> =>
  succeeded(await test.get(`/v1/kb/articles/${id}?view=${view}`))

/** Holds back what the page saves until `release` is called. */
async function holdSaves(page: Page): Promise<{ release(): void }> {
  const released = Promise.withResolvers<void>()
  await page.route('**/v1/kb/articles/*', async (route) => {
    if (route.request().method() === 'PATCH') await released.promise
    await route.continue()
  })
  return { release: () => released.resolve() }
}

const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1)!

describe('the knowledge area', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('an article is previewed before it is saved, and published', async () => {
    const world = await api.world()
    const { page, dialog } = await opened(world, 'articles')
    await button(page, 'New article').first().click()
    await dialog.getByLabel('Title').fill('Why was my card declined?')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await body(page).waitFor()
    const id = idIn(page)
    const saves = await holdSaves(page)
    await body(page).fill('Most often the **limit** is reached. <script>alert(1)</script>')
    await preview(page).locator('strong', { hasText: 'limit' }).waitFor()
    assert.equal(await preview(page).locator('script').count(), 0)
    assert.equal((await stored(world, id)).body, null)
    saves.release()
    await button(page, 'Publish').click()
    await said(page, 'Published')
    const { title, body_html } = await stored(world, id, 'published')
    assert.equal(title, 'Why was my card declined?')
    assert.equal(body_html, '<p>Most often the <strong>limit</strong> is reached. </p>')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('a preview that fails says why, and goes on showing the text before', async () => {
    const world = await api.world()
    const { id } = await article(world.test, { body: 'The text *before*.' })
    const { page } = await opened(world, `articles/${id}`)
    await preview(page).locator('em', { hasText: 'before' }).waitFor()
    await body(page).fill(`${'[a]'.repeat(300)}\n\n[a]: https://example.com/${'x'.repeat(4_000)}`)
    await said(page, /The preview shows an earlier text: must not render to more than/)
    assert.equal(await preview(page).locator('em', { hasText: 'before' }).count(), 1)
    await body(page).fill('The text *after*.')
    await preview(page).locator('em', { hasText: 'after' }).waitFor()
    await page.getByText(/The preview shows an earlier text/).waitFor({ state: 'detached' })
  })

  test('a scheduled article is published at its time', async () => {
    const world = await api.world()
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 30 * 86_400 }))
    const { id } = await article(world.test, { title: 'Opening hours' })
    const { page, dialog } = await opened(world, `articles/${id}`)
    await choose(page, 'Schedule…')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await said(page, 'Scheduled')
    const { publish_at } = await stored(world, id)
    const { now } = succeeded(await world.test.get('/v1/test_clock'))
    const seconds = Math.ceil((Date.parse(publish_at) - Date.parse(now)) / 1_000)
    assert.ok(seconds > 0 && seconds <= 7_200, publish_at)
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds }))
    await page.locator('header').getByText('Published', { exact: true }).waitFor()
    assert.equal((await stored(world, id)).published_version, 1)
  })

  test('an image that is uploaded leaves the focus where it is', async () => {
    setPublicUrl(api.url) // uploads have absolute URLs
    const world = await api.world()
    const { id } = await article(world.test, { title: 'Opening hours', body: 'See below.' })
    const { page } = await opened(world, `articles/${id}`)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.focus()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: Buffer.from(png()) })
    await until('the text has the image', async () =>
      (await body(page).inputValue()).includes('![door](file:'),
    )
    assert.ok(await title.evaluate((field) => field.matches(':focus')))
    await until('the draft has the image', async () =>
      (await stored(world, id)).body?.includes('![door](file:'),
    )
  })

  test('versions are compared side by side, and an earlier one is restored', async () => {
    const world = await api.world()
    const { id } = await published(world.test, { title: 'Refunds', body: 'Ten days.' })
    succeeded(await world.test.patch(`/v1/kb/articles/${id}`, { body: 'Two days.' }))
    succeeded(await world.test.post(`/v1/kb/articles/${id}/publish`))
    const { page, dialog } = await opened(world, `articles/${id}/versions`)
    await page.locator('del', { hasText: 'Ten' }).waitFor()
    await page.locator('ins', { hasText: 'Two' }).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await button(page, 'Restore version 1').click()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await said(page, 'Version 1 is the draft now')
    await body(page).waitFor()
    assert.equal(await body(page).inputValue(), 'Ten days.')
    const { published_version, ...draft } = await stored(world, id)
    assert.deepEqual([draft.body, published_version], ['Ten days.', 2])
  })

  test('a collection is made inside another and renamed beside a change of somebody else; one that is deleted is left', async () => {
    const world = await api.world()
    const outer = succeeded(await world.test.post('/v1/kb/collections', { name: 'Billing', position: 0 }))
    const { page } = await opened(world, 'articles')
    await button(page, 'Actions for Billing').click()
    await page.getByRole('menuitem', { name: 'New collection inside' }).click()
    const form = page.getByRole('dialog', { name: 'New collection' })
    await form.getByLabel('Name').fill('Cards')
    await form.getByRole('button', { name: 'Create' }).click()
    await button(page, 'Actions for Cards').click()
    await page.getByRole('menuitem', { name: 'Rename or move' }).click()
    const edited = page.getByRole('dialog', { name: 'Cards', exact: true })
    await edited.getByLabel('Name').fill('Credit cards')
    const [inner] = succeeded(await world.test.get(`/v1/kb/collections?parent_id=${outer.id}`)).data
    succeeded(await world.test.patch(`/v1/kb/collections/${inner.id}`, { description: 'All of them' }))
    await edited.getByRole('button', { name: 'Save' }).click()
    await edited.getByRole('alert').getByText('All of them').waitFor()
    await edited.getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('button', { name: /^Credit cards/ }).click()
    const { name, description } = succeeded(await world.test.get(`/v1/kb/collections/${inner.id}`))
    assert.deepEqual([name, description], ['Credit cards', 'All of them'])
    await button(page, 'Actions for Credit cards').click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.locator('[aria-current=true]', { hasText: 'All articles' }).waitFor()
    assert.equal((await world.test.get(`/v1/kb/collections/${inner.id}`)).status, 404)
  })

  test('a link to a collection that somebody has just made chooses it', async () => {
    const world = await api.world()
    succeeded(await world.test.post('/v1/kb/collections', { name: 'Billing' }))
    const { page, go } = await opened(world, 'searches')
    await page.route('**/v1/events/stream**', (route) => route.abort('aborted'))
    await go('articles')
    await page.getByRole('button', { name: /^Billing/ }).waitFor()
    await page.getByRole('link', { name: 'FAQs' }).click()
    await page.getByRole('heading', { name: 'FAQs' }).first().waitFor()
    const { id } = succeeded(await world.test.post('/v1/kb/collections', { name: 'Cards' }))
    await page.evaluate(`history.pushState(null, '', '/console/test/knowledge/articles?collection=${id}')`)
    await page.locator('[aria-current=true]', { hasText: 'Cards' }).waitFor()
  })

  test('two people who write in one article both keep their text until one of them decides', async () => {
    const world = await api.world()
    const { id } = await article(world.test, { title: 'Refunds', body: 'Ten days.' })
    const { page, dialog } = await opened(world, `articles/${id}`)
    await body(page).waitFor()
    const saves = await holdSaves(page)
    await body(page).fill('Two days.')
    succeeded(await world.test.patch(`/v1/kb/articles/${id}`, { body: 'A week.', excerpt: 'How long' }))
    saves.release()
    await dialog.getByText('Somebody else changed this meanwhile').waitFor()
    await dialog.locator('del', { hasText: 'A week' }).waitFor()
    await dialog.locator(':focus').waitFor()
    assert.equal((await stored(world, id)).body, 'A week.')
    assert.equal(await page.locator('textarea').inputValue(), 'Two days.')
    assert.deepEqual(await violationsOn(page), [])
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await button(page, 'Publish').click()
    await said(page, 'Published')
    const merged = await stored(world, id, 'published')
    assert.deepEqual([merged.body, merged.excerpt], ['Two days.', 'How long'])
  })

  test('tags are added as they are typed: by Enter, by a comma, and when the field is left; none twice', async () => {
    const world = await api.world()
    succeeded(await world.test.post('/v1/tags', { name: 'billing' }))
    const { id } = await article(world.test, { tags: ['vip'] })
    const { page } = await opened(world, `articles/${id}`)
    await page.getByRole('tab', { name: 'Details' }).click()
    const tags = page.getByRole('combobox', { name: 'Tags' })
    await page.getByText('Press Enter after each.').waitFor()
    await tags.fill('bill')
    await page.getByRole('option', { name: 'billing' }).waitFor()
    await tags.press('Enter')
    const remove = (tag: string) => page.getByRole('button', { name: `Remove ${tag}`, exact: true })
    await remove('bill').waitFor()
    for (const typed of ['VIP', 'bill']) {
      await tags.fill(typed)
      await tags.press('Enter')
    }
    await tags.pressSequentially('cards,bil')
    await page.getByRole('option', { name: 'billing' }).click()
    await tags.fill('refunds')
    await page.getByLabel('Summary').click()
    const expected = ['vip', 'bill', 'cards', 'billing', 'refunds']
    for (const tag of expected) await remove(tag).waitFor()
    await until('the tags are saved', async () => (await stored(world, id)).tags.length === expected.length)
    assert.deepEqual((await stored(world, id)).tags, expected)
  })

  test('an article that cannot be deleted says why, even if the server has refused one of its fields', async () => {
    const world = await api.world()
    const { id } = await article(world.test)
    await article(world.test, { locale: 'de', translation_of_id: id })
    const { page, dialog } = await opened(world, `articles/${id}`)
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByLabel('Address part').fill('not a slug')
    await page.locator('[aria-invalid=true]').waitFor()
    await choose(page, 'Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.locator('[data-type=failed]').getByText('because other objects refer to it').waitFor()
  })

  test('a conflict of an FAQ is told by the dialog alone', async () => {
    const world = await api.world()
    const faq = succeeded(
      await world.test.post('/v1/faqs', { question: 'A fee?', answer: 'No.', locale: 'en' }),
    )
    succeeded(await world.test.patch(`/v1/faqs/${faq.id}`, { status: 'published' }))
    const { page, go } = await opened(world, 'searches')
    await page.route('**/v1/events/stream**', (route) => route.abort('aborted'))
    await go(`faqs/${faq.id}`)
    await page.getByRole('textbox', { name: 'Answer' }).fill('Never.')
    succeeded(await world.test.patch(`/v1/faqs/${faq.id}`, { answer: 'Sometimes.' }))
    await button(page, 'Save and show').click()
    await page.getByRole('dialog').getByText('Somebody else changed this meanwhile').waitFor()
    assert.equal(await page.locator('[data-type=failed]').count(), 0)
  })

  test('an FAQ is moved by the keyboard, and keeps the focus', async () => {
    const world = await api.world()
    for (const question of ['One?', 'Two?', 'Three?'])
      succeeded(await world.test.post('/v1/faqs', { question, answer: 'Yes.', locale: 'en' }))
    const { page } = await opened(world, 'faqs')
    const written = await deliverFirstLast(page, '**/v1/faqs/reorder')
    const three = page.getByRole('link', { name: 'Three?' })
    const isAt = (place: number) => page.locator('ol > li').nth(place).filter({ has: three }).waitFor()
    await three.focus()
    await page.keyboard.press('Alt+ArrowUp')
    await isAt(1)
    await page.keyboard.press('Alt+ArrowUp')
    await isAt(0)
    await until('all writes are answered', () => written() === 2)
    const { data } = succeeded(await world.test.get('/v1/faqs'))
    assert.deepEqual(
      data.map(({ question }: Body) => question),
      ['Three?', 'One?', 'Two?'],
    )
    await isAt(0)
    await page.locator('a:focus', { hasText: 'Three?' }).waitFor()
  })

  test('an FAQ is created once, even if somebody goes on writing while it is created', async () => {
    const world = await api.world()
    const { page } = await opened(world, 'faqs/new')
    await page.getByRole('textbox', { name: 'Question' }).fill('Is there a fee?')
    await page.getByRole('textbox', { name: 'Answer' }).fill('No.')
    const released = Promise.withResolvers<void>()
    await page.route('**/v1/faqs', async (route) => {
      if (route.request().method() === 'POST') await released.promise
      await route.continue()
    })
    const sent = page.waitForRequest((request) => request.method() === 'POST' && /faqs$/.test(request.url()))
    await button(page, 'Create draft').click()
    await sent
    await page.getByRole('textbox', { name: 'Answer' }).fill('No, never.')
    assert.equal(await button(page, 'Create draft').isDisabled(), true)
    released.resolve()
    await button(page, 'Publish').waitFor()
    assert.equal(succeeded(await world.test.get('/v1/faqs')).data.length, 1)
  })

  test('an FAQ is previewed before it exists; changes of a published one wait for a click', async () => {
    const world = await api.world()
    const { page } = await opened(world, 'faqs/new')
    await page.getByRole('textbox', { name: 'Question' }).fill('Is there a fee?')
    await page.getByRole('textbox', { name: 'Answer' }).fill('**No.**')
    await preview(page).getByRole('heading', { name: 'Is there a fee?' }).waitFor()
    await preview(page).locator('strong', { hasText: 'No.' }).waitFor()
    assert.deepEqual(succeeded(await world.test.get('/v1/faqs')).data, [])
    await button(page, 'Create draft').click()
    await button(page, 'Publish').click()
    await page.locator('header').getByText('Published', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Answer' }).fill('*Never.*')
    await preview(page).locator('em', { hasText: 'Never.' }).waitFor()
    await said(page, 'Readers see your changes as soon as you save.')
    const shown = async () => succeeded(await world.test.get('/v1/faqs?status=published')).data[0].answer
    assert.equal(await shown(), '**No.**')
    await button(page, 'Save and show').click()
    await page.getByText('Readers see your changes as soon as you save.').waitFor({ state: 'detached' })
    assert.equal(await shown(), '*Never.*')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('what readers found helpful is listed, the least helpful first', async () => {
    const world = await api.world()
    const [good, bad] = [
      await published(world.test, { title: 'A good one' }),
      await published(world.test, { title: 'A bad one' }),
    ]
    for (const [{ id }, helpful] of [
      [good, true],
      [bad, false],
    ] as const)
      for (const external_user_id of ['user_1', 'user_2'])
        succeeded(await world.test.post(`/v1/kb/articles/${id}/feedback`, { external_user_id, helpful }))
    const { page } = await opened(world, 'helpful')
    await page.getByRole('link', { name: 'A good one' }).waitFor()
    assert.deepEqual(await page.locator('tbody a').allInnerTexts(), ['A bad one', 'A good one'])
    await page.getByRole('cell', { name: '100%' }).waitFor()
    assert.deepEqual(await violationsOn(page), [])
  })

  test('a search that found nothing becomes an article, and is then found', async () => {
    const world = await api.world()
    const { page, go, dialog } = await opened(world, 'searches')
    await said(page, 'No searches yet')
    assert.deepEqual(await violationsOn(page), [])

    const { token } = await made(world.test, 'end_user_sessions', { external_user_id: 'user_1' })
    succeeded(await api.client(token).get('/v1/me/kb/search?q=apple%20pay&locale=en'))
    await published(world.test, { title: 'Refunds' })
    await search(world.test, 'refunds')
    await go('searches')
    const row = page.getByRole('row', { name: /apple pay/ })
    await row.getByRole('cell', { name: 'English' }).waitFor()
    assert.equal(await page.getByRole('cell', { name: 'refunds', exact: true }).count(), 0)
    await page.getByLabel('Which searches').selectOption('All searches')
    await page.getByRole('cell', { name: 'refunds', exact: true }).waitFor()
    assert.deepEqual(await violationsOn(page), [])

    await row.getByRole('button', { name: 'Write an article: apple pay' }).click()
    assert.equal(await dialog.getByLabel('Title').inputValue(), 'Apple pay')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await body(page).fill('We take it.')
    await button(page, 'Publish').click()
    await said(page, 'Published')
    succeeded(await api.client(token).get('/v1/me/kb/search?q=apple%20pay&locale=en'))
    await go('searches')
    await said(page, 'Every search found something')
    await button(page, 'Show all searches').click()
    await page.getByRole('cell', { name: 'refunds', exact: true }).waitFor()
  })

  test('a page of searches that cannot be loaded says so, and is loaded by the next click', async () => {
    const world = await api.world()
    await search(world.test, 'apple pay')
    const { page, go } = await opened(world, 'articles')
    let fails = true
    await page.route('**/v1/kb/searches?**', async (route) => {
      const isNext = route.request().url().includes('cursor=')
      if (isNext && fails) return route.abort('connectionreset')
      const response = await route.fetch()
      const first = { ...(await response.json()), has_more: true, next_cursor: 'next' }
      return route.fulfill({
        json: isNext ? { ...first, data: [], has_more: false, next_cursor: null } : first,
      })
    })
    await go('searches')
    await button(page, 'Load more').click()
    await page.getByRole('alert').getByText('This could not be loaded').waitFor()
    await page.getByRole('cell', { name: 'apple pay', exact: true }).waitFor()
    fails = false
    await button(page, 'Load more').click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await button(page, 'Load more').waitFor({ state: 'detached' })
  })
})
