import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { urlOf } from '../../../../test/databases.ts'
import { type Body, succeeded } from '../../../../test/desk.ts'
import { clientOf, service } from '../../../../test/harness.ts'
import {
  deliveriesOf,
  endpoint,
  type HookReceiver,
  hookReceiver,
  localNetworks,
  startWorker,
  tag,
} from '../../../../test/hooks.ts'
import { cleanUp, startServer, temporaryDirectory, until } from '../../../../test/processes.ts'
import { receiver } from '../../../../test/receivers.ts'
import { startEmbedded } from '../../../db/embedded/embedded.ts'
import { sql } from '../../../db/sql.ts'

const api = service({ environment: localNetworks })
after(cleanUp)

const idsIn = ({ hooks }: HookReceiver) => new Set(hooks.map(({ event }) => event.resource.id))
const hasAll = (to: HookReceiver, ids: string[]) => () => ids.every((id) => idsIn(to).has(id))

describe('whatever dies, no event is forgotten', () => {
  test('the worker is killed in the midst of 500 deliveries, again and again', async () => {
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

  test('two workers share the work, and the one that is left takes over from the one that dies', async () => {
    const worlds = await Promise.all(Array.from({ length: 4 }, () => api.world()))
    const workers = [await startWorker(api), await startWorker(api)]
    const to = await hookReceiver()
    const made = await Promise.all(worlds.map(({ test }) => endpoint(test, to.url)))
    const make = async () => (await Promise.all(worlds.map(({ test }) => tag(test)))).map(({ id }) => id)
    const before = await make()
    await until('they arrive', hasAll(to, before))
    // What has arrived and is not recorded when its worker dies is sent once more, and rightly.
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

describe('receivers that misbehave', () => {
  test('each is one of its own: reset, drip, a gigabyte, a loop of redirects, a Retry-After of years', async (t) => {
    const { test } = await api.world()
    const worker = await startWorker(api)
    const behaviours: Record<string, Parameters<typeof receiver>[1]> = {
      reset: (socket) => socket.resetAndDestroy(),
      drip: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => socket.write('X'), 1_000)
        socket.once('close', () => clearInterval(timer))
      },
      gigabyte: (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${2 ** 30}\r\n\r\n`)
        const chunk = Buffer.alloc(65_536, 'x')
        const write = () => {
          while (!socket.destroyed && socket.write(chunk));
        }
        socket.on('drain', write)
        write()
      },
      redirect: (socket) => socket.end('HTTP/1.1 307 Again\r\nLocation: /hook\r\nContent-Length: 0\r\n\r\n'),
      years: (socket) =>
        socket.end('HTTP/1.1 503 Later\r\nRetry-After: 99999999\r\nContent-Length: 0\r\n\r\n'),
    }
    const made: Record<string, Body> = {}
    for (const [name, answer] of Object.entries(behaviours)) {
      const { port } = await receiver(t, answer)
      made[name] = await endpoint(test, `http://127.0.0.1:${port}/hook`)
    }
    const well = await hookReceiver()
    await endpoint(test, well.url)
    const { id } = await tag(test)
    await until('the one that is well has it', hasAll(well, [id]))
    const first = async (name: string) => (await deliveriesOf(test, made[name]!))[0]
    const attempted = (name: string) =>
      until(`${name} was tried`, async () => {
        const delivery = await first(name)
        return delivery?.attempts.length > 0 && delivery
      })
    assert.match((await attempted('reset'))!.attempts[0].error, /reset|closed/)
    const large = await attempted('gigabyte')
    assert.equal(large!.status, 'succeeded')
    assert.ok(large!.attempts[0].response_body.length <= 65_536)
    assert.equal((await attempted('redirect'))!.attempts[0].response_status, 307)
    const years = await attempted('years')
    const wait = Date.parse(years!.next_attempt_at) - Date.now()
    assert.ok(wait > 23 * 3600_000 && wait <= 24 * 3600_000, `${wait} ms`)
    await worker.stop()
  })

  test('one that fails for five days and twenty times is disabled; the clock of the environment tells', async () => {
    const { test } = await api.world()
    const worker = await startWorker(api, {
      BACKLINE_WEBHOOK_RETRY_SECONDS: '3600,7200,14400,28800,57600,86400,86400,86400',
    })
    const to = await hookReceiver((_, outgoing) => outgoing.writeHead(500).end())
    const made = await endpoint(test, to.url)
    const advance = async (seconds: number) =>
      succeeded(await test.post('/v1/test_clock/advance', { seconds }))
    const status = async () => succeeded(await test.get(`/v1/webhook_endpoints/${made.id}`))
    for (let i = 0; i < 3; i++) await tag(test)
    // A clock that is moved waits for no sender that has not yet begun to serve its environment.
    await until('each is tried once', async () => to.hooks.length === 3)
    await advance(4 * 86_400)
    const { status: still, consecutive_failures: failures } = await status()
    assert.equal(still, 'enabled')
    assert.ok(failures >= 20, `${failures} failures`)
    await tag(test)
    await advance(2 * 86_400)
    // What an attempt means for its endpoint is a change of its own, after the attempt's record.
    await until('it is disabled', async () => (await status()).status === 'disabled')
    assert.equal((await status()).disabled_reason, 'failing')
    const attempts = (await deliveriesOf(test, made, 'sort=created_at')).map((delivery) => delivery.attempts)
    const [first] = attempts as [Body[]]
    const hours = first.map(({ at }) => (Date.parse(at) - Date.parse(first[0].at)) / 3600_000)
    for (const [i, least] of [0, 1, 3, 7, 15, 31, 55, 79, 103].entries())
      assert.ok(hours[i]! >= least && hours[i]! <= least * 1.1 + 0.1, `attempt ${i} after ${hours[i]} h`)
    await worker.stop()
  })

  test('the lease of a worker that is gone ends, and nothing of an environment waits for long', async () => {
    const { test, environments } = await api.world()
    await api.db.write(sql`insert into leases (tenant_id, work, holder, leased_until)
      values (${environments.test.tenantId}, 'webhooks', gen_random_uuid(), now() + interval '3 seconds')`)
    const worker = await startWorker(api)
    const to = await hookReceiver()
    await endpoint(test, to.url)
    const { id } = await tag(test)
    await until('it arrives', hasAll(to, [id]))
    await worker.stop()
  })
})
