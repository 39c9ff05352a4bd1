import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { service, type World } from '../harness.ts'
import { tablesWith } from '../plaintext.ts'
import { Fixtures, titleOf, writeRoutes } from './fixtures.ts'
import { type Sent, send, describe as show } from './http.ts'
import { keyWith } from './keys.ts'
import type { Schema } from './schemas.ts'

const membersOf = (wire: { schema: unknown } | null | undefined) =>
  Object.keys((wire?.schema as Schema | undefined)?.properties ?? {})

/** The fields of a response that its stored form omits. */
const secretsOf = (route: Route) => {
  const stored = membersOf(route.storedReply)
  return membersOf(route.reply).filter((name) => !stored.includes(name))
}

/** The URLs of uploads and invitations are null in the stored form; the tests of files and invitations cover it. */
const hidesUrl = ({ storedReply }: Route) =>
  Object.values((storedReply?.schema as Schema | undefined)?.properties ?? {}).some(
    ({ type }) => type === 'null',
  )

describe('secrets', () => {
  const api = service()
  let world: World

  before(async () => {
    world = await api.world()
  })

  test('the search for plaintext finds what is there', async () => {
    const marker = randomUUID()
    const { status } = await world.test.patch('/v1/workspace', { name: marker })
    assert.equal(status, 200)
    assert.ok((await tablesWith(api, marker)).includes('workspaces'))
  })

  test('the key that every other test uses is nowhere in the database', async () => {
    assert.deepEqual(await tablesWith(api, world.test.key), [])
  })

  test('a route shows a secret exactly when it declares a stored reply without it', () => {
    for (const route of writeRoutes) {
      if (route.storedReply) assert.ok(secretsOf(route).length > 0 || hidesUrl(route), titleOf(route))
      else assert.ok(!membersOf(route.reply).includes('secret'), titleOf(route))
    }
  })

  for (const route of writeRoutes.filter((each) => each.storedReply && !hidesUrl(each))) {
    const title = titleOf(route)
    const names = secretsOf(route)

    /** Calls the route once with the world's key and a new Idempotency-Key. */
    async function carriedOut() {
      const headers = { 'idempotency-key': randomUUID() }
      const { request } = await new Fixtures(api, world.test).call(route)
      const first = await send(api, { ...request, headers })
      assert.equal(first.status, route.status, show(first))
      const secrets = names.map((name) => first.body[name] as string)
      for (const secret of secrets) assert.ok(typeof secret === 'string' && secret.length >= 32)
      const replay = (key: string): Promise<Sent> => send(api, { ...request, headers, key })
      return { first, secrets, replay }
    }

    test(`replayed with ${names} to the API key that was presented: ${title}`, async () => {
      const { first, replay } = await carriedOut()
      const second = await replay(world.test.key)
      assert.equal(second.text, first.text)
      assert.equal(second.headers.get('idempotent-replayed'), 'true')
      for (const { headers } of [first, second]) assert.equal(headers.get('cache-control'), 'no-store')
    })

    test(`replayed without ${names}, else the same, to another key of the environment: ${title}`, async () => {
      const { first, replay } = await carriedOut()
      const other = await keyWith(api, world.environments.test, {})
      const second = await replay(other.key)
      assert.equal(second.status, first.status)
      assert.equal(second.headers.get('idempotent-replayed'), 'true')
      for (const name of ['location', 'etag'])
        assert.equal(second.headers.get(name), first.headers.get(name), name)
      const public_ = Object.entries(first.body).filter(([name]) => !names.includes(name))
      assert.deepEqual(second.body, Object.fromEntries(public_))
      assert.equal(second.text, (await replay(other.key)).text)
    })

    test(`${names} is in no table, neither after the first nor after a replay: ${title}`, async () => {
      const { secrets, replay } = await carriedOut()
      await replay(world.test.key)
      for (const secret of secrets) assert.deepEqual(await tablesWith(api, secret), [])
    })
  }
})
