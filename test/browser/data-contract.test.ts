import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import type { Page } from 'playwright-core'
import type { Body } from '../desk.ts'
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
})
