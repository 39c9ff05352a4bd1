import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '@backline/embedded-postgres'
import { urlOf } from '@backline/test/databases.ts'
import { clientOf, service } from '@backline/test/harness.ts'
import {
  deliveriesOf,
  endpoint,
  eventsAfterCreation,
  type HookReceiver,
  hookReceiver,
  localNetworks,
  startWorker,
  tag,
} from '@backline/test/hooks.ts'
import { cleanUp, startServer, temporaryDirectory, until } from '@backline/test/processes.ts'

const api = service({ environment: localNetworks })
after(cleanUp)

const idsIn = ({ hooks }: HookReceiver) => new Set(hooks.map(({ event }) => event.resource.id))
const hasAll = (to: HookReceiver, ids: string[]) => () => ids.every((id) => idsIn(to).has(id))

describe('no failure loses an event', () => {
  test('a worker is killed repeatedly during 500 deliveries', async () => {
    const { test } = await api.world()
    let worker = await startWorker(api)
    const to = await hookReceiver((_, outgoing) => setTimeout(() => outgoing.writeHead(204).end(), 10))
    await endpoint(test, to.url)
    const ids: string[] = []
    const making = (async () => {
      for (let i = 0; i < 500; i++) ids.push((await tag(test)).id)
    })()
    for (const share of [0.2, 0.6]) {
      await until('some arrived', async () => to.hooks.length > share * 500)
      await worker.stop('SIGKILL')
      worker = await startWorker(api)
    }
    await making
    await until('every one has arrived', hasAll(to, ids))
    assert.ok(idsIn(to).size === 500)
    const { data } = (await test.get('/v1/webhook_endpoints')).body
    await until(
      'all are done',
      async () => (await deliveriesOf(test, data[0], 'status=pending')).length === 0,
    )
    await worker.stop()
  })

  test('a worker is killed after endpoints were created: each receives every event after its creation', async () => {
    const { test, environments } = await api.world()
    let worker = await startWorker(api)
    await tag(test)
    let isFlowing = true
    const flow = async () => {
      while (isFlowing) await tag(test)
    }
    const flowing = [flow(), flow()]
    const receivers: { to: HookReceiver; expected: string[] }[] = []
    for (let i = 0; i < 4; i++) {
      const to = await hookReceiver()
      await endpoint(test, to.url)
      await Promise.all(Array.from({ length: 1 + 8 * i }, () => tag(test)))
      await worker.stop('SIGKILL')
      worker = await startWorker(api)
      receivers.push({ to, expected: await eventsAfterCreation(api, environments.test) })
    }
    isFlowing = false
    await Promise.all(flowing)
    for (const { to, expected } of receivers) {
      const received = () => new Set(to.hooks.map(({ event }) => event.id))
      await until('all have arrived', () => expected.every((id) => received().has(id)))
    }
    await worker.stop()
  })

  test('two workers share the work, and one takes over after the other dies', async () => {
    const worlds = await Promise.all(Array.from({ length: 4 }, () => api.world()))
    const workers = [await startWorker(api), await startWorker(api)]
    const to = await hookReceiver()
    const made = await Promise.all(worlds.map(({ test }) => endpoint(test, to.url)))
    const make = async () => (await Promise.all(worlds.map(({ test }) => tag(test)))).map(({ id }) => id)
    const before = await make()
    await until('they arrive', hasAll(to, before))
    // A worker that dies after a request and before its record causes a second request; this is correct.
    const pending = () =>
      Promise.all(worlds.map(({ test }, i) => deliveriesOf(test, made[i]!, 'status=pending')))
    await until('it is recorded', async () => (await pending()).flat().length === 0)
    await workers[0]!.stop('SIGKILL')
    const later = await make()
    await until('they arrive as well', hasAll(to, later))
    assert.equal(
      to.hooks.length,
      new Set(to.hooks.map(({ headers }) => headers['webhook-id'])).size,
      'none twice',
    )
    await workers[1]!.stop()
  })

  test('the database restarts while deliveries run', async (t) => {
    const dataDir = join(temporaryDirectory(), 'database')
    mkdirSync(dataDir)
    const start = () => startEmbedded({ dataDir, purpose: 'server', log: () => undefined })
    let database = await start()
    t.after(() => database.stop())
    const server = await startServer({
      environment: {
        DATABASE_URL: urlOf(database.connection),
        ...localNetworks,
        BACKLINE_WEBHOOK_RETRY_SECONDS: '1,1,1,1',
      },
    })
    const client = clientOf(server.url, (await server.firstKeys()).test)
    const to = await hookReceiver((_, outgoing) => setTimeout(() => outgoing.writeHead(204).end(), 20))
    const made = await endpoint(client, to.url)
    const ids: string[] = []
    for (let i = 0; i < 150; i++) ids.push((await tag(client)).id)
    await until('some arrived', async () => to.hooks.length > 20)
    await database.stop()
    await sleep(500)
    database = await start()
    await until('it answers again', async () => (await client.get('/v1/workspace')).status === 200)
    for (let i = 0; i < 20; i++) ids.push((await tag(client)).id)
    await until('every one has arrived', hasAll(to, ids))
    await until(
      'all are recorded',
      async () => (await deliveriesOf(client, made, 'status=pending')).length === 0,
    )
    await server.stop()
  })
})
