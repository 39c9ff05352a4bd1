import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { endpoint, eventsAfterCreation, hookReceiver, localNetworks, tag } from '@backline/test/hooks.ts'
import { cleanUp, secondServer, until } from '@backline/test/processes.ts'
import { rounds } from '@backline/test/thorough.ts'

/* Separate servers send; that of `service()` creates endpoints and does no background work. */

const api = service({ environment: localNetworks })
after(cleanUp)

describe('an endpoint that another process creates while events flow', () => {
  test('receives each event after its creation and none before, from senders that knew of no endpoint', async () => {
    const { test, environments } = await api.world()
    const senders = [1, 2].map(() => secondServer(api, { BACKLINE_ROLE: 'worker', ...localNetworks }))
    const started = await Promise.all(senders)
    for (let i = 0; i < rounds(8, 3); i++) {
      const to = await hookReceiver()
      let [count, isFlowing] = [0, true]
      const flow = async () => {
        while (isFlowing) {
          await tag(test)
          count++
        }
      }
      const flowing = [flow(), flow()]
      await until('events flow', () => count > 5)
      const made = await endpoint(test, to.url)
      await until('more events flow', () => count > 20)
      isFlowing = false
      await Promise.all(flowing)
      const expected = await eventsAfterCreation(api, environments.test)
      const received = () => new Set(to.hooks.map(({ event }) => event.id))
      await until('all have arrived', () => expected.every((id) => received().has(id)))
      assert.equal(received().size, expected.length)
      succeeded(await test.delete(`/v1/webhook_endpoints/${made.id}`))
    }
    for (const each of started) await each.stop()
  })
})
