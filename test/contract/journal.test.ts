import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { resourceTypeOf } from '@backline/server/platform/kernel/ids.ts'
import { service } from '../harness.ts'
import { part, turns } from '../thorough.ts'
import { faultsOf } from './faults.ts'
import {
  answersAnother,
  eventless,
  listRoutes,
  pathOf,
  readRoutes,
  titleOf,
  vacantIds,
  writeRoutes,
} from './fixtures.ts'
import { send, describe as show } from './http.ts'
import {
  assertAnswerIsTold,
  assertNothingUntold,
  assertOneTransaction,
  assertTells,
  environment,
  eventTypes,
  idOf,
} from './journal.ts'
import { idOfKey, keysWithout } from './keys.ts'

describe('the journal', () => {
  const api = service()

  const [someKeys, someFaults] = [turns(), turns()]
  const closely = new Set(part(writeRoutes))
  for (const route of writeRoutes) {
    const title = titleOf(route)

    if (eventless.has(route.name)) {
      test(`no event: ${title}`, async () => {
        const { fixtures, journal } = await environment(api)
        const call = await fixtures.call(route)
        const known = (await journal()).length
        await fixtures.run(call)
        assert.equal((await journal()).length, known)
      })
      continue
    }

    test(`a write appends one event for each resource that changed, in its own transaction: ${title}`, async () => {
      for (const key of route.method === 'POST' ? [randomUUID()] : someKeys([randomUUID(), null], 1)) {
        const here = await environment(api)
        const { fixtures, journal, everything, tenantId } = here
        const { request } = await fixtures.call(route)
        const before = await everything()
        const known = (await journal()).length
        const answer = await send(api, {
          ...request,
          headers: { ...request.headers, 'idempotency-key': key },
        })
        assert.equal(answer.status, route.status, show(answer))
        const events = (await journal()).slice(known)
        const after = await everything()

        assert.ok(events.length > 0, 'There is an event')
        assert.equal(new Set(events.map(idOf)).size, events.length, 'One event a resource')
        for (const event of events) {
          assert.ok(eventTypes.has(event.type), `${event.type} is in the catalogue`)
          assert.ok(event.type.startsWith(`${resourceTypeOf(event.resource_type)}.`))
          assert.equal(event.actor_type, 'api_key')
          assert.equal(event.actor_id, await idOfKey(api, fixtures.key))
          assert.equal(event.request_id, answer.headers.get('request-id'))
          assert.equal(event.idempotency_key, key)
          await assertTells(event, before, here)
        }
        assertNothingUntold(before, after, events)
        if (!answersAnother.has(route.name)) assertAnswerIsTold(answer, events)
        await assertOneTransaction(api, tenantId, events, key)
      }
    })

    if (!closely.has(route)) continue
    test(`no event for what is refused or replayed: ${title}`, async () => {
      const { world, fixtures, journal } = await environment(api)
      const unscoped = await keysWithout(api, () => world)(route.scope)
      const { request, ids } = await fixtures.call(route)
      const withHeaders = (headers: Record<string, string>) => ({
        ...request,
        headers: { ...request.headers, ...headers },
      })
      const known = (await journal()).length
      for (const fault of someFaults(faultsOf(route), 2))
        assert.ok((await send(api, fault.spoil(request, route, unscoped)!)).status >= 400)
      if (route.params) {
        assert.equal(
          (await send(api, { ...request, path: pathOf(route, { ...ids, ...vacantIds(route) }) })).status,
          404,
        )
        assert.equal((await send(api, withHeaders({ 'if-match': '"0"' }))).status, 412)
      }
      assert.equal((await journal()).length, known)

      const key = randomUUID()
      await send(api, withHeaders({ 'idempotency-key': key }))
      const carriedOut = (await journal()).length
      assert.ok(carriedOut > known)
      await send(api, withHeaders({ 'idempotency-key': key }))
      assert.equal((await journal()).length, carriedOut)
      const again = await send(api, request)
      if (again.status >= 400) assert.equal((await journal()).length, carriedOut)
    })

    if (route.method !== 'PATCH' && route.method !== 'PUT') continue
    test(`200 and no event, version or updated_at for what changes nothing: ${title}`, async () => {
      const { fixtures, journal } = await environment(api)
      const { request } = await fixtures.call(route)
      const first = await send(api, request)
      assert.equal(first.status, route.status, show(first))
      const known = (await journal()).length
      const bodies = route.method === 'PATCH' ? [{}, request.body] : [request.body]
      for (const body of bodies) {
        for (const key of [null, randomUUID()]) {
          const again = await send(api, {
            ...request,
            body,
            headers: { ...request.headers, 'idempotency-key': key },
          })
          assert.equal(again.status, 200, show(again))
          assert.equal(again.text, first.text)
          assert.equal(again.headers.get('etag'), first.headers.get('etag'))
        }
      }
      assert.equal((await journal()).length, known)
    })
  }

  test('reading leaves no event', async () => {
    const { fixtures, journal } = await environment(api)
    for (const route of [...readRoutes, ...listRoutes]) {
      const { request } = await fixtures.call(route)
      const known = (await journal()).length
      assert.equal((await send(api, request)).status, 200)
      assert.equal((await journal()).length, known, titleOf(route))
    }
  })
})
