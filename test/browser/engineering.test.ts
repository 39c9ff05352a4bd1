import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { conversation, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, signInAs } from './console.ts'

const api = service({
  works: true,
  environment: { BACKLINE_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
})

/** Signs an administrator in and opens a page of the area. */
async function opened(world: World, path: string) {
  const person = await signInAs(api, world, { name: 'Ada Lovelace', role: 'admin' })
  await person.page.goto(`${api.url}/console/test/engineering/${path}`)
  return person
}

describe('the engineering area', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  let receiver: Server
  let url: string
  before(async () => {
    receiver = createServer((request, response) => {
      request.resume()
      response.writeHead(request.url === '/fails' ? 500 : 200).end('The receiver has answered')
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  })
  after(() => {
    receiver.closeAllConnections()
    receiver.close()
  })

  test('an event appears in the log as it happens, and opens with its changes', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Card declined' })
    const { page } = await opened(world, 'events')
    const log = page.getByRole('list', { name: 'Events, newest first' })
    await log.getByRole('link', { name: /conversation\.created/ }).waitFor()
    await page.getByText('Live', { exact: true }).last().waitFor()
    succeeded(await world.test.patch(`/v1/conversations/${id}`, { priority: 'urgent' }))
    await log.getByRole('link', { name: /conversation\.updated/ }).click()
    const change = page.getByRole('table', { name: 'Changes' }).getByRole('row', { name: /priority/ })
    await change.getByText('urgent').waitFor()
    assert.match(page.url(), /\/events\/evt_/)
  })

  test('while the log is paused, new events wait and are counted', async () => {
    const world = await api.world()
    const { page } = await opened(world, 'events')
    const log = page.getByRole('list', { name: 'Events, newest first' })
    await log.getByRole('link', { name: /console_session\.created/ }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await conversation(world.test, { subject: 'Card declined' })
    await page.getByText(/new events? waits?/).waitFor()
    assert.equal(await log.getByRole('link', { name: /conversation\.created/ }).count(), 0)
    await page.getByRole('button', { name: 'Resume' }).click()
    await log.getByRole('link', { name: /conversation\.created/ }).waitFor()
  })

  test('the events of a conversation are found by its id, from an address', async () => {
    const world = await api.world()
    const wanted = await conversation(world.test, { subject: 'Card declined' })
    const other = await conversation(world.test, { subject: 'Another' })
    const { page } = await opened(world, `events?conversation=${wanted.id}`)
    const log = page.getByRole('list', { name: 'Events, newest first' })
    await log
      .getByRole('link', { name: new RegExp(wanted.id) })
      .first()
      .waitFor()
    assert.equal(await log.getByRole('link', { name: new RegExp(other.id) }).count(), 0)
  })

  test('a refused request is found by its status and opens with its code; an event leads to its request', async () => {
    const world = await api.world()
    const refused = await world.test.post('/v1/conversations', { subject: 1 })
    await conversation(world.test, { subject: 'Card declined' })
    const { page, operatorId } = await opened(world, 'requests')
    const log = page.getByRole('list', { name: 'Requests, newest first' })
    await until('the request is in the log', async () => {
      const { status } = await world.test.get(`/v1/request_log/${refused.headers.get('request-id')}`)
      return status === 200
    })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await log.getByRole('link', { name: /201 POST \/v1\/conversations/ }).waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('4xx')
    await log.getByRole('link', { name: /201 POST \/v1\/conversations/ }).waitFor({ state: 'detached' })
    await log.getByRole('link', { name: /422 POST \/v1\/conversations/ }).click()
    const detail = page.getByRole('region', { name: 'Request' })
    await detail.getByText('validation_failed').first().waitFor()
    assert.match(page.url(), /\/requests\/req_\w+\?status=4xx/)
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByRole('link', { name: /conversation\.created/ }).click()
    await page.getByRole('link', { name: 'Its request' }).click()
    await detail.getByRole('heading', { name: 'POST /v1/conversations' }).waitFor()
    await page.goto(`${api.url}/console/test/engineering/requests?sender=${operatorId}`)
    await log.getByRole('link', { name: /GET/ }).first().waitFor()
    assert.equal(await log.getByRole('link', { name: /POST \/v1\/conversations/ }).count(), 0)
  })

  test('a new endpoint shows its secret once, and a test event arrives with the answer of the receiver', async () => {
    const world = await api.world()
    const { page } = await opened(world, 'webhooks')
    await page.getByRole('button', { name: 'New endpoint' }).first().click()
    const form = page.getByRole('dialog', { name: 'New endpoint' })
    await form.getByLabel('URL').fill('http://example.com/hook')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('must begin with https://').waitFor()
    await form.getByLabel('URL').fill(url)
    await form.getByRole('button', { name: 'Create' }).click()
    const shown = page.getByRole('dialog', { name: 'The signing secret' })
    const secret = await shown.getByText(/^whsec_/).textContent()
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: url, exact: true }).waitFor()
    assert.ok(!(await page.content()).includes(secret!))
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const delivery = page.getByRole('dialog')
    await delivery.getByText('HTTP 200').waitFor()
    await delivery.getByText('The receiver has answered').waitFor()
  })

  test('an endpoint that was changed meanwhile is not overwritten at once, and the typed text stays', async () => {
    const world = await api.world()
    const { id } = succeeded(await world.test.post('/v1/webhook_endpoints', { url, description: 'Shop' }))
    const { page } = await opened(world, `webhooks/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: url, exact: true })
    await form.getByLabel('Description').fill('My text')
    succeeded(await world.test.patch(`/v1/webhook_endpoints/${id}`, { description: 'Their text' }))
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.getByText('Somebody has changed this in the meantime').waitFor()
    await form.getByRole('alert').getByText('Their text').waitFor()
    assert.equal(await form.getByLabel('Description').inputValue(), 'My text')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    const { description } = succeeded(await world.test.get(`/v1/webhook_endpoints/${id}`))
    assert.equal(description, 'My text')
  })

  test('an endpoint that is deleted is not read again', async () => {
    const world = await api.world()
    const { id } = succeeded(await world.test.post('/v1/webhook_endpoints', { url }))
    const { page } = await opened(world, `webhooks/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes(id)) asked.push(request.method())
    })
    await page.route(`**/v1/webhook_endpoints/${id}`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      const response = await route.fetch()
      await sleep(1_000) // the event comes first
      await route.fulfill({ response })
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No endpoints yet').first().waitFor()
    // The page may still have been loading before.
    assert.deepEqual(asked.slice(asked.indexOf('DELETE')), ['DELETE'])
  })

  test('a line that is no header is told at its field; a header that is removed from the form is gone', async () => {
    const world = await api.world()
    const headers = { 'X-Shop': 'one', 'X-Desk': 'two' }
    const { id } = succeeded(await world.test.post('/v1/webhook_endpoints', { url, headers }))
    const { page } = await opened(world, `webhooks/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: url, exact: true })
    await form.getByLabel('Headers').fill('nonsense')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('1 field needs a change.').waitFor()
    await form.getByLabel('Headers').fill('x-desk: three')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    const stored = succeeded(await world.test.get(`/v1/webhook_endpoints/${id}`)).headers
    assert.deepEqual(
      Object.keys(stored).map((name) => name.toLowerCase()),
      ['x-desk'],
    )
  })

  test('an identity key is made with a secret that is shown once, found, changed and deleted', async () => {
    const world = await api.world()
    const { page } = await opened(world, 'keys/identity')
    await page.getByRole('button', { name: 'New identity key' }).first().click()
    const form = page.getByRole('dialog', { name: 'New identity key' })
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('Must not be empty').waitFor()
    await form.getByLabel('Name').fill('Shop')
    await form.getByRole('button', { name: 'Create' }).click()
    const shown = page.getByRole('dialog', { name: 'The secret that signs JWTs' })
    await shown.getByText('The HMAC key is').waitFor()
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('searchbox', { name: 'Search' }).fill('shop')
    await page.getByRole('button', { name: 'Actions for Shop' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edited = page.getByRole('dialog', { name: 'Shop', exact: true })
    await edited.getByLabel('Issuer').fill('https://shop.example')
    await edited.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'https://shop.example' }).waitFor()
    await page.getByRole('button', { name: 'Actions for Shop' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const asked = page.getByRole('dialog', { name: /Delete/ })
    await asked.getByRole('button', { name: 'Delete' }).click()
    await asked.waitFor({ state: 'detached' }) // while it is open, nothing behind it has a role
    await page.getByRole('row', { name: /Shop/ }).waitFor({ state: 'detached' })
    assert.deepEqual(succeeded(await world.test.get('/v1/identity_keys')).data, [])
  })

  test('a failed delivery shows what the receiver answered', async () => {
    const world = await api.world()
    const endpoint = succeeded(await world.test.post('/v1/webhook_endpoints', { url: `${url}/fails` }))
    await conversation(world.test, { subject: 'Card declined' })
    const { page } = await opened(world, `webhooks/${endpoint.id}`)
    await page.getByText('Failing', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').last().click()
    await page.getByRole('dialog').getByText('HTTP 500').first().waitFor()
  })

  test('an API key has the chosen scopes, works with its secret, and is refused once it is revoked', async () => {
    const world = await api.world()
    const { page } = await opened(world, 'keys')
    await page.getByRole('button', { name: 'New API key' }).first().click()
    const form = page.getByRole('dialog', { name: 'New API key' })
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').first().waitFor()
    await form.getByLabel('Name').fill('Shop')
    await form.getByLabel('Write tags').check()
    await form.getByRole('button', { name: 'Create' }).click()
    const shown = page.getByRole('dialog', { name: 'The API key' })
    const secret = (await shown.getByText(/^bkl_test_/).textContent())!
    await shown.getByRole('button', { name: 'Done' }).click()
    const key = api.client(secret)
    assert.equal((await key.get('/v1/tags')).status, 200)
    assert.equal((await key.get('/v1/conversations')).status, 403)
    await page.getByRole('button', { name: 'Actions for Shop' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Shop/ }).waitFor({ state: 'detached' })
    const keys = succeeded(await world.test.get('/v1/api_keys')).data
    assert.ok(keys.find(({ name }: { name: string }) => name === 'Shop').revoked_at)
  })

  test('the audit log is verified and exported', async () => {
    const world = await api.world()
    await conversation(world.test, { subject: 'Card declined' })
    const { page } = await opened(world, 'audit?action=conversation.*')
    await page.getByRole('link', { name: /conversation\.created/ }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).action),
      ['conversation.created'],
    )
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('The log is unchanged').waitFor()
    await page.getByLabel('A stored head').fill('0'.repeat(64))
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('The chain does not contain the stored head').waitFor()
  })

  test('the clock of the test environment is advanced, and shows what became due', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Card declined' })
    succeeded(await world.test.post(`/v1/conversations/${id}/resolve`))
    const { page } = await opened(world, 'clock')
    await page.getByRole('button', { name: '+ 7 d' }).click()
    await page.getByRole('table', { name: 'What became due' }).getByText('conversation.closed').waitFor()
    const { offset_seconds: offset } = succeeded(await world.test.get('/v1/test_clock'))
    assert.equal(offset, 604_800)
  })
})
