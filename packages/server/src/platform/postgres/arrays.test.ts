import assert from 'node:assert/strict'
import { test } from 'node:test'
import { service } from '@backline/test/harness.ts'
import { binaryArray, type ElementType } from './arrays.ts'
import { type Sql, sql } from './sql.ts'

const api = service()

const uuid = '0190f4c0-0000-7000-8000-00000000abcd'
/** Each type as the text that PostgreSQL makes of the parameter; `values` are the expected results. */
const cases: [ElementType, Sql, values: unknown[], texts?: (string | null)[]][] = [
  ['text', sql`text`, ['', 'NULL', '"\\{},\'', 'Grüße 🙂', null, undefined]],
  ['json', sql`json`, ['{"a": "\\u0041\\""}', 'null', null]],
  ['uuid', sql`uuid`, [uuid, null]],
  ['integer', sql`integer`, [0, -1, 2 ** 31 - 1, -(2 ** 31), null]],
  ['bigint', sql`bigint`, [0, -1, 2 ** 32, 2 ** 53 - 1, -(2 ** 53), null]],
  ['boolean', sql`boolean`, [true, false, null]],
  ['bytea', sql`bytea`, [Buffer.from([0, 255, 92]), Buffer.alloc(0), null], ['\\x00ff5c', '\\x', null]],
  [
    'timestamptz',
    sql`timestamptz`,
    ['1969-12-31T23:59:59.999Z', '2026-11-21T22:00:00.001Z', '9999-12-31T23:59:59.999Z', null],
    ['1969-12-31 23:59:59.999+00', '2026-11-21 22:00:00.001+00', '9999-12-31 23:59:59.999+00', null],
  ],
]

for (const [type, name, values, texts] of cases) {
  test(`PostgreSQL reads what was sent as an array of ${type}`, async () => {
    const rows = await api.db.rows<{ text: string | null }>(
      sql`select v::text as text from unnest(${binaryArray(type, values)}::${name}[]) v`,
    )
    const sent = texts ?? values.map((value) => (value == null ? null : String(value)))
    assert.deepEqual(
      rows.map(({ text }) => text),
      sent,
    )
    const [row] = await api.db.rows<{ count: number }>(
      sql`select cardinality(${binaryArray(type, [])}::${name}[]) as count`,
    )
    assert.equal(row!.count, 0)
  })
}

test('what is not a value of a type does not become another one', () => {
  const wrong: [ElementType, unknown][] = [
    ['uuid', 'nonsense'],
    ['uuid', ''],
    ['timestamptz', 'infinity'],
    ['timestamptz', ''],
    ['integer', 1.5],
    ['integer', Number.NaN],
    ['integer', 2 ** 31],
    ['bigint', 0.1],
  ]
  for (const [type, value] of wrong)
    assert.throws(() => binaryArray(type, [value]), `${type}: ${String(value)}`)
})
