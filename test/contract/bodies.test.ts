import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FieldErrorCode } from '@backline/server/platform/kernel/errors.ts'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { service, type World } from '../harness.ts'
import { turns } from '../thorough.ts'
import { vacantRequest } from './faults.ts'
import { jsonRoutes, titleOf } from './fixtures.ts'
import { refused, send, describe as show } from './http.ts'
import {
  bodySchema,
  isFreeText,
  isText,
  type Place,
  places,
  repeated,
  type Schema,
  sample,
  strictAjv,
  typesOf,
  variantsOf,
} from './schemas.ts'

type Fault = { pointer: string; code: FieldErrorCode; detail: string }

/** Member names that a careless server would mishandle, and their JSON Pointer. */
const strangeNames: [string, string][] = [
  ['nonsense', '/nonsense'],
  ['', '/'],
  ['a/b~c', '/a~1b~0c'],
  ['__proto__', '/__proto__'],
  ['constructor', '/constructor'],
  ['toString', '/toString'],
  ['ünï cödé"\\', '/ünï cödé"\\'],
]

/** A typical typo. */
const swapLastTwo = (name: string) => name.slice(0, -2) + [...name.slice(-2)].reverse().join('')

/** The pointer of a text that people read as a name, or of the end user's id in the client's system. */
const isName = /\/(name|filename|title|label|question|subject|external_user_id)$/

/** A value that is invalid for every type of the schema. */
function ofWrongType(schema: Schema): unknown {
  const types = typesOf(schema)
  const kinds: [string[], unknown][] = [
    [['object'], { nonsense: 1 }],
    [['boolean'], true],
    [['number', 'integer'], 7],
    [['array'], [[]]],
    [['string'], 'x'],
  ]
  return kinds.find(([names]) => !names.some((name) => types.includes(name)))![1]
}

/** Values just outside each bound of a schema, with the expected error code. */
function* outOfBounds(schema: Schema): Generator<{ code: FieldErrorCode; value: unknown }> {
  if (isText(schema) && schema.maxLength !== undefined && !schema.enum) {
    const wide = '\u{1F600}'.repeat(schema.maxLength + 1)
    const long =
      isFreeText(schema) && repeated('\u{1F600}', schema.maxLength + 1) === wide
        ? wide
        : 'a'.repeat(schema.maxLength + 1)
    yield { code: 'too_long', value: long }
  }
  if (isFreeText(schema) && schema.minLength)
    yield { code: 'too_short', value: 'x'.repeat(schema.minLength - 1) }
  if (schema.enum) yield { code: 'not_allowed', value: 'nonsense' }
  if (schema.pattern && !isFreeText(schema))
    yield { code: 'bad_format', value: '\u00e9~'.repeat(Math.floor((schema.maxLength ?? 8) / 2)) }
  if (schema.format === 'date-time') {
    const days = [
      'yesterday',
      '2026-02-29T00:00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00',
      '2026-01-01T24:00:00Z',
      '1767225600',
    ]
    for (const value of days) yield { code: 'bad_format', value: value.padEnd(schema.minLength ?? 0) }
  }
  if (schema.minimum !== undefined) yield { code: 'too_small', value: schema.minimum - 1 }
  if (schema.maximum !== undefined) yield { code: 'too_large', value: schema.maximum + 1 }
  if (typesOf(schema).includes('integer')) yield { code: 'wrong_type', value: (schema.minimum ?? 0) + 0.5 }
  if (schema.minItems) yield { code: 'too_short', value: [] }
  if (schema.maxItems !== undefined)
    yield {
      code: 'too_long',
      value: Array.from({ length: schema.maxItems + 1 }, () => sample(schema.items!)),
    }
}

/** What a sample lacks though it fits the schema: members that depend on others. */
const ofCheck = / unless |is required for a secret key|a target with at least one time|must be one of 25, /
const ofSchema = (faults: Fault[]): Fault[] => faults.filter(({ detail }) => !ofCheck.test(detail))

describe('bodies', () => {
  const api = service()
  let world: World

  before(async () => {
    world = await api.world()
  })

  /** Sends a body for objects that do not exist: the whole body is validated before the objects are read. */
  async function faultsOf(route: Route, body: unknown): Promise<Fault[]> {
    const answer = await send(api, { ...vacantRequest(route, world.test.key), body: JSON.stringify(body) })
    refused(answer, 'validation_failed')
    const faults = ofSchema(answer.body.errors)
    assert.ok(faults.length > 0, show(answer))
    for (const { pointer } of faults) assert.equal(typeof pointer, 'string', show(answer))
    return faults
  }

  const [names, notObjects, unstorable, notJson, deeply] = [turns(), turns(), turns(), turns(), turns()]
  const [bounds, strings, nestedFields] = [turns(), turns(), turns()]
  const codesAt = (faults: Fault[], pointer: string) =>
    faults.filter((fault) => fault.pointer === pointer).map((fault) => fault.code)

  const ajv = strictAjv()
  let tried = 0
  for (const route of jsonRoutes) {
    const title = titleOf(route)
    const schema = bodySchema(route)
    const all = [...places(schema)].filter(({ schema }) => !variantsOf(schema))
    const texts = all.filter((place) => isText(place.schema))
    const closed = all.filter((place) => place.schema.additionalProperties === false)

    test(`the values that these tests spoil are valid: ${title}`, () => {
      const validate = ajv.compile(schema)
      for (const { pointer, schema: part, holding } of all)
        assert.ok(
          validate(holding(sample(part))),
          `sample() at ${pointer}: ${JSON.stringify(validate.errors)}`,
        )
    })

    test(`every object in it is closed: ${title}`, () => {
      for (const { pointer, schema: part } of all)
        if (part.properties) assert.equal(part.additionalProperties, false, pointer)
    })

    test(`422 for JSON that is not an object: ${title}`, async () => {
      for (const body of notObjects([[], [{}], 'x', '', 1, 0, true, false], 1)) {
        const faults = await faultsOf(route, body)
        assert.deepEqual(
          faults.map(({ pointer, code }) => [pointer, code]),
          [['', 'wrong_type']],
        )
      }
    })

    test(`422 for the JSON null: ${title}`, async () => {
      const faults = await faultsOf(route, null)
      assert.deepEqual(
        faults.map(({ pointer, code }) => [pointer, code]),
        [['', 'wrong_type']],
      )
    })

    test(`422 unknown_field for every field that is not declared, nested ones too: ${title}`, async () => {
      for (const { pointer, schema: part, holding, ofVariant } of closed) {
        const inside = JSON.stringify(holding({ ...(sample(part) as object), '<here>': 1 }))
        for (const [name, escaped] of names(strangeNames, 1)) {
          const body = inside.replace('"<here>"', () => JSON.stringify(name))
          const answer = await send(api, { ...vacantRequest(route, world.test.key), body })
          refused(answer, 'validation_failed')
          assert.deepEqual(codesAt(answer.body.errors, pointer + escaped), ['unknown_field'], show(answer))
          if (!ofVariant) assert.equal(ofSchema(answer.body.errors).length, 1, show(answer))
        }
      }
    })

    test(`422 names all faulty fields at once: ${title}`, async () => {
      const members = Object.entries(schema.properties ?? {}).filter(
        ([, member]) => typesOf(member).length > 0,
      )
      const body = Object.fromEntries(members.map(([name, member]) => [name, ofWrongType(member)]))
      const faults = await faultsOf(route, { ...body, nonsense: 1, 'more nonsense': null })
      for (const [name] of members) assert.ok(codesAt(faults, `/${name}`).includes('wrong_type'), name)
      for (const name of ['nonsense', 'more nonsense'])
        assert.deepEqual(codesAt(faults, `/${name}`), ['unknown_field'])
      assert.equal(new Set(faults.map(({ pointer }) => pointer)).size, members.length + 2)

      const mistyped = members.map(([name]) => [swapLastTwo(name), name] as const)
      const unknown = mistyped.filter(([name]) => !Object.hasOwn(schema.properties ?? {}, name))
      const hints = unknown.length === 0 ? [] : await faultsOf(route, Object.fromEntries(unknown))
      for (const fault of hints) {
        const [, meant] = unknown.find(([name]) => fault.pointer === `/${name}`) ?? []
        if (meant)
          assert.match(
            fault.detail,
            new RegExp(`^is not a field of this request.*; did you mean ${meant}\\?$`),
          )
      }

      const required = schema.required ?? []
      if (required.length === 0) return
      const missing = await faultsOf(route, {})
      assert.deepEqual(
        missing.map(({ pointer }) => pointer).toSorted(),
        required.map((name) => `/${name}`).toSorted(),
      )
      assert.ok(missing.every(({ code }) => code === 'required'))
    })

    const limits = all.flatMap((place) =>
      [...outOfBounds(place.schema)].map((fault) => ({ ...place, ...fault })),
    )
    test(`422 with its own code for each bound that is crossed: ${title}`, async () => {
      for (const { pointer, code, value, holding } of bounds(limits, 8)) {
        const faults = await faultsOf(route, holding(value))
        assert.ok(codesAt(faults, pointer).includes(code), `${pointer} ${code}: ${JSON.stringify(faults)}`)
      }
    })

    test(`422 blank for a name, title or subject of white space alone: ${title}`, async () => {
      for (const { pointer, holding } of all.filter(({ pointer }) => isName.test(pointer))) {
        tried++
        assert.deepEqual(codesAt(await faultsOf(route, holding(' \u3000\t')), pointer), ['blank'], pointer)
        if (!pointer.endsWith('/external_user_id')) continue
        for (const text of [' a', 'a\u00a0', '\na b'])
          assert.deepEqual(codesAt(await faultsOf(route, holding(text)), pointer), ['bad_format'], pointer)
      }
    })

    test(`422 bad_format for NUL and lone surrogates in every string: ${title}`, async () => {
      for (const place of strings(texts, 4)) await refusesUnstorable(route, place)
      const keyed = all.filter((place) => typeof place.schema.additionalProperties === 'object')
      for (const { pointer, holding } of keyed) {
        for (const name of unstorable(['a\0b', 'a\ud800b', '\udc00'], 1)) {
          const faults = await faultsOf(route, holding({ [name]: 'x' }))
          const named = faults.some(
            (fault) => fault.pointer.startsWith(`${pointer}/`) && fault.code === 'bad_format',
          )
          assert.ok(named, JSON.stringify(faults))
        }
      }
    })

    test(`400 malformed_json for bytes that are not JSON in UTF-8: ${title}`, async () => {
      const notUtf8 = Buffer.from('{"nonsense":"\u00e9"}', 'latin1')
      const bodies = [
        '{',
        '{"a":1,}',
        "{'a':1}",
        '{"a":1,"a":1}',
        '{"a":NaN}',
        '{} {}',
        'nonsense',
        ' ',
        '[1',
        notUtf8,
      ]
      for (const body of notJson(bodies, 2))
        refused(await send(api, { ...vacantRequest(route, world.test.key), body }), 'malformed_json')
    })

    test(`JSON of more than 64 levels is refused while it is scanned, of 64 it is not: ${title}`, async () => {
      const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
      const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
      for (const body of deeply(['['.repeat(65), lists(65), objects(65), `{"nonsense":${lists(64)}}`], 1)) {
        const answer = await send(api, { ...vacantRequest(route, world.test.key), body })
        refused(answer, 'malformed_json')
        assert.deepEqual(answer.body.params, { max_levels: 64 })
      }
      for (const name of nestedFields(Object.keys(bodySchema(route).properties ?? {}), 2)) {
        const body = `{${JSON.stringify(name)}:${objects(63)}}`
        const { status } = await send(api, { ...vacantRequest(route, world.test.key), body })
        assert.ok(status === 422 || status === 404, name) // the handler judges filters, after it has found the object
      }
    })
  }

  test('400 malformed_json for an object of more than 10,000 members, and more than 45,000 members and items, counted while the body is scanned', async () => {
    const request = vacantRequest(jsonRoutes[0]!, world.test.key)
    const members = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":","`)
    for (const [body, params] of [
      [`{${members(10_001)}}`, { max_members: 10_000 }],
      [`{"metadata":{${members(10_001)}}}`, { max_members: 10_000 }],
      [`[${'1,'.repeat(45_000)}1]`, { max_values: 45_000 }],
      [`[${'[],'.repeat(25_000)}[]]`, { max_values: 45_000 }],
      [`{"a":[${`{${members(2)}},`.repeat(25_000)}1]}`, { max_values: 45_000 }],
    ] as const) {
      const answer = await send(api, { ...request, body })
      refused(answer, 'malformed_json')
      assert.deepEqual(answer.body.params, params)
    }
    for (const body of [`{${members(9_990)}}`, `[${`{${members(2)}},`.repeat(14_000)}1]`])
      refused(await send(api, { ...request, body }), 'validation_failed')
  })

  test('at most 100 faults are told, and params say that there are more', async () => {
    const request = vacantRequest(jsonRoutes[0]!, world.test.key)
    const faultsOfMany = async (count: number) => {
      const fields = Array.from({ length: count }, (_, i) => [`k${i}`, i])
      const answer = await send(api, { ...request, body: Object.fromEntries(fields) })
      refused(answer, 'validation_failed')
      return [answer.body.errors.length, answer.body.params]
    }
    const missing = (await send(api, { ...request, body: {} })).body.errors?.length ?? 0
    assert.deepEqual(await faultsOfMany(100 - missing), [100, {}])
    assert.deepEqual(await faultsOfMany(150), [100, { has_more_errors: true }])
    assert.deepEqual(await faultsOfMany(5_000), [1, { has_more_errors: true }])
  })

  test('400 malformed_json for an object with two members of the same name, at any depth', async () => {
    const request = vacantRequest(jsonRoutes[0]!, world.test.key)
    for (const body of [
      '{"a":{"b":[{"c":1,"d":2,"c":3}]}}',
      '{"a":1,"\\u0061":2}',
      '{"__proto__":1,"__proto__":2}',
      '{"":{},"":[]}',
      '{"a\\"":":","a\\"":1}',
    ])
      refused(await send(api, { ...request, body }), 'malformed_json')
    for (const body of ['{"a":{"a":{"a":1}}}', '[{"a":1},{"a":1}]', '{"a":":","b":"\\":{","c":"a:1"}'])
      refused(await send(api, { ...request, body }), 'validation_failed')
  })

  /** An enumeration responds `not_allowed` to any other text; other strings name the error. */
  async function refusesUnstorable(route: Route, { pointer, schema, holding }: Place): Promise<void> {
    const code = schema.enum ? 'not_allowed' : 'bad_format'
    const filler = 'x'.repeat(Math.max(0, (schema.minLength ?? 0) - 3))
    for (const text of unstorable(['a\0b', 'a\ud800b', 'a\udfffb', '\udc00\ud800x', '\u0000xx'], 1)) {
      const faults = await faultsOf(route, holding(text + filler))
      assert.ok(
        codesAt(faults, pointer).includes(code),
        `${pointer} ${JSON.stringify(text)}: ${JSON.stringify(faults)}`,
      )
    }
  }

  after(() => assert.ok(tried > 30, `${tried} names were tried`))
})
