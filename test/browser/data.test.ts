import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { act, conversation, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { run } from '../jobs.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'

const api = service({ works: true })

/** Signs somebody in and opens a page of the set-up. */
async function opened(world: World, path: string, options = {}, role: 'lead' | 'admin' = 'lead') {
  const person = await signInAs(api, world, { name: 'Ada Lovelace', role }, options)
  await person.page.goto(`${api.url}/console/test/setup/${path}`)
  return { ...person, panel: person.page.getByRole('dialog') }
}

describe('the data pages of the set-up', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('an export is started by a form, and its files are downloaded with the hash that the page shows', async () => {
    const world = await api.world()
    await conversation(world.test, { subject: 'First', tags: ['vip'] })
    await conversation(world.test, { subject: 'Second' })
    const { page, panel } = await opened(world, 'exports')
    await page.getByRole('heading', { name: 'No exports yet' }).waitFor()
    await page.getByRole('button', { name: 'New export' }).click()
    await panel.getByRole('combobox', { name: 'What' }).fill('Conv')
    await page.getByRole('option', { name: 'Conversations' }).click()
    await panel.getByLabel('Compression').selectOption('None')
    await panel.getByLabel('Only some conversations').check()
    await panel.getByText('2 matches').waitFor()
    await photograph(page, 'data-new-export')
    await panel.getByRole('button', { name: 'Start' }).click()
    const part = panel.getByRole('button', { name: /^conversations\.ndjson/ })
    await part.waitFor()
    await panel.getByText('2 objects').waitFor()
    await photograph(page, 'data-export')
    assert.deepEqual(await violationsOn(page), [])
    const [download] = await Promise.all([page.waitForEvent('download'), part.click()])
    assert.equal(download.suggestedFilename(), 'conversations.ndjson')
    const bytes = readFileSync(await download.path())
    assert.equal(bytes.toString().trim().split('\n').length, 2)
    await panel.getByText(createHash('sha256').update(bytes).digest('hex')).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /Conversations Done Ada Lovelace/ }).waitFor()
    await photograph(page, 'data-exports')
  })

  test('all jobs are listed with who started them, and the failed results with their reasons', async () => {
    const world = await api.world()
    const closed = await conversation(world.test, { subject: 'Closed one' })
    const open = await conversation(world.test, { subject: 'Open one' })
    await act(world.test, closed.id, 'close')
    const { page, panel } = await opened(world, 'jobs', { colorScheme: 'dark' })
    await page.getByRole('heading', { name: 'No jobs' }).waitFor()
    await run(world.test, '/v1/bulk', {
      selection: { ids: [closed.id, open.id] },
      actions: [{ type: 'resolve' }],
    })
    const row = page.getByRole('row', { name: /Bulk change Done, with failures API key/ })
    await row.waitFor()
    await photograph(page, 'data-jobs')
    await row.getByRole('link').click()
    await panel.getByRole('link', { name: 'Closed one' }).waitFor()
    await panel.getByText(/while the status is closed/).waitFor()
    assert.equal(await panel.getByRole('link', { name: 'Open one' }).count(), 0)
    await photograph(page, 'data-job')
    assert.deepEqual(await violationsOn(page), [])
    await panel.getByLabel('Failed only').uncheck()
    await panel.getByRole('link', { name: 'Open one' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Cancelled')
    await page.getByRole('heading', { name: 'No jobs' }).waitFor()
    assert.equal(succeeded(await world.test.get('/v1/jobs')).data.length, 1)
  })

  test('the pages fit a phone, also in German', async () => {
    const world = await api.world()
    await conversation(world.test)
    await run(world.test, '/v1/exports', { objects: ['conversations', 'messages'] })
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'de-DE' }
    const { page, panel } = await opened(world, 'exports', phone)
    for (const path of ['exports', 'imports', 'jobs']) {
      await page.goto(`${api.url}/console/test/setup/${path}`)
      await page.locator('main h1').waitFor()
      if (path !== 'imports') await page.getByRole('row', { name: /Export .*Fertig/ }).waitFor()
      await photograph(page, `data-${path}-phone`)
      assert.deepEqual(await violationsOn(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    }
    await page
      .getByRole('row', { name: /Export .*Fertig/ })
      .getByRole('link')
      .click()
    await panel.getByRole('button', { name: /^messages\.ndjson\.gz/ }).waitFor()
    await photograph(page, 'data-export-phone')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('an agent has none of these pages', async () => {
    const { page } = await signInAs(api, await api.world(), { name: 'Grace Hopper', role: 'agent' })
    await page.goto(`${api.url}/console/test/setup/exports`)
    await page.getByText('Your role does not include this page').waitFor()
  })
})
