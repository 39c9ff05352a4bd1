import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { service, type World } from '../harness.ts'
import { turns } from '../thorough.ts'
import { vacantRequest } from './faults.ts'
import {
  byproducts,
  creatorOf,
  creatorsOf,
  Fixtures,
  filledLists,
  madeWithoutRoutes,
  pathOf,
  prefixOfReply,
  routes,
  titleOf,
  toldByResults,
  vacantId,
} from './fixtures.ts'
import { refused, type Sent, send, describe as show } from './http.ts'
import { bodySchema, idPrefixOf, places, querySchemaOf } from './schemas.ts'

const withParams = routes.filter((route) => route.params)

/** Removes the parts of a response that may differ between a foreign object and a missing one (contract 1.2). */
function comparable({ status, text, headers, body }: Sent) {
  const kept = [...headers].filter(([name]) => !['date', 'request-id', 'content-length'].includes(name))
  const parts = text.split(JSON.stringify(body.request_id).slice(1, -1)).join('<request id>')
  return { status, headers: kept, text: parts.replace(JSON.stringify(body.instance), '<instance>') }
}

/** Malformed ids for a path, made from a valid one. */
const malformed = (prefix: string, id: string): string[] => [
  'nonsense',
  `${prefix}_`,
  id.slice(0, -1),
  `${id}0`,
  id.toUpperCase(),
  `${prefix}_${id.slice(prefix.length + 1).toUpperCase()}`,
  id.replace(`${prefix}_`, ''),
  id.replace('_', '-'),
  id.replace(prefix, 'nope'),
  `${prefix}_8${id.slice(prefix.length + 2)}`, // more than 128 bits
  ...['i', 'l', 'o', 'u', '%C3%A9', '%00', '%20', '%2F', '%0A'].map(
    (character) => id.slice(0, -1) + character,
  ),
  'x'.repeat(300),
]

describe('environments do not see each other', () => {
  const api = service()
  /** Creates new environments: the caller's, its live sibling, and both of another workspace. */
  async function environments() {
    const [world, stranger] = [await api.world(), await api.world()]
    const other = (
      name: string,
      { environments }: World,
      kind: 'live' | 'test',
      client: { key: string },
    ) => ({
      name,
      fixtures: new Fixtures(api, client),
      tenantId: environments[kind].tenantId,
    })
    return {
      own: new Fixtures(api, world.test),
      others: [
        other('live of the workspace', world, 'live', world.live),
        other('test of another', stranger, 'test', stranger.test),
        other('live of another', stranger, 'live', stranger.live),
      ],
    }
  }
  const [ids, foreignOwners, referred, filtering] = [turns(), turns(), turns(), turns()]
  let own: Fixtures
  let others: Awaited<ReturnType<typeof environments>>['others']

  before(async () => {
    const made = await environments()
    own = made.own
    others = made.others
  })

  const countEvents = async (tenantId: string) =>
    (await api.db.rows(sql`select 1 from events where tenant_id = ${tenantId}`)).length

  for (const route of withParams) {
    for (const [name, prefix] of Object.entries(route.params!)) {
      test(`404 for a foreign ${name}, byte for byte as for none, nothing changed: ${titleOf(route)}`, async () => {
        const { ids, request } = await own.call(route)
        const attempt = (id: string) => send(api, { ...request, path: pathOf(route, { ...ids, [name]: id }) })
        const none = await attempt(vacantId(prefix))
        refused(none, 'not_found')
        for (const other of foreignOwners(others, 1)) {
          const foreign = await other.fixtures.create(prefix)
          const before = await countEvents(other.tenantId)
          const answer = await attempt(foreign)
          assert.deepEqual(comparable(answer), comparable(none), other.name)
          assert.equal(await countEvents(other.tenantId), before, other.name)
        }
      })

      test(`404 for a ${name} that cannot be an id: ${titleOf(route)}`, async () => {
        const call = await own.call(route)
        for (const id of ids(malformed(prefix, call.ids[name]!), 3)) {
          const path = pathOf(route, { ...call.ids, [name]: id })
          refused(await send(api, { ...call.request, path }), 'not_found')
        }
      })
    }
  }

  /** Changes of the example body that a reference requires. */
  const companions: Record<string, object> = {
    'createConversation /end_user_id': { external_user_id: undefined },
    'createMessage /operator_id': { author_side: 'operator' },
    'voteOnFaq /end_user_id': { external_user_id: undefined },
    'voteOnKbArticle /end_user_id': { external_user_id: undefined },
    'createMessage /template_id': { body: undefined },
    'startBulk /macro_id': { actions: undefined },
  }

  for (const route of routes.filter((each) => each.body)) {
    const references = [...places(bodySchema(route))].filter(
      ({ schema, pointer }) => idPrefixOf(schema) && !toldByResults.includes(`${route.name} ${pointer}`),
    )
    for (const { pointer, schema, holding } of references) {
      test(`422 not_found for a foreign id in ${pointer}, byte for byte as for none: ${titleOf(route)}`, async () => {
        const { request } = await own.call(route)
        const prefix = idPrefixOf(schema)!
        const refer = async (id: string) => {
          const [top] = pointer.slice(1).split('/') as [string]
          const value = (holding(id) as Record<string, unknown>)[top]
          const body = {
            ...(request.body as object),
            ...companions[`${route.name} ${pointer}`],
            [top]: value,
          }
          return send(api, { ...request, body })
        }
        const none = await refer(vacantId(prefix))
        refused(none, 'validation_failed')
        const codes = none.body.errors.map((fault: { pointer: string; code: string }) => [
          fault.pointer,
          fault.code,
        ])
        assert.deepEqual(codes, [[pointer, 'not_found']])
        for (const other of referred(others, 1)) {
          const foreign = await refer(await other.fixtures.create(prefix))
          assert.deepEqual(comparable(foreign), comparable(none), other.name)
        }
      })
    }
  }

  for (const route of filledLists.filter((each) => !each.params)) {
    const prefix = prefixOfReply(route)
    test(`lists nothing of another environment: ${titleOf(route)}`, async (t) => {
      if (!prefix) return t.skip('its items have no id')
      const { own, others } = await environments() // with few objects, so that a page shows all
      const shown = async (key: string) => {
        const answer = await send(api, {
          method: 'GET',
          path: `/v1${route.path}?limit=100&include=total`,
          key,
        })
        assert.equal(answer.status, 200, show(answer))
        assert.equal(answer.body.data.length, answer.body.total, 'The list is short enough for one page')
        return answer.body.data.map((item: { id: string }) => item.id) as string[]
      }
      if (creatorsOf(prefix).length === 0 && !madeWithoutRoutes.has(prefix)) {
        const lists = await Promise.all(
          [own, ...others.map(({ fixtures }) => fixtures)].map(({ key }) => shown(key)),
        )
        assert.ok(lists.every((ids) => ids.length > 0))
        assert.equal(new Set(lists.flat()).size, lists.flat().length)
        return
      }
      const mine = await own.create(prefix)
      const theirs = await Promise.all(others.map((other) => other.fixtures.create(prefix)))
      assert.ok((await shown(own.key)).includes(mine))
      for (const id of theirs) assert.ok(!(await shown(own.key)).includes(id), id)
      for (const [i, other] of others.entries()) {
        assert.ok((await shown(other.fixtures.key)).includes(theirs[i]!), other.name)
        assert.ok(!(await shown(other.fixtures.key)).includes(mine), other.name)
      }
    })

    for (const [name, schema] of Object.entries(querySchemaOf(route).properties!)) {
      const filtered = idPrefixOf(schema)
      if (!filtered) continue
      test(`a foreign ${name} finds as little as none: ${titleOf(route)}`, async () => {
        const find = async (id: string) => {
          const path = `/v1${route.path}?${name}=${id}`
          const { text, headers } = await send(api, { ...vacantRequest(route, own.key), path })
          return text.replaceAll(id, 'it').replace(headers.get('request-id')!, '')
        }
        const none = await find(vacantId(filtered))
        for (const other of filtering(others, 1))
          assert.equal(await find(await other.fixtures.create(filtered)), none)
      })
    }
  }

  test('every prefix in a path has a creator', () => {
    for (const route of withParams)
      for (const prefix of Object.values(route.params!))
        assert.ok(prefix in byproducts || madeWithoutRoutes.has(prefix) || creatorOf(prefix))
  })
})
