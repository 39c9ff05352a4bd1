import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { service, type World } from '../harness.ts'
import { Fixtures, filledLists, listRoutes, readRoutes, routes, titleOf, writeRoutes } from './fixtures.ts'
import { type Sent, send, describe as show } from './http.ts'
import { idPrefixOf, type Schema, strictAjv, variantsOf } from './schemas.ts'

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** All schemas within a schema, with their locations. */
function* within(schema: Schema, place: string): Generator<[string, Schema]> {
  yield [place, schema]
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* within(member, `${place}.${name}`)
  if (schema.items) yield* within(schema.items, `${place}[]`)
  if (typeof schema.additionalProperties === 'object')
    yield* within(schema.additionalProperties, `${place}{}`)
  for (const [i, variant] of (variantsOf(schema) ?? []).entries()) yield* within(variant, `${place}|${i}`)
}

/** All values within a value, with the names of their fields. */
function* valuesIn(value: unknown, name = ''): Generator<[string, unknown]> {
  yield [name, value]
  if (Array.isArray(value)) for (const item of value) yield* valuesIn(item, name)
  else if (value !== null && typeof value === 'object')
    for (const [member, inner] of Object.entries(value))
      if (!['metadata', 'headers'].includes(member)) yield* valuesIn(inner, member) // clients choose these members
}

/** Objects beside their ids, which responses have only with `include`. */
const included = new Set(['end_user', 'assignee', 'company', 'conversation', 'message'])

/** Members of conversations that responses have only with `include`. */
const includedInConversations = new Set(['follower_ids', 'last_message', 'read_state'])

/** Members that only some of the objects have, or that responses have only with `include` or `group_by`. */
const optional = ['Event.data.conversation', 'Notification.end_user', 'ViewCount.groups']

/** Members that only the response of the creation shows. */
const isHidden = (object: string, name: string) =>
  name === 'upload' || (object === 'invitation' && name === 'url')

describe('responses are what is declared, no more and no less', () => {
  const api = service()
  let world: World
  let fixtures: Fixtures
  const ajv = strictAjv()

  before(async () => {
    world = await api.world()
    fixtures = new Fixtures(api, world.test)
  })

  const wires = [...new Set(routes.flatMap((route) => [route.reply, route.storedReply ?? null]))]
  for (const wire of wires.filter((each) => each !== null)) {
    const parts = [...within(wire.schema as Schema, wire.name)]

    test(`every object is closed and leaves no field out: ${wire.name}`, () => {
      for (const [place, { properties, required, additionalProperties }] of parts) {
        if (!properties) continue
        assert.equal(additionalProperties, false, place)
        const always = Object.keys(properties).filter(
          (name) =>
            !optional.includes(`${place}.${name}`) &&
            !(included.has(name) && `${name}_id` in properties) &&
            !includedInConversations.has(name),
        )
        assert.deepEqual((required ?? []).toSorted(), always.toSorted(), place)
      }
    })

    test(`a resource has id, object, created_at, and both updated_at and version or neither: ${wire.name}`, () => {
      const { properties = {} } = wire.schema as Schema
      if (!properties.id || wire.name === 'JobResult') return // whose id is that of another object
      assert.equal(properties.object?.enum?.length, 1)
      assert.ok(properties.created_at)
      if (properties.updated_at || properties.object.enum[0] !== 'event')
        assert.equal(properties.updated_at === undefined, properties.version === undefined)
    })

    test(`the example is valid: ${wire.name}`, () => {
      const validate = ajv.compile(wire.schema as object)
      assert.ok(validate(wire.example), JSON.stringify(validate.errors))
    })
  }

  function checkItem(item: unknown, schema: Schema, answer: Sent): void {
    const validate = ajv.compile(schema)
    assert.ok(validate(item), `${show(answer)}\n${JSON.stringify(validate.errors)}`)
    const text = JSON.stringify(item)
    for (const [name, value] of valuesIn(item)) {
      if (/_at$|^(since|until|from|to|at)$/.test(name) && typeof value === 'string' && /^\d{4}-/.test(value))
        assert.match(value, instant, `${name} in ${text}`)
      // An object is a change from one value to another.
      if (/_seconds$/.test(name) && typeof value !== 'object')
        assert.ok(Number.isInteger(value), `${name} in ${text}`)
      assert.match(name, /^[a-z0-9_]*$/, `${name} in ${text}`)
      assert.notEqual(value, undefined)
    }
    const { id } = item as { id?: string }
    const prefixes = (schema.oneOf ?? [schema]).map((each) => idPrefixOf(each.properties?.id ?? {}))
    if (id !== undefined) assert.ok(prefixes.includes(id.split('_')[0]!), text)
  }

  for (const route of [...readRoutes, ...writeRoutes]) {
    test(`${route.status} with a body that validates against the declared schema: ${titleOf(route)}`, async () => {
      const answer = await fixtures.run(await fixtures.call(route))
      const { headers, body } = answer
      if (route.reply === null) {
        assert.equal(answer.status, 204)
        assert.equal(headers.get('content-type'), null)
        return
      }
      checkItem(body, route.reply.schema as Schema, answer)
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(Number(headers.get('content-length')), Buffer.byteLength(answer.text))
      assert.equal(headers.has('location'), route.location !== undefined)
      if (route.status === 201) assert.ok(route.location, 'What is created has a Location')
    })
  }

  for (const route of writeRoutes.filter((each) => each.location)) {
    test(`Location leads to what was created: ${titleOf(route)}`, async () => {
      const created = await fixtures.run(await fixtures.call(route))
      const path = created.headers.get('location')!
      assert.match(path, /^\/v1\//)
      assert.ok(path.endsWith(`/${created.body.id}`), path)
      const got = await send(api, { method: 'GET', path, key: fixtures.key })
      assert.equal(got.status, 200, show(got))
      assert.deepEqual(
        got.body,
        Object.fromEntries(
          Object.entries(created.body)
            .filter(([name]) => name in got.body)
            .map(([name, value]) => [name, isHidden(created.body.object, name) ? null : value]),
        ),
      )
      if (!route.storedReply) assert.equal(got.text, created.text)
      assert.equal(got.headers.get('etag'), created.headers.get('etag'))
    })
  }

  for (const route of filledLists) {
    test(`200 with items that validate against the declared schema: ${titleOf(route)}`, async () => {
      const { path, add } = await fixtures.list(route)
      if (add) await add()
      const answer = await send(api, { method: 'GET', path, key: fixtures.key })
      assert.ok(answer.body.data.length > 0, `${show(answer)}: an empty list proves nothing`)
      for (const item of answer.body.data) checkItem(item, route.reply!.schema as Schema, answer)
    })
  }

  test('an item looks the same in a list and on its own', async () => {
    for (const route of listRoutes.filter((each) => !each.params)) {
      const getter = readRoutes.find(
        (each) => each.path === `${route.path}/{id}` && each.reply === route.reply,
      )
      if (!getter) continue
      const { path, add } = await fixtures.list(route)
      await add?.()
      const { body } = await send(api, { method: 'GET', path, key: fixtures.key })
      for (const item of body.data.slice(0, 5)) {
        const single = await send(api, { method: 'GET', path: `${path}/${item.id}`, key: fixtures.key })
        assert.equal(single.text, JSON.stringify(item))
      }
    }
  })

  test("a client's well-formed trace is continued, in answers and refusals; any other is not", async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const given = `00-${trace}-00f067aa0ba902b7-01`
    for (const path of ['/v1/workspace', '/v1/nonsense', '/healthz']) {
      const ask = async (traceparent: string | null) =>
        (await send(api, { method: 'GET', path, key: fixtures.key, headers: { traceparent } })).headers.get(
          'traceparent',
        )
      const answered = (await ask(given)) ?? ''
      assert.match(answered, new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
      assert.notEqual(answered, given)
      const malformed = [
        null,
        'nonsense',
        given.slice(1),
        `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
        given.toUpperCase(),
      ]
      for (const other of malformed) assert.ok(!(await ask(other))?.includes(trace), String(other))
    }
  })
})
