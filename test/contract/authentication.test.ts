import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode } from '@backline/server/platform/kernel/errors.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { insertSecret } from '@backline/server/support/admin/api-keys/queries.ts'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import { service, type World } from '../harness.ts'
import { part, turns } from '../thorough.ts'
import { faultsOf, spoilt, vacantRequest } from './faults.ts'
import { routes, titleOf } from './fixtures.ts'
import { refused, send } from './http.ts'
import { keysWithout, keyWith } from './keys.ts'

const api = service()
const some = turns()
let world: World
const keyWithout = keysWithout(api, () => world)

const use = (key: string) => send(api, { method: 'GET', path: '/v1/workspace', key })
const mistyped = (key: string, at: number) =>
  key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)

/** Values of `Authorization` and the error code of each, tested on every route. */
const credentials: { what: string; code: ErrorCode; header: string | null }[] = []

async function makeCredentials(): Promise<void> {
  world = await api.world()
  const env = world.environments.test
  const good = world.test.key
  const revoked = await keyWith(api, env, {})
  const expiring = await keyWith(api, env, { expires_at: new Date(api.now() + 60_000).toISOString() })
  const longLived = await keyWith(api, env, { expires_at: new Date(api.now() + 3_600_000).toISOString() })
  // All keys are used while they are valid, so that an entry that a cache keeps too long is noticed.
  for (const { key } of [revoked, expiring, longLived]) assert.equal((await use(key)).status, 200)
  const path = `/v1/api_keys/${revoked.id}`
  assert.equal((await send(api, { method: 'DELETE', path, key: good })).status, 204)
  await sleep(1000) // contract 2.15: a revocation takes effect on every process within a second
  api.advance(60)
  assert.equal((await use(longLived.key)).status, 200)

  // Its hash is known, so that only the checksum can identify it.
  const mistypedButKnown = mistyped(good, 'bkl_test_'.length + 1)
  const { api_key_id: id } = (await api.db.maybe<{ api_key_id: string }>(
    sql`select api_key_id from api_key_secrets where secret_hash = ${hash('sha256', good, 'buffer')}`,
  ))!
  await api.db.write(insertSecret(id, hash('sha256', mistypedButKnown, 'buffer')))

  const missing = [
    null,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${good}`,
    good,
    `Bearer ${good} ${good}`,
    `Bearer${good}`,
  ]
  for (const header of missing)
    credentials.push({
      what: JSON.stringify(header?.replaceAll(good, '<key>')),
      code: 'api_key_missing',
      header,
    })
  const invalid: [string, string][] = [
    ['a word', 'secret'],
    ['a key with its last character mistyped', mistyped(good, good.length - 1)],
    ['a key with its first random character mistyped', mistyped(good, 'bkl_test_'.length)],
    ['a mistyped key that would be found', mistypedButKnown],
    ['a test key that says it is a live one', good.replace('_test_', '_live_')],
    ['a key with a character missing', good.slice(0, -1)],
    ['a key with a character too many', `${good}0`],
    ['a key in upper case', good.toUpperCase()],
    ['a well-formed key that nobody was given', newKeySecret('test')],
    ['a revoked key', revoked.key],
  ]
  for (const [what, key] of invalid)
    credentials.push({ what, code: 'api_key_invalid', header: `Bearer ${key}` })
  credentials.push({ what: 'an expired key', code: 'api_key_expired', header: `Bearer ${expiring.key}` })
}

describe('401 without a valid key', () => {
  before(makeCredentials)

  for (const route of routes) {
    test(`401 for every kind of bad credentials: ${titleOf(route)}`, async () => {
      for (const { what, code, header } of some(credentials, 5)) {
        const request = { ...vacantRequest(route, ''), headers: { authorization: header } }
        const answer = await send(api, request)
        refused(answer, code)
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer\b/, what)
      }
      assert.notEqual((await send(api, vacantRequest(route, world.test.key))).status, 401)
    })
  }

  test('the scheme is read without regard to case', async () => {
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${world.test.key}` }
      const { status } = await send(api, { method: 'GET', path: '/v1/workspace', key: null, headers })
      assert.equal(status, 200)
    }
  })
})

describe('a request with several faults is refused for the first in the order of the contract', () => {
  before(async () => {
    world = await api.world()
  })

  for (const route of part(routes)) {
    test(`401 before 403 before 406 before 400 before 415, 413, 400 before 422 before 404: ${titleOf(route)}`, async () => {
      const faults = faultsOf(route)
      const key = await keyWithout(route.scope)
      for (const [i, fault] of faults.entries()) {
        const request = spoilt(vacantRequest(route, world.test.key), route, faults.slice(i), key)
        refused(await send(api, request), fault.code)
      }
    })
  }
})
