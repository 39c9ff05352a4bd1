import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import { act, type Body, say, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'

const api = service({ works: true })

const desktop = { viewport: { width: 1440, height: 900 } }

async function opened(world: World, path: string) {
  const person = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' }, desktop)
  await person.page.goto(`${api.url}/console/test/${path}`)
  return {
    ...person,
    panel: person.page.getByRole('dialog'),
    details: person.page.getByRole('complementary', { name: 'Details' }),
  }
}

/** A conversation of a person with a name. */
async function conversationOfLinWu({ test: client }: World): Promise<Body> {
  const { id: end_user_id } = succeeded(
    await client.post('/v1/end_users', { external_id: 'u1', name: 'Lin Wu' }),
  )
  const { id } = succeeded(
    await client.post('/v1/conversations', { end_user_id, subject: 'Please forget me' }),
  )
  await say(client, id, 'end_user', { body: 'My name is Lin Wu.' })
  return { id, end_user_id }
}

describe('imports, retention and erasure', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a file is checked by a dry run, whose faults are shown by line, and then imported', async () => {
    const world = await api.world()
    setPublicUrl(api.url) // uploads have absolute URLs
    const { page, panel } = await opened(world, 'setup/imports')
    const lines = [
      { type: 'tag', external_id: '1', name: 'vip' },
      { type: 'category', external_id: '2', name: 'Cards', default_department_external_id: 'none' },
      { type: 'end_user', external_id: '3', name: 'Lin Wu' },
    ]
    await page.getByRole('button', { name: 'New import' }).click()
    await panel.getByLabel('File').setInputFiles({
      name: 'desk.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    })
    await panel.getByLabel('Source').fill('zendesk')
    await panel.getByRole('button', { name: 'Check the file' }).click()
    await panel.getByText('2 lines would be imported.').waitFor()
    await panel.getByText('Line 2').waitFor()
    await photograph(page, 'data-import-check')
    assert.deepEqual(await violationsOn(page), [])
    assert.equal(succeeded(await world.test.get('/v1/tags')).data.length, 0)
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await page.waitForURL(/imports\/job_\w+$/)
    await panel.getByText('3 of 3').waitFor()
    await panel.getByText('Line 2').waitFor()
    await photograph(page, 'data-import')
    assert.equal(succeeded(await world.test.get('/v1/tags')).data[0].name, 'vip')
    assert.equal(succeeded(await world.test.get('/v1/end_users')).data[0].name, 'Lin Wu')
  })

  test('a retention policy is created, previewed, and enabled after a question', async () => {
    const world = await api.world()
    const { id } = await conversationOfLinWu(world)
    await act(world.test, id, 'close')
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 100 * 86_400 }))
    const { page, panel } = await opened(world, 'setup/retention_policies')
    await page.getByRole('button', { name: 'New policy' }).first().click()
    await panel.getByLabel('Name').fill('Chats after a year')
    await panel.getByLabel('Delete conversations').check()
    await panel.getByLabel('Days after closing').fill('90')
    await photograph(page, 'data-retention-form')
    assert.deepEqual(await violationsOn(page), [])
    await panel.getByRole('button', { name: 'Create' }).click()
    await panel.getByText('1 conversation').waitFor()
    await photograph(page, 'data-retention-preview')
    await panel.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Enable' }).click()
    const question = page.getByRole('dialog', { name: /Enable “Chats/ })
    await question.getByText('1 conversation').waitFor()
    await question.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('cell', { name: 'Enabled', includeHidden: true }).waitFor()
    await photograph(page, 'data-retention')
    const [policy] = succeeded(await world.test.get('/v1/retention_policies')).data
    assert.deepEqual([policy.action, policy.after_seconds, policy.status], ['delete', 90 * 86_400, 'enabled'])
  })

  test('a person is erased after a look at what it reaches, once the name is typed', async () => {
    const world = await api.world()
    const { id, end_user_id } = await conversationOfLinWu(world)
    const { page, panel, details } = await opened(world, `inbox/all/${id}`)
    const { page: another } = await signInAs(api, world, { name: 'Grace Hopper', role: 'agent' }, desktop)
    await another.goto(`${api.url}/console/test/inbox/all/${id}`)
    await another.getByText('My name is Lin Wu.').waitFor()
    await details.getByText('Lin Wu').first().waitFor()
    await details.getByRole('button', { name: 'More actions' }).click()
    await photograph(page, 'data-person-menu')
    await page.getByRole('menuitem', { name: 'Erase…' }).click()
    await panel.getByText('Messages').waitFor()
    await panel.getByRole('button', { name: 'Erase for good' }).waitFor()
    await panel.getByLabel('Type “Lin Wu” to confirm').fill('Lin')
    await panel.getByRole('button', { name: 'Erase for good' }).click()
    await panel.getByText('This is not the name').waitFor()
    await photograph(page, 'data-erase')
    assert.deepEqual(await violationsOn(page), [])
    assert.equal(succeeded(await world.test.get(`/v1/end_users/${end_user_id}`)).name, 'Lin Wu')
    await panel.getByLabel('Type “Lin Wu” to confirm').fill('Lin Wu')
    await panel.getByRole('button', { name: 'Erase for good' }).click()
    await panel.getByRole('link', { name: 'Show the certificate' }).click()
    await panel.getByText('SHA-256').waitFor()
    const [certificate] = succeeded(await world.test.get('/v1/erasures')).data
    await panel.getByText(certificate.sha256).waitFor()
    await photograph(page, 'data-certificate')
    assert.deepEqual(await violationsOn(page), [])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Download as JSON' }).click(),
    ])
    assert.equal(download.suggestedFilename(), `${certificate.id}.json`)
    await another.getByText('Erased', { exact: true }).first().waitFor()
    await another.getByText('Lin Wu').first().waitFor({ state: 'detached' })
    await another.getByText('u1', { exact: true }).first().waitFor({ state: 'detached' })
    await photograph(another, 'data-erased')
  })

  test('a legal hold is set with its reason, and keeps the person from being erased', async () => {
    const world = await api.world()
    const { id, end_user_id } = await conversationOfLinWu(world)
    const { page, panel, details } = await opened(world, `inbox/all/${id}`)
    await details.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Set a legal hold…' }).click()
    await panel.getByLabel('Reason').fill('Case 2026-117')
    await panel.getByRole('button', { name: 'Legal hold' }).click()
    await details.getByText('Legal hold').waitFor()
    const held = async () => succeeded(await world.test.get(`/v1/end_users/${end_user_id}`)).legal_hold
    assert.equal((await held()).reason, 'Case 2026-117')
    await details.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Erase…', disabled: true }).waitFor()
    await photograph(page, 'data-legal-hold')
    await page.getByRole('menuitem', { name: 'End the legal hold' }).click()
    await details.getByText('Legal hold').waitFor({ state: 'detached' })
    assert.equal(await held(), null)
  })
})
