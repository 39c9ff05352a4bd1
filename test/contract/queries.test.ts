import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { credentialFor } from '@backline/server/support/vocabulary/credentials.ts'
import { succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { turns } from '../thorough.ts'
import { vacantRequest } from './faults.ts'
import { allRoutes, Fixtures, listRoutes, parametersOf, routes, titleOf } from './fixtures.ts'
import { refused, send, describe as show } from './http.ts'
import { idPrefixOf, isFreeText, isText, querySchemaOf, type Schema, sample, typesOf } from './schemas.ts'

/** Values that are invalid for a parameter of this schema. */
function* invalid(schema: Schema): Generator<string> {
  if (schema.enum || schema.format || (schema.pattern && !isFreeText(schema))) yield 'nonsense!'
  if (schema.minLength) yield ''
  if (schema.maxLength !== undefined) yield 'x'.repeat(schema.maxLength + 1)
  if (isText(schema)) yield* ['a%00b', 'a%00']
  if (typesOf(schema).includes('integer')) {
    yield* ['abc', '', '1.5', '-', 'NaN', 'Infinity', 'true', 'null', '1,2', '[1]', '9'.repeat(30)]
    if (schema.minimum !== undefined) yield String(schema.minimum - 1)
    if (schema.maximum !== undefined) yield String(schema.maximum + 1)
  }
  if (typesOf(schema).includes('boolean')) yield* ['', 'yes', '2', 'null']
}

/** Texts that pass the schema of some parameter, and that its handler may refuse. */
const oddTexts = ['zz', '2026-02-30', '2026-02-30T00:00:00Z', '%7B%7D', '%5B%5D', '~', '%25']

describe('query parameters', () => {
  const api = service()
  let world: World

  before(async () => {
    world = await api.world()
  })

  const newToken = async () =>
    succeeded(await world.test.post('/v1/end_user_sessions', { external_user_id: 'u' })).token as string

  /** Rejections of promises that nobody handles end a process, for all of its clients. */
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown) => void unhandled.push(reason)
  before(() => process.on('unhandledRejection', onUnhandled))
  after(() => process.off('unhandledRejection', onUnhandled))

  const [unknown, values, odd, alone, enumerated] = [turns(), turns(), turns(), turns(), turns()]
  async function namesOf(route: Route, query: string): Promise<string[]> {
    const request = vacantRequest(route, world.test.key)
    const answer = await send(api, { ...request, path: `${request.path}?${query}` })
    refused(answer, 'invalid_query')
    const names = answer.body.errors.map((fault: { parameter?: string }) => fault.parameter)
    assert.ok(names.length > 0 && names.every((name: unknown) => typeof name === 'string'), show(answer))
    return [...new Set<string>(names)].sort()
  }

  for (const route of routes) {
    const parameters = Object.entries(querySchemaOf(route).properties!)

    test(`400 invalid_query for an unknown parameter, named as it was sent: ${titleOf(route)}`, async () => {
      const sent: [string, string][] = [
        ['nonsense=1', 'nonsense'],
        ['nonsense', 'nonsense'],
        ['=1', ''],
        ['a%2Fb~c%22=1', 'a/b~c"'],
        ['a+b=1', 'a b'],
        ['__proto__=1', '__proto__'],
        ['constructor=1', 'constructor'],
        ['nonsense=1&nonsense=2', 'nonsense'],
        ['limit[]=1', 'limit[]'],
      ]
      for (const [query, name] of unknown(sent, 2)) assert.deepEqual(await namesOf(route, query), [name])
      assert.deepEqual(await namesOf(route, 'nonsense=1&absurd=2'), ['absurd', 'nonsense'])
    })

    test(`400 invalid_query for every value out of bounds: ${titleOf(route)}`, async () => {
      for (const [name, schema] of parameters) {
        if (name === 'cursor') continue // has its own error codes
        for (const value of values([...invalid(schema)], 2))
          assert.deepEqual(await namesOf(route, `${name}=${value}`), [name], value)
        if (schema.type === 'array') continue // it may be repeated
        const valid = encodeURIComponent(String(sample(schema)))
        assert.deepEqual(await namesOf(route, `${name}=${valid}&${name}=${valid}`), [name])
      }
    })
  }

  for (const route of allRoutes.filter(({ kind }) => kind === 'list')) {
    test(`with include=total, a refused value costs one response: ${titleOf(route)}`, async () => {
      const key = credentialFor(route) === 'end_user_token' ? await newToken() : world.test.key
      const { path } = vacantRequest(route, key)
      const queries = Object.entries(querySchemaOf(route).properties!)
        .filter(([name]) => name !== 'include' && name !== 'cursor')
        .flatMap(([name, schema]) => [...invalid(schema), ...oddTexts].map((value) => `${name}=${value}`))
      const answers = await Promise.all(
        odd(queries, 20).map((query) =>
          send(api, { method: 'GET', path: `${path}?include=total&${query}`, key }),
        ),
      )
      assert.deepEqual(answers.filter(({ status }) => ![200, 400, 404].includes(status)).map(show), [])
      await setImmediate()
      assert.deepEqual(unhandled.splice(0), [])
    })
  }

  for (const route of listRoutes) {
    const filters = parametersOf(route).filter(([name]) => name !== 'cursor')
    test(`200 for each parameter alone and for all together: ${titleOf(route)}`, async () => {
      const fixtures = new Fixtures(api, world.test)
      const { path } = await fixtures.list(route)
      const chosen = new Map<string, string>()
      for (const [name, schema] of filters) {
        const prefix = idPrefixOf(schema)
        chosen.set(name, prefix ? await fixtures.create(prefix) : String(sample(schema)))
      }
      const queries = [...chosen].map(([name, value]) => new URLSearchParams({ [name]: value }))
      for (const query of [...alone(queries, 4), new URLSearchParams([...chosen])]) {
        const answer = await send(api, { method: 'GET', path: `${path}?${query}`, key: fixtures.key })
        assert.equal(answer.status, 200, show(answer))
      }
    })

    test(`200 for every value of an enumeration: ${titleOf(route)}`, async () => {
      const fixtures = new Fixtures(api, world.test)
      const { path } = await fixtures.list(route)
      for (const [name, schema] of filters) {
        for (const value of enumerated(schema.enum ?? [], 2)) {
          const answer = await send(api, {
            method: 'GET',
            path: `${path}?${name}=${value}`,
            key: fixtures.key,
          })
          assert.equal(answer.status, 200, show(answer))
        }
      }
    })
  }
})
