import assert from 'node:assert/strict'
import { Sql, sql } from '@backline/server/platform/postgres/sql.ts'
import type { Service } from './harness.ts'

/** Returns the tables that contain this text: plain, as hex or as base64. */
export async function tablesWith(api: Service, text: string): Promise<string[]> {
  const tables = await api.db.rows<{ name: string }>(
    sql`select quote_ident(table_name) as name from information_schema.tables where table_schema = ${'public'}`,
  )
  assert.ok(tables.some(({ name }) => name === 'idempotency_keys'))
  const spellings = [
    text,
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64').slice(0, -4),
  ]
  const found: string[] = []
  for (const { name } of tables) {
    const rows = sql`select 1 from ${new Sql([name], [])} as t where t::text like any(${spellings.map((each) => `%${each}%`)}::text[])`
    if ((await api.db.rows(rows)).length > 0) found.push(name)
  }
  return found
}
