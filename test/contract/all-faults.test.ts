import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { type Body, conversation, operator } from '../desk.ts'
import { type Client, service } from '../harness.ts'
import { part } from '../thorough.ts'
import { Fixtures, pathOf, titleOf, toldByResults, vacantId, vacantIds, writeRoutes } from './fixtures.ts'
import { type Sent, send } from './http.ts'
import { bodySchema, type Schema } from './schemas.ts'

/*
 * One answer has all faults that need no stored data, and the next one, of a body without them, all that do.
 */

const namedIn = ({ body }: Pick<Sent, 'body'>): [string, string][] =>
  (body.errors ?? []).map(({ pointer, header, code }: Body) => [pointer ?? header, code])

/** The places of a body, with their schemas: those of lists at their first item. */
function* placesIn(schema: Schema, pointer = ''): Iterable<[pointer: string, schema: Schema]> {
  yield [pointer, schema]
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    yield* placesIn(inner, `${pointer}/${name}`)
  if (schema.items) yield* placesIn(schema.items, `${pointer}/0`)
}

function set(body: Body, pointer: string, value: unknown): void {
  const path = pointer.split('/').slice(1)
  const last = path.pop()!
  let at = body
  for (const [i, name] of path.entries()) at = at[name] ??= /^\d+$/.test(path[i + 1] ?? last) ? [] : {}
  at[last] = value
}

function unset(body: Body, pointer: string): void {
  const [, member] = pointer.split('/')
  delete body[member!]
}

const prefixOf = ({ pattern = '' }: Schema) => /^\^([a-z]+)_\[/.exec(pattern)?.[1]

describe('a body with ids that no object has', () => {
  const api = service()
  for (const route of part(writeRoutes)) {
    const ids = [...placesIn(bodySchema(route))].flatMap(([pointer, schema]) => {
      const prefix = prefixOf(schema)
      return prefix && !toldByResults.includes(`${route.name} ${pointer}`) ? [[pointer, prefix] as const] : []
    })
    if (ids.length === 0) continue
    test(`${titleOf(route)} names all of them at once`, async () => {
      const { request } = await new Fixtures(api, (await api.world()).test).call(route)
      const body = structuredClone(request.body) as Body
      for (const [pointer, prefix] of ids) set(body, pointer, vacantId(prefix))
      let answer = await send(api, { ...request, body })
      // Of members that exclude each other, one is left.
      for (const [pointer, code] of namedIn(answer)) if (code === 'not_allowed') unset(body, pointer)
      answer = await send(api, { ...request, body })
      const left = ids.filter(([pointer]) => pointer.split('/')[1]! in body)
      if (left.length === 0) return
      assert.equal(answer.status, 422, answer.text)
      const expected = left.map(([pointer]) => [pointer, 'not_found'])
      assert.deepEqual(namedIn(answer).toSorted(), expected.toSorted(), answer.text)
    })
  }
})

/** An address that is too long once its domain is in ASCII. */
const tooLong = `${'a'.repeat(230)}@bücherbücher.example`

/** A text that fits the schema, and is not what the text is about. */
const wrong: Record<string, string> = {
  address: tooLong,
  aliases: tooLong,
  bcc: tooLong,
  cc: tooLong,
  allowed_cidrs: '300.1.1.1',
  allowed_origins: 'https://example.com:99999',
  body: '{{ open',
  domains: 'under_score..example',
  filename: 'two\nlines',
  from: '1960-01-01T00:00:00Z',
  from_name: '{{ open',
  language: 'qq',
  locale: 'qq',
  password: '***',
  recipient: tooLong,
  reply_to_senders: tooLong,
  signature: '{{ open',
  started_at: '1960-01-01T00:00:00Z',
  timezone: 'Mars/Base',
  to: tooLong,
  url: 'https://10.0.0.1/hook',
}

/** Bodies of end users are checked for their length alone. */
const isJudged = (route: Route, [, schema]: [string, Schema]): boolean =>
  'check' in schema &&
  schema.type !== undefined &&
  [schema.type].flat().includes('string') &&
  !/^\/me\//.test(route.path)

describe('a body with texts that are not what they should be', () => {
  const api = service()
  let key: string
  before(async () => {
    key = (await api.world()).test.key
  })
  for (const route of writeRoutes) {
    const judged = [...placesIn(bodySchema(route))].filter((place) => isJudged(route, place))
    if (judged.length === 0) continue
    test(`${titleOf(route)} names all of them with the faults of the schema`, async () => {
      const body: Body = { nonsense: 1 }
      for (const [pointer] of judged) {
        const [name] = pointer
          .split('/')
          .filter((part) => !/^\d*$/.test(part))
          .slice(-1)
        assert.ok(name! in wrong, `${pointer} needs a wrong text in this test`)
        set(body, pointer, wrong[name!])
      }
      const path = pathOf(route, vacantIds(route))
      const named = namedIn(await send(api, { method: route.method, path, key, body })).map(
        ([pointer]) => pointer,
      )
      for (const pointer of ['/nonsense', ...judged.map(([each]) => each)])
        assert.ok(named.includes(pointer), `${pointer} of ${named}`)
    })
  }
})

const unknown = (prefix: string) => `${prefix}_01kah1vgm0e1tbm5ye8n2m9q7c`

describe('faults of a body', () => {
  const api = service()
  let client: Client
  before(async () => {
    client = (await api.world()).test
  })

  async function assertFaults(path: string, body: Body, expected: [string, string][], headers = {}) {
    const answer = await client.post(path, body, headers)
    assert.equal(answer.status, 422, answer.text)
    assert.deepEqual(namedIn(answer).toSorted(), expected.toSorted(), answer.text)
  }

  test('a time zone, an address of the wrong form and a field that do not exist are told together', () =>
    assertFaults('/v1/operators', { name: 'Ada', email: 'ada', timezone: 'Mars/Base', nonsense: 1 }, [
      ['/email', 'bad_format'],
      ['/timezone', 'bad_format'],
      ['/nonsense', 'unknown_field'],
    ]))

  test('an unknown reference is told once the schema holds', async () => {
    const body = { department_id: unknown('dept'), category_id: unknown('cat') }
    await assertFaults('/v1/conversations', { ...body, priority: 'now' }, [
      ['/external_user_id', 'required'],
      ['/priority', 'not_allowed'],
    ])
    await assertFaults('/v1/conversations', { ...body, external_user_id: 'u' }, [
      ['/department_id', 'not_found'],
      ['/category_id', 'not_found'],
    ])
  })

  test('a forbidden address of a webhook endpoint and a list of events of the wrong type are told together', () =>
    assertFaults('/v1/webhook_endpoints', { url: 'https://10.0.0.1/hook', enabled_events: 7 }, [
      ['/url', 'not_allowed'],
      ['/enabled_events', 'wrong_type'],
    ]))

  test('members that contradict each other are told with the faults of others', async () => {
    const { id } = await conversation(client)
    await assertFaults(
      `/v1/conversations/${id}/messages`,
      { author_side: 'end_user', visibility: 'internal', body: 'x', external_id: 7 },
      [
        ['/visibility', 'not_allowed'],
        ['/external_id', 'wrong_type'],
      ],
    )
    await assertFaults('/v1/test_clock/advance', { seconds: 60, to: '2100-01-01T00:00:00Z', nonsense: 1 }, [
      ['/to', 'not_allowed'],
      ['/nonsense', 'unknown_field'],
    ])
  })

  test('faults in items of lists are told together, each at its item', () =>
    assertFaults(
      '/v1/macros',
      {
        name: 'Escalate',
        actions: [
          { type: 'reply', body: 'Hello', template_id: unknown('tmpl') },
          { type: 'set_priority', priority: 'nope' },
          { type: 'set_category', category_id: unknown('cat') },
        ],
        department_ids: [7, unknown('dept')],
      },
      [
        ['/actions/0/body', 'not_allowed'],
        ['/actions/1/priority', 'not_allowed'],
        ['/department_ids/0', 'wrong_type'],
      ],
    ))

  test('no fault is named that depends on a field which is invalid', async () => {
    const { id } = await conversation(client)
    const messages = `/v1/conversations/${id}/messages`
    await assertFaults(`/v1/conversations/${id}/assign`, { department_id: 5 }, [
      ['/department_id', 'wrong_type'],
    ])
    await assertFaults(messages, { author_side: 'operator', template_id: 'tmpl_bad', variables: { a: 1 } }, [
      ['/template_id', 'bad_format'],
    ])
    await assertFaults(messages, { author_side: 'Operator', set_status: 'resolved', body: 'x' }, [
      ['/author_side', 'not_allowed'],
    ])
    const reason = { name: 'Bank', max_duration_seconds: '7200', default_duration_seconds: 7200 }
    await assertFaults('/v1/hold_reasons', reason, [['/max_duration_seconds', 'wrong_type']])
  })

  test('all that needs stored data is told at once', async () => {
    assert.equal((await client.post('/v1/tags', { name: 'retired', archived: true })).status, 201)
    await assertFaults(
      '/v1/conversations',
      {
        external_user_id: 'u',
        department_id: unknown('dept'),
        category_id: unknown('cat'),
        tags: ['retired'],
      },
      [
        ['/department_id', 'not_found'],
        ['/category_id', 'not_found'],
        ['/tags/0', 'not_allowed'],
      ],
    )
  })

  test('a list of many unknown values has a short answer', async () => {
    const enabled_events = Array.from({ length: 100 }, (_, i) => `${i}${'x'.repeat(60)}`)
    const { status, text } = await client.post('/v1/webhook_endpoints', {
      url: 'https://example.com',
      enabled_events,
    })
    assert.equal(status, 422)
    assert.ok(text.length < 30_000, `${text.length}`)
  })

  test('an operator in the header that does not exist is told with the faults of the schema', () =>
    assertFaults(
      '/v1/conversations',
      { external_user_id: 'user_1', priority: 'now' },
      [
        ['Backline-Operator', 'not_found'],
        ['/priority', 'not_allowed'],
      ],
      { 'backline-operator': unknown('op') },
    ))

  test('a request that is not valid changes nothing and moves no clock', async () => {
    const member = await operator(client)
    const before = await client.get('/v1/events')
    const { body: clock } = await client.get('/v1/test_clock')
    await client.post('/v1/test_clock/advance', { seconds: 86_400, nonsense: 1 })
    await client.post(`/v1/operators/${member}/status`, { status: 'away', nonsense: 1 })
    await client.post('/v1/tags', { name: 'never', nonsense: 1 })
    assert.equal((await client.get('/v1/events')).text, before.text)
    assert.equal((await client.get('/v1/test_clock')).body.offset_seconds, clock.offset_seconds)
  })
})
