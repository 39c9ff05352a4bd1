import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** TypeScript types of values as they are read, by PostgreSQL type. A column of another type is not generated. */
const types: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  timestamptz: 'Instant',
  integer: 'number',
  bigint: 'number',
  boolean: 'boolean',
  json: 'unknown',
  bytea: 'Buffer',
  'uuid[]': 'string[]',
  'text[]': 'string[]',
  tsvector: 'never',
}

type Column = { name: string; type: string; isNullable: boolean }

/** The columns of all tables with rows of an environment, from `schema.sql`, which is generated before. */
export async function tables(): Promise<string> {
  const schema = await readFile(join(import.meta.dirname, '../../packages/server/schema.sql'), 'utf8')
  const found = [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\)/gm)]
    .map(([, table, lines]) => ({ table: table!, columns: lines!.split('\n').flatMap(columnOf) }))
    .filter(({ columns }) => columns.some(({ name }) => name === 'version'))
  const values = found.map(({ table, columns }) => {
    const members = columns.map(({ name, type }) => `    ${name}: '${type}',`).join('\n')
    return `  ${table}: {\n${members}\n  },`
  })
  const rows = found.map(({ table, columns }) => {
    const member = ({ name, type, isNullable }: Column) =>
      `    ${name}: ${types[type]}${isNullable ? ' | null' : ''}`
    return `  ${table}: {\n${columns.map(member).join('\n')}\n  }`
  })
  return [
    "import type { Instant } from '../../platform/kernel/clock.ts'",
    '',
    '/* Written by `npm run gen` from the migrations: the columns of tables, without `tenant_id`. */',
    '',
    `export const tables = {\n${values.join('\n')}\n} as const`,
    '',
    '/** Rows as they are read. Values of `json` columns have the types that the resources declare. */',
    `export type Rows = {\n${rows.join('\n')}\n}`,
    '',
    '/** A row of a table, with narrower types for some columns, and without columns that are only written. */',
    'export type RowOf<Table extends keyof Rows, Narrower = unknown, Unread extends keyof Rows[Table] = never> = Omit<',
    '  Rows[Table],',
    '  keyof Narrower | Unread',
    '> &',
    '  Narrower',
    '',
  ].join('\n')
}

function columnOf(line: string): Column[] {
  const [, name, type, rest = ''] = /^ {2}"?(\w+)"?\s+(\w+(?:\[\])?)(.*)$/.exec(line) ?? []
  if (!name || !type || name === 'constraint' || name === 'tenant_id' || !(type in types)) return []
  return [{ name, type, isNullable: !rest.includes('not null') }]
}
