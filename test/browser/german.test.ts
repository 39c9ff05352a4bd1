import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { conversation } from '../desk.ts'
import { service } from '../harness.ts'
import { canBrowse, type Person, photograph, signInAs } from './console.ts'
import { atConversation, composer, pick, press, thread, toast } from './inbox.ts'

const api = service({ works: true })

const german = { locale: 'de-DE' } as const
const english = 'An English sentence of the server.'

/** Answers requests for a path as the server does, with an English sentence that nobody may see. */
const refuse = (page: Page, path: string, status: number, code: string, more: object = {}) =>
  page.route(path, (route) => {
    const problem = { type: 'about:blank', title: english, detail: english, params: {}, errors: [], ...more }
    return route.fulfill({
      status,
      headers: { 'retry-after': '0' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ ...problem, status, code, request_id: 'req_1', instance: '/' }),
    })
  })

const isEnglish = async (page: Page): Promise<boolean> =>
  /English sentence|must |There is no|cannot/.test(await page.locator('body').innerText())

describe('a German page', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  let ada: Person
  afterEach(() => {
    const others = ada.faults.filter((fault) => !/status of (403|404|429|503)/.test(fault))
    ada.faults.splice(0, Number.POSITIVE_INFINITY, ...others)
  })

  test('tells in German why a change was refused, and why the server cannot be reached', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, {
      subject: 'Karte abgelehnt',
      message: { body: 'Zweimal.' },
    })
    ada = await atConversation(api, world, id, 'Ada Lovelace', german)
    const { page, context } = ada
    const path = `**/v1/conversations/${id}`
    const refusals: [status: number, code: string, more: object, words: string][] = [
      [403, 'scope_missing', { params: { scope: 'conversations:write' } }, 'Deine Rolle erlaubt das nicht.'],
      [409, 'invalid_transition', { params: { from: 'closed' } }, 'Im Status „Geschlossen“ geht das nicht.'],
      [429, 'rate_limited', { params: { retry_after_seconds: 7 } }, 'Versuche es in 7 Sekunden erneut.'],
      [
        422,
        'validation_failed',
        { errors: [{ pointer: '/priority', code: 'not_allowed', detail: english }] },
        'Priorität: ist hier nicht erlaubt',
      ],
    ]
    for (const [status, code, more, words] of refusals) {
      await refuse(page, path, status, code, more)
      await press(page, 'p')
      await pick(page, 'Drin', 'Dringend')
      await toast(page, words).waitFor()
      assert.equal(await isEnglish(page), false, code)
      await page.unroute(path)
    }
    await photograph(page, 'german-refusals')
    await refuse(page, '**/v1/conversations/*/messages', 403, 'end_user_blocked')
    await composer(page).fill('Eine Antwort')
    await composer(page).press('Control+Enter')
    await thread(page).getByText('Der Endkunde ist gesperrt.').waitFor()
    assert.equal(await isEnglish(page), false)
    await context.setOffline(true)
    await press(page, 'p')
    await pick(page, 'Drin', 'Dringend')
    await toast(page, 'Es besteht keine Verbindung zum Server.').waitFor()
    assert.equal(await isEnglish(page), false)
  })

  test('tells in German what is wrong with a field, what does not exist, and what could not be read', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, {
      subject: 'Karte abgelehnt',
      message: { body: 'Zweimal.' },
    })
    ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' }, german)
    const { page } = ada
    await page.goto(`${api.url}/console/test/engineering/webhooks`)
    await page.getByRole('button', { name: 'Neuer Endpunkt' }).first().click()
    const form = page.getByRole('dialog', { name: 'Neuer Endpunkt' })
    await form.getByLabel('URL').fill('http://example.com/hook')
    await form.getByRole('button', { name: 'Anlegen' }).click()
    await form.getByText('Ist hier nicht erlaubt').waitFor()
    assert.equal(await isEnglish(page), false)
    await page.goto(`${api.url}/console/test/inbox/open/${id.replace(/.{8}$/, '00000000')}`)
    await page.getByText('Das gibt es nicht oder nicht mehr.').first().waitFor()
    assert.equal(await isEnglish(page), false)
    await refuse(page, '**/v1/end_users/*', 503, 'unavailable', {
      params: { reason: 'overloaded', retry_after_seconds: 1 },
    })
    await page.goto(`${api.url}/console/test/inbox/open/${id}`)
    await page.getByText('Der Server ist gerade nicht verfügbar.').first().waitFor()
    assert.equal(await isEnglish(page), false)
    await photograph(page, 'german-faults')
  })

  test('shows nothing in English before its words are there', async () => {
    const world = await api.world()
    ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' }, german)
    const { page } = ada
    await page.addInitScript(`
      globalThis.shown = []
      new MutationObserver(() => shown.push(document.body?.innerText)).observe(document, {
        childList: true,
        subtree: true,
        characterData: true,
      })
    `)
    const { promise: sessionIsThere, resolve } = Promise.withResolvers<void>()
    page.on('response', (response) => response.url().endsWith('/console/api/session') && resolve())
    let before: string | undefined
    await page.route('**/de-*.json', async (route) => {
      await sessionIsThere
      before = await page.locator('#root').innerHTML()
      await route.continue()
    })
    await page.goto(`${api.url}/console/test/inbox`)
    await page.getByRole('heading', { name: 'Noch keine Konversationen' }).first().waitFor()
    assert.equal(before, '')
    const shown: string = await page.evaluate('shown.join()')
    assert.match(shown, /Eingang/)
    assert.doesNotMatch(shown, /Inbox|Loading|No conversations/)
  })

  test('loads its words when it is chosen, and stays as it is while they cannot be loaded', async () => {
    const world = await api.world()
    ada = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' })
    const { page } = ada
    const words: string[] = []
    page.on('request', (request) => /de-\w+\.json$/.test(request.url()) && words.push(request.url()))
    await page.goto(`${api.url}/console/test/inbox`)
    await page.getByRole('heading', { name: 'No conversations yet' }).first().waitFor()
    assert.deepEqual(words, [])
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))

    await page.route('**/de-*.json', (route) => route.abort('connectionrefused'))
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await toast(page, 'The language could not be loaded').waitFor()
    await toast(page, 'There is no connection to the server.').waitFor()
    await page.unroute('**/de-*.json')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Noch keine Konversationen' }).first().waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    assert.equal(words.length, 2)
    await page.getByRole('button', { name: 'Konto' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'No conversations yet' }).first().waitFor()
    assert.equal(await page.evaluate(() => 'isSamePage' in globalThis), true)
    assert.equal(words.length, 2)
  })
})
