import { comma, identifier, join, Sql, sql } from './sql.ts'

/** PostgreSQL types that columns of ours have. A `tsvector` is written as its list of tokens. */
export type ColumnType =
  | 'uuid'
  | 'uuid[]'
  | 'text'
  | 'text[]'
  | 'integer'
  | 'bigint'
  | 'boolean'
  | 'timestamptz'
  | 'json'
  | 'tsvector'

/** Each column's type, and its value in an item. */
export type Columns<Item> = Record<string, readonly [type: ColumnType, value: (item: Item) => unknown]>

/**
 * Items as rows `v` to insert or update from. Several are sent column by column, each an array and one parameter: so
 * the text is the same for any number of them, is parsed and planned once, and two hundred rows are not ten thousand
 * parameters. A single one is plain values, which PostgreSQL plans as constants.
 */
export function tuples<Item>(items: Item[], columns: Columns<Item>): Sql {
  const all = Object.entries(columns)
  const names = join(
    all.map(([name]) => identifier(name)),
    comma,
  )
  const [only] = items
  if (only !== undefined && items.length === 1) {
    const values = all.map(([, [type, value]]) => sql`${parameter(type, value(only))}::${scalars[type]}`)
    return sql`(values (${join(values, comma)})) as v (${names})`
  }
  const arrays = all.map(
    ([, [type, value]]) => sql`${items.map((item) => parameter(type, value(item)))}::${scalars[type]}[]`,
  )
  return sql`unnest(${join(arrays, comma)}) as v (${names})`
}

/** A column of `v`, as the type that it was declared with. */
export function inTuple(name: string, type: ColumnType): Sql {
  const value = sql`v.${identifier(name)}`
  if (type === 'tsvector') return sql`array_to_tsvector(${value}::text[])`
  return type.endsWith('[]') ? sql`${value}::${types[type]}` : value
}

/** `unnest` takes arrays of arrays apart down to their members, so that those travel as text. */
const isList = (type: ColumnType) => type === 'tsvector' || type.endsWith('[]')

const parameter = (type: ColumnType, value: unknown): unknown =>
  isList(type) && value !== null ? listText(value as string[]) : value

const listText = (members: string[]) =>
  `{${members.map((member) => `"${member.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

const columnTypes: ColumnType[] = [
  'uuid',
  'uuid[]',
  'text',
  'text[]',
  'integer',
  'bigint',
  'boolean',
  'timestamptz',
  'json',
  'tsvector',
]

const types = Object.fromEntries(columnTypes.map((type) => [type, new Sql([type], [])])) as Record<
  ColumnType,
  Sql
>
const scalars = Object.fromEntries(
  columnTypes.map((type) => [type, isList(type) ? types.text : types[type]]),
) as Record<ColumnType, Sql>
