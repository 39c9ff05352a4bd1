import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import type { Page } from 'playwright-core'
import { type Body, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'

/*
 * Pages of routes that this server may not have yet: their answers are those of the contract.
 */

const api = service({ works: true })

const at = '2026-11-20T09:31:00.000Z'

const jobOf = (fields: object): Body => ({
  id: 'job_01kah1x2pje4x8ywz5v3k0t6ab',
  object: 'job',
  type: 'import',
  status: 'succeeded',
  dry_run: false,
  progress: { done: 3, total: 3, failed: 0 },
  params: { source: 'zendesk' },
  result: null,
  error: null,
  started_at: at,
  ended_at: at,
  expires_at: at,
  created_at: at,
  updated_at: at,
  version: 5,
  ...fields,
})

const listOf = (data: Body[]): Body => ({ object: 'list', data, has_more: false, next_cursor: null })

/** Answers a route as the contract says, and keeps the bodies of the requests. */
async function answer(page: Page, path: RegExp, of: (method: string, body: Body) => Body): Promise<Body[]> {
  const bodies: Body[] = []
  await page.route(path, async (route) => {
    const request = route.request()
    const body = request.postDataJSON()
    if (request.method() !== 'GET') bodies.push(body)
    await route.fulfill({ json: of(request.method(), body) })
  })
  return bodies
}

async function opened(world: World, options = {}) {
  const person = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' }, options)
  return { ...person, panel: person.page.getByRole('dialog') }
}

/** A conversation of a person with a name. */
async function conversationOf({ test: client }: World): Promise<Body> {
  const { id: end_user_id } = succeeded(
    await client.post('/v1/end_users', { external_id: 'u1', name: 'Lin Wu' }),
  )
  const fields = { end_user_id, subject: 'Please forget me' }
  return succeeded(await client.post('/v1/conversations', fields))
}

describe('pages of the data of a desk', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a file is checked by a dry run, whose faults are shown by line, and then imported', async () => {
    const world = await api.world()
    setPublicUrl(api.url) // uploads have absolute URLs
    const { page, panel } = await opened(world)
    const dryRun = jobOf({
      dry_run: true,
      status: 'completed_with_errors',
      progress: { done: 3, total: 3, failed: 1 },
    })
    const real = jobOf({ id: 'job_01kah1x2pje4x8ywz5v3k0t6ac' })
    const bodies = await answer(page, /\/v1\/imports$/, (_, { dry_run }) => (dry_run ? dryRun : real))
    await answer(page, /\/v1\/jobs\/job_01kah1x2pje4x8ywz5v3k0t6ab$/, () => dryRun)
    await answer(page, /\/v1\/jobs\/job_01kah1x2pje4x8ywz5v3k0t6ac$/, () => real)
    await answer(page, /\/v1\/jobs\/job_\w+\/results/, () =>
      listOf([
        {
          object: 'job_result',
          index: null,
          line: 2,
          id: null,
          status: 'failed',
          errors: [{ pointer: '/department_external_id', code: 'not_found', detail: 'does not exist' }],
          changes: null,
        },
      ]),
    )
    await answer(page, /\/v1\/events\?.*resource_id/, () => listOf([]))
    await page.goto(`${api.url}/console/test/setup/imports`)
    await page.getByRole('button', { name: 'New import' }).click()
    await panel.getByLabel('File').setInputFiles({
      name: 'desk.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from('{"type":"tag","external_id":"1","name":"vip"}\n'),
    })
    await panel.getByLabel('Source').fill('zendesk')
    await panel.getByRole('button', { name: 'Check the file' }).click()
    await panel.getByText('2 lines would be imported.').waitFor()
    await panel.getByText('Line 2').waitFor()
    await photograph(page, 'data-import-check')
    assert.deepEqual(await violationsOn(page), [])
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await page.waitForURL(/imports\/job_01kah1x2pje4x8ywz5v3k0t6ac$/)
    await panel.getByText('3 of 3').waitFor()
    await panel.getByText('Line 2').waitFor()
    assert.deepEqual(
      bodies.map(({ source, dry_run }) => [source, dry_run]),
      [
        ['zendesk', true],
        ['zendesk', false],
      ],
    )
  })

  test('a retention policy is created, previewed, and enabled after a question', async () => {
    const world = await api.world()
    const { page, panel } = await opened(world)
    let policy: Body = null
    const writes = await answer(page, /\/v1\/retention_policies/, (method, body) => {
      if (method === 'POST' && body)
        policy = { ...body, id: 'ret_01kah1x2pje4x8ywz5v3k0t6ab', status: 'paused', version: 1 }
      if (method === 'PATCH') policy = { ...policy, ...body, version: policy.version + 1 }
      if (method === 'POST' && !body)
        return { object: 'retention_preview', matched: 118, more: false, oldest: at }
      return method === 'GET' && !policy ? listOf([]) : policy
    })
    await page.route(/\/v1\/retention_policies\?/, (route) =>
      route.fulfill({ json: listOf(policy ? [policy] : []) }),
    )
    await page.goto(`${api.url}/console/test/setup/retention_policies`)
    await page.getByRole('button', { name: 'New policy' }).first().click()
    await panel.getByLabel('Name').fill('Chats after a year')
    await panel.getByLabel('Delete files').check()
    await panel.getByLabel('Days after closing').fill('90')
    await photograph(page, 'data-retention-form')
    assert.deepEqual(await violationsOn(page), [])
    await panel.getByRole('button', { name: 'Create' }).click()
    await panel.getByText('118 conversations').waitFor()
    await photograph(page, 'data-retention-preview')
    await panel.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Enable' }).click()
    const question = page.getByRole('dialog', { name: /Enable “Chats/ })
    await question.getByText('118 conversations').waitFor()
    await question.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('cell', { name: 'Enabled', includeHidden: true }).waitFor()
    await photograph(page, 'data-retention')
    assert.equal(writes[0].after_seconds, 90 * 86_400)
    assert.deepEqual(writes.filter(Boolean).at(-1), { status: 'enabled' })
  })

  test('a person is erased after a look at what it reaches, once the name is typed', async () => {
    const world = await api.world()
    const { id } = await conversationOf(world)
    const { page, panel } = await opened(world, { viewport: { width: 1440, height: 900 } })
    const dryRun = jobOf({
      type: 'erasure',
      dry_run: true,
      result: { counts: { conversations: 3, messages: 12, files: 2 } },
    })
    const real = jobOf({
      id: 'job_01kah1x2pje4x8ywz5v3k0t6ac',
      type: 'erasure',
      result: { erasure_id: 'era_01kah1vgm0e1tbm5ye8n2m9q7c' },
    })
    const bodies = await answer(page, /\/v1\/end_users\/eu_\w+\/erase$/, (_, { dry_run }) =>
      dry_run ? dryRun : real,
    )
    await answer(page, /\/v1\/jobs\/job_01kah1x2pje4x8ywz5v3k0t6ab$/, () => dryRun)
    await answer(page, /\/v1\/jobs\/job_01kah1x2pje4x8ywz5v3k0t6ac$/, () => real)
    const certificate = {
      id: 'era_01kah1vgm0e1tbm5ye8n2m9q7c',
      object: 'erasure',
      end_user_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c',
      mode: 'anonymise',
      counts: { conversations: 3, messages: 12, files: 2 },
      audit_head_before: 'a'.repeat(64),
      audit_head_after: 'b'.repeat(64),
      exports: [],
      completed_at: at,
      sha256: 'c'.repeat(64),
    }
    await answer(page, /\/v1\/erasures\/era_/, () => certificate)
    await answer(page, /\/v1\/erasures\?/, () => listOf([certificate]))
    await page.goto(`${api.url}/console/test/inbox/all/${id}`)
    const details = page.getByRole('complementary', { name: 'Details' })
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
    assert.equal(bodies.filter(({ dry_run }) => !dry_run).length, 0)
    await panel.getByLabel('Type “Lin Wu” to confirm').fill('Lin Wu')
    await panel.getByRole('button', { name: 'Erase for good' }).click()
    await panel.getByRole('link', { name: 'Show the certificate' }).click()
    await panel.getByText('c'.repeat(64)).waitFor()
    await photograph(page, 'data-certificate')
    assert.deepEqual(await violationsOn(page), [])
    assert.deepEqual(bodies.at(-1), { mode: 'anonymise' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Download as JSON' }).click(),
    ])
    assert.equal(download.suggestedFilename(), `${certificate.id}.json`)
  })

  test('a legal hold is set with its reason, and keeps the person from being erased', async () => {
    const world = await api.world()
    const { id } = await conversationOf(world)
    const { page, panel } = await opened(world, { viewport: { width: 1440, height: 900 } })
    let held: Body = null
    const bodies = await answer(page, /\/v1\/end_users\/eu_\w+\/legal_hold$/, (method, body) => {
      held = method === 'PUT' ? { reason: body.reason, since: at } : null
      return { ...person, legal_hold: held, version: person.version + 1 }
    })
    const { end_user_id } = succeeded(await world.test.get(`/v1/conversations/${id}`))
    const person = succeeded(await world.test.get(`/v1/end_users/${end_user_id}`))
    await page.goto(`${api.url}/console/test/inbox/all/${id}`)
    const details = page.getByRole('complementary', { name: 'Details' })
    await details.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Set a legal hold…' }).click()
    await panel.getByLabel('Reason').fill('Case 2026-117')
    await panel.getByRole('button', { name: 'Legal hold' }).click()
    await details.getByText('Legal hold').waitFor()
    assert.deepEqual(bodies, [{ reason: 'Case 2026-117' }])
    await details.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Erase…', disabled: true }).waitFor()
    await page.getByRole('menuitem', { name: 'End the legal hold' }).waitFor()
    await photograph(page, 'data-legal-hold')
  })
})
