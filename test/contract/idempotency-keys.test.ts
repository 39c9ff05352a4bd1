import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { service, type World } from '../harness.ts'
import { part, turns } from '../thorough.ts'
import { vacantRequest } from './faults.ts'
import { Fixtures, titleOf, writeRoutes } from './fixtures.ts'
import { refused, type Sent, send } from './http.ts'

const quoted = (key: string) => `"${key.replace(/[\\"]/g, '\\$&')}"`

/** Keys that may be sent unquoted: 1 to 255 printable ASCII characters that do not begin with a quote. */
const bareKeys = (): string[] => {
  const unique = randomUUID()
  return [unique, unique.padEnd(255, '~'), `${unique} with spaces`, `${unique}\\"',;=:?/{}<>@`, `!${unique}"`]
}

const malformed: Record<string, string | string[]> = {
  'an empty one': '',
  'an empty quoted one': '""',
  'one of 256 characters': 'x'.repeat(256),
  'a quoted one of 256 characters': quoted('x'.repeat(256)),
  'a quote that is not closed': '"abc',
  'a lone quote': '"',
  'something after the closing quote': '"abc"d',
  'parameters after the closing quote': '"abc";a=1',
  'an unknown escape': '"a\\bc"',
  'a lone backslash before the closing quote': '"abc\\"',
  'a letter outside ASCII': 'caf\u00e9',
  'a tab': 'a\tb',
  'two headers': ['one', 'two'],
  'the same header twice': ['one', 'one'],
}

describe('Idempotency-Key', () => {
  const api = service()
  let world: World
  let fixtures: Fixtures

  before(async () => {
    world = await api.world()
    fixtures = new Fixtures(api, world.test)
  })

  const [malformedOnes, bareOnes] = [turns(), turns()]
  const wasReplayed = (answer: Sent) => answer.headers.get('idempotent-replayed')

  const closely = new Set(part(writeRoutes))
  for (const route of writeRoutes) {
    const title = titleOf(route)
    const withKey = (key: string | string[] | null) =>
      send(api, { ...vacantRequest(route, world.test.key), headers: { 'idempotency-key': key } })

    if (route.method === 'POST') {
      test(`400 idempotency_key_missing without one: ${title}`, async () => {
        refused(await withKey(null), 'idempotency_key_missing')
      })
    } else {
      test(`${route.status} without one, and no word of replays: ${title}`, async () => {
        const answer = await fixtures.run(await fixtures.call(route))
        assert.equal(wasReplayed(answer), null)
        assert.equal(answer.headers.get('original-request-id'), null)
      })
    }

    test(`400 idempotency_key_invalid for a malformed one: ${title}`, async () => {
      for (const [what, key] of malformedOnes(Object.entries(malformed), 3)) {
        const answer = await withKey(key)
        assert.equal(answer.body.code, 'idempotency_key_invalid', what)
      }
    })

    if (!closely.has(route)) continue
    test(`bare and quoted are the same key, another case is another key: ${title}`, async () => {
      for (const key of bareOnes(bareKeys(), 1)) {
        const call = await fixtures.call(route)
        const sendAs = (spelling: string) =>
          send(api, { ...call.request, headers: { ...call.request.headers, 'idempotency-key': spelling } })
        const first = await sendAs(quoted(key))
        assert.equal(first.status, route.status)
        assert.equal(wasReplayed(first), 'false')
        const second = await sendAs(key)
        assert.equal(wasReplayed(second), 'true')
        assert.equal(second.text, first.text)
        if (key.toUpperCase() !== key) assert.notEqual(wasReplayed(await sendAs(key.toUpperCase())), 'true')
      }
    })
  }
})
