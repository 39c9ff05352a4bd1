import { binaryArray, type ElementType, elementTypes } from './arrays.ts'
import { param, precompile } from './precompile.ts'
import { comma, identifier, join, Sql, sql } from './sql.ts'

/** PostgreSQL types of our columns. A `tsvector` is written as its list of tokens. */
export type ColumnType = ElementType | 'uuid[]' | 'text[]' | 'tsvector'

/** Each column's type, and its value in an item. */
export type Columns<Item> = Record<string, readonly [type: ColumnType, value: (item: Item) => unknown]>

/**
 * Makes items the rows `v` of an insert or update. Several items are sent as one array parameter per column: the text
 * is the same for any number of them, is parsed and planned once, and two hundred rows need few parameters. A single
 * item is sent as plain values, which PostgreSQL plans as constants.
 */
export function rowSet<Item>(columns: Columns<Item>): (items: Item[]) => Sql {
  const all = Object.entries(columns)
  const list = (fragments: Sql[]) => join(fragments, comma)
  const names = list(all.map(([name]) => identifier(name)))
  const one = precompile(
    sql`(values (${list(all.map(([, [type]]) => sql`${param}::${scalars[type]}`))})) as v (${names})`,
  )
  const many = precompile(
    sql`unnest(${list(all.map(([, [type]]) => sql`${param}::${scalars[type]}[]`))}) as v (${names})`,
  )
  const members = all.map(([, [type, value]]) =>
    isList(type) ? (item: Item) => listText(value(item)) : value,
  )
  const elements = all.map(([, [type]]) => (isList(type) ? 'text' : type) as ElementType)
  return (items) => {
    const [only] = items
    return only !== undefined && items.length === 1
      ? one(members.map((value) => value(only)))
      : many(members.map((value, i) => binaryArray(elements[i]!, items.map(value))))
  }
}

const listText = (list: unknown) => (list === null ? null : JSON.stringify(list))

/** A column of `v` with its declared type. */
export function rowSetColumn(name: string, type: ColumnType): Sql {
  const value = sql`v.${identifier(name)}`
  if (!isList(type)) return value
  const list = sql`array(select jsonb_array_elements_text(${value}::jsonb))`
  if (type === 'tsvector')
    return sql`case when ${value} is null then null else array_to_tsvector(${list}) end`
  return type === 'uuid[]' ? sql`${list}::uuid[]` : list
}

/**
 * `unnest` flattens nested arrays, so lists are sent as JSON text. Parsing an array's text is not immutable, and a
 * distributed PostgreSQL does not allow that in updates.
 */
const isList = (type: ColumnType) => type === 'tsvector' || type.endsWith('[]')

const columnTypes: ColumnType[] = [...elementTypes, 'uuid[]', 'text[]', 'tsvector']

const types = Object.fromEntries(columnTypes.map((type) => [type, new Sql([type], [])])) as Record<
  ColumnType,
  Sql
>
const scalars = Object.fromEntries(
  columnTypes.map((type) => [type, isList(type) ? types.text : types[type]]),
) as Record<ColumnType, Sql>
