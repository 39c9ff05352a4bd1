import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { service } from '../harness.ts'
import { part, turns } from '../thorough.ts'
import { Fixtures, listRoutes, titleOf, writeRoutes } from './fixtures.ts'
import { type Sent, send, describe as show } from './http.ts'
import { bodySchema, isFreeText, places, querySchemaOf, repeated, type Schema } from './schemas.ts'

/** Valid texts that careless code rejects or changes. */
const texts = [
  `it's "quoted" \\ and \\u0000 \\x00 %00 %s $1 \${x}`,
  `'; drop table events; -- /* */ ' or '1'='1`,
  '% _ * ? :* & | ! ( ) < >',
  '<script>alert(1)</script> &amp; {{ 7 | times: 6 }} {% raw %}',
  ' leading, trailing and inner\t\r\n\v\f white space\u00a0\u2028\u2029 ',
  '\u0001\u001f\u007f\u0085\u200b\ufeff\ufffe\uffff',
  'e\u0301 \u00e9 \u1e9e \u0130\u0131 \ufb03 \u212b \ufdfa', // must not be normalised
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{10ffff} \u{10348} \u202egnp',
  '漢字かな交じり文 ภาษาไทย العربية עברית',
  'null',
  '-0',
  '__proto__',
  '{"a":[1]}',
]

/** Valid RFC 3339 times at the limits of common programs. */
const times = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '1969-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00+16:00',
  '2026-01-01T00:00:00-23:59',
  '2026-01-01T00:00:00-00:00',
  '2026-01-01t00:00:00.123456789z',
  '2024-02-29T23:59:59+00:00',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-23:59',
]

/** Truncates a text to the maximum length of a schema, which JSON Schema counts in code points. */
const fitting = (text: string, schema: Schema) => [...text].slice(0, schema.maxLength ?? Infinity).join('')

/** Texts for a field, one of them with the maximum length. */
const textsFor = (schema: Schema) => [
  ...texts.map((text) => fitting(text, schema)),
  repeated('\u{1f600}', schema.maxLength ?? 1),
  repeated('漢', schema.maxLength ?? 1),
  repeated('x', schema.maxLength ?? 1),
]

/** Longer ones, with a path, do not fit into a URL. */
const maxQueryLength = 8_000

describe('values', () => {
  const api = service()

  const [someTexts, someTimes] = [turns(), turns()]
  const newFixtures = async () => new Fixtures(api, (await api.world()).test)

  /** True if the response contains a field of this name. */
  const isShown = (route: Route, name: string) =>
    (route.reply?.schema as Schema | undefined)?.properties?.[name] !== undefined

  for (const route of part(writeRoutes.filter((each) => each.body))) {
    const members = Object.entries(bodySchema(route).properties ?? {})
    const title = titleOf(route)

    test(`every text comes back as it was sent: ${title}`, async () => {
      const fixtures = await newFixtures()
      for (const [name, schema] of members) {
        if (!isFreeText(schema) || !isShown(route, name)) continue
        for (const text of someTexts(textsFor(schema), 4)) {
          const { request } = await fixtures.call(route)
          const answer = await send(api, { ...request, body: { ...(request.body as object), [name]: text } })
          if (answer.status === 422) assertRefusesAlone(answer, name)
          else assert.equal(answer.body?.[name], text, `${name} of ${show(answer)}`)
        }
      }
    })

    test(`every key and value of metadata comes back as it was sent: ${title}`, async () => {
      const keyed = members.filter(
        ([name, { additionalProperties: values }]) =>
          name !== 'custom_fields' && typeof values === 'object' && isFreeText(values),
      )
      for (const [name] of keyed.filter(([name]) => isShown(route, name))) {
        const sent = Object.fromEntries(texts.map((text) => [[...text].slice(0, 40).join(''), text]))
        Object.assign(sent, { constructor: 'x', empty: '' })
        const { request } = await (await newFixtures()).call(route)
        const body = JSON.stringify({ ...(request.body as object), [name]: sent })
        const answer = await send(api, { ...request, body })
        assert.equal(answer.status, route.status, show(answer))
        for (const [key, value] of Object.entries(sent))
          assert.deepEqual(Object.getOwnPropertyDescriptor(answer.body[name], key)?.value, value, key)
      }
    })

    test(`2xx or 4xx for every time that RFC 3339 allows: ${title}`, async () => {
      const fixtures = await newFixtures()
      const dates = [...places(bodySchema(route))].filter(({ schema }) => schema.format === 'date-time')
      for (const { holding, pointer } of dates) {
        const [top = ''] = pointer.slice(1).split('/')
        for (const time of someTimes(times, 2)) {
          const { request } = await fixtures.call(route)
          const value = (holding(time) as Record<string, unknown>)[top]
          const answer = await send(api, { ...request, body: { ...(request.body as object), [top]: value } })
          assert.ok(answer.status < 500, show(answer))
        }
      }
    })
  }

  for (const route of part(listRoutes)) {
    const parameters = Object.entries(querySchemaOf(route).properties!).filter(([name]) => name !== 'cursor')

    test(`200 whatever the words of a filter, and 200 or 400 whatever the time: ${titleOf(route)}`, async () => {
      const fixtures = await newFixtures()
      const { path } = await fixtures.list(route)
      for (const [name, schema] of parameters) {
        const values = schema.format === 'date-time' ? times : isFreeText(schema) ? textsFor(schema) : []
        for (const value of someTexts(values, 4)) {
          const query = new URLSearchParams({ [name]: value })
          if (query.toString().length > maxQueryLength) continue
          const answer = await send(api, { method: 'GET', path: `${path}?${query}`, key: fixtures.key })
          if (schema.format === 'date-time') continue
          if (name === 'filter' || name === 'filters') {
            assert.equal(answer.body.errors[0].parameter, name) // JSON with rules of its own
          } else if (name === 'q' && answer.status === 400) assert.doesNotMatch(value, /[\p{L}\p{N}]/u)
          else assert.equal(answer.status, 200, show(answer))
        }
      }
    })
  }

  /** A field may have further rules, for example that a template parses. An error must then name only this field. */
  function assertRefusesAlone(answer: Sent, name: string): void {
    assert.equal(answer.body.code, 'validation_failed', show(answer))
    for (const fault of answer.body.errors) assert.ok(fault.pointer.startsWith(`/${name}`), show(answer))
  }
})
