import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Body, conversation, succeeded } from '../desk.ts'
import { service } from '../harness.ts'
import { as, noticed } from '../notifications.ts'
import { freePort, until } from '../processes.ts'
import { canBrowse } from './console.ts'
import { atConversation, atDesk, composer, rowOf, thread } from './inbox.ts'

/* The console reaches its server through a forwarder: without it, it is as if the server had stopped. */

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const real = service({
  works: true,
  environment: { BACKLINE_PUBLIC_URL: url },
})
const api: typeof real = Object.create(real, { url: { value: url } })

let server: Server
const sockets = new Set<Socket>()

async function start(): Promise<void> {
  server = createServer((client) => {
    const upstream = connect(Number(new URL(real.url).port), '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.pipe(to)
    }
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
}

async function stop(): Promise<void> {
  server.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await once(server, 'close')
}

describe('a server that stops and starts again', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  before(start)
  after(stop)

  test('is asked for the numbers of the sidebar again, and need not repeat what the page has', async () => {
    const world = await api.world()
    await conversation(world.test, { subject: 'Card declined', message: { body: 'Help.' } })
    const { page } = await atDesk(api, world, 'open')
    const open = page.getByRole('list', { name: 'Views' }).getByRole('link', { name: /^Open/ })
    await open.getByText('1', { exact: true }).waitFor()
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    const answered: number[] = []
    page.on('response', (response) => {
      if (response.url().includes('/v1/views/counts')) answered.push(response.status())
    })
    await stop()
    await page.getByRole('status', { name: 'Connecting…' }).waitFor()
    await start()
    await until('it is asked', async () => answered.length > 0)
    assert.deepEqual(answered, [304])
    await open.getByText('1', { exact: true }).waitFor()
  })

  test('is asked once for the notifications that came and were read meanwhile', async () => {
    const world = await api.world()
    const { page, operatorId } = await atDesk(api, world, 'open')
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    const bell = (count: number) => page.getByRole('button', { name: `Notifications: ${count} unread` })
    const { id } = await conversation(world.test, { assignee_id: operatorId })
    await bell(1).waitFor()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('/v1/notifications')) asked++
    })
    await stop()
    await page.getByRole('status', { name: 'Connecting…' }).waitFor()
    succeeded(await world.test.post('/v1/notifications/read_all', {}, as(operatorId)))
    for (const subject of ['Refund', 'Invoice'])
      await conversation(world.test, { subject, assignee_id: operatorId })
    await noticed(world.test)
    await start()
    await bell(2).waitFor()
    assert.equal(asked, 1)
    succeeded(await world.test.post(`/v1/conversations/${id}/assign`, { assignee_id: null }))
    await bell(3).waitFor()
    assert.equal(asked, 1)
  })

  test('gets what was written meanwhile, once, and the page shows what has happened', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test, { subject: 'Card declined', message: { body: 'Help.' } })
    const { page } = await atConversation(api, world, id)
    await page.getByRole('status', { name: 'Connected' }).waitFor()
    await stop()
    await page.getByRole('status', { name: 'Connecting…' }).waitFor()
    await composer(page).fill('Are you there?')
    await composer(page).press('Control+Enter')
    await thread(page).getByText('Not sent: There is no connection to the server.').waitFor()
    await page.getByRole('link', { name: '1 not sent', exact: true }).first().waitFor()
    const offline = page.getByText('No connection to the server. What you send waits')
    await offline.waitFor()
    await conversation(world.test, { subject: 'Wrong invoice', message: { body: 'Help.' } })
    await start()
    await page.getByRole('button', { name: '1 new' }).click() // rows keep their places while somebody works
    await rowOf(page, 'Wrong invoice').waitFor()
    await thread(page).getByText('Not sent').waitFor({ state: 'detached' })
    const bodies = async () =>
      succeeded(await world.test.get(`/v1/conversations/${id}/messages`)).data.map(({ body }: Body) => body)
    await until('it is sent', async () => (await bodies()).length === 2)
    assert.deepEqual(await bodies(), ['Help.', 'Are you there?'])
  })
})
