import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { deliveriesOf, endpoint, hookReceiver, localNetworks, openWorker, tag } from '@backline/test/hooks.ts'
import { until } from '@backline/test/processes.ts'
import { receiver } from '@backline/test/receivers.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

const api = service({ environment: localNetworks })

describe('receivers that misbehave', () => {
  test('each delivery fails alone: reset, drip, a gigabyte, a redirect loop, a Retry-After of years', async (t) => {
    const { test } = await api.world()
    const worker = await openWorker(api)
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
    await until('the one that is well has it', () => well.hooks.some(({ event }) => event.resource.id === id))
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

  test('an endpoint that fails for five days and twenty times is disabled, by the clock of the environment', async () => {
    const { test } = await api.world()
    const worker = await openWorker(api, {
      BACKLINE_WEBHOOK_RETRY_SECONDS: '3600,7200,14400,28800,57600,86400,86400,86400',
    })
    const to = await hookReceiver((_, outgoing) => outgoing.writeHead(500).end())
    const made = await endpoint(test, to.url)
    const advance = async (seconds: number) =>
      succeeded(await test.post('/v1/test_clock/advance', { seconds }))
    const status = async () => succeeded(await test.get(`/v1/webhook_endpoints/${made.id}`))
    for (let i = 0; i < 3; i++) await tag(test)
    // Moving a clock does not wait for a sender that has not yet begun to serve its environment.
    await until('each is tried once', async () => to.hooks.length === 3)
    await advance(4 * 86_400)
    const { status: still, consecutive_failures: failures } = await status()
    assert.equal(still, 'enabled')
    assert.ok(failures >= 20, `${failures} failures`)
    await tag(test)
    await advance(2 * 86_400)
    // A separate change disables the endpoint after the attempt is recorded.
    await until('it is disabled', async () => (await status()).status === 'disabled')
    assert.equal((await status()).disabled_reason, 'failing')
    const attempts = (await deliveriesOf(test, made, 'sort=created_at')).map((delivery) => delivery.attempts)
    const [first] = attempts as [Body[]]
    const hours = first.map(({ at }) => (Date.parse(at) - Date.parse(first[0].at)) / 3600_000)
    for (const [i, least] of [0, 1, 3, 7, 15, 31, 55, 79, 103].entries())
      assert.ok(hours[i]! >= least && hours[i]! <= least * 1.1 + 0.1, `attempt ${i} after ${hours[i]} h`)
    await worker.stop()
  })

  test('the lease of a dead worker expires, and deliveries continue', async () => {
    const { test, environments } = await api.world()
    await api.db.write(sql`insert into leases (tenant_id, work, holder, leased_until)
      values (${environments.test.tenantId}, 'webhooks', gen_random_uuid(), now() + interval '3 seconds')`)
    const worker = await openWorker(api)
    const to = await hookReceiver()
    await endpoint(test, to.url)
    const { id } = await tag(test)
    await until('it arrives', () => to.hooks.some(({ event }) => event.resource.id === id))
    await worker.stop()
  })
})
