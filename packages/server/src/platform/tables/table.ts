import { nameKey } from '../kernel/names.ts'
import { maxPageBytes, type Page, type PartialPage, type SortKey } from '../kernel/page.ts'
import { binaryArray } from '../postgres/arrays.ts'
import { countUpTo } from '../postgres/count.ts'
import type { Db, Head, RowSource } from '../postgres/database.ts'
import { param, precompile, tenantParam } from '../postgres/precompile.ts'
import { type Columns, type ColumnType, rowSet, rowSetColumn } from '../postgres/row-set.ts'
import { and, comma, identifier, join, limitTo, Sql, sql } from '../postgres/sql.ts'
import { type Bounded, boundedOf, fittingIn } from './large-columns.ts'

/** The columns that optimistic concurrency control needs. */
export type VersionedRow = { id: string; version: number }

export type TableDefinition<Row extends VersionedRow> = {
  name: string
  /** The columns that are written as they are read; those in `derived` are left out. */
  columns: { [Name in keyof Row & string]?: ColumnType }
  /**
   * Columns that an insert writes and no update does: facts that never change, and counters that other statements
   * write.
   */
  fixed?: readonly (keyof Row & string)[]
  /** Columns that are null in most new rows, and have no default. Inserts of such rows leave them out. */
  usuallyNull?: readonly (keyof Row & string)[]
  /**
   * The columns that can be large. Rows in which they are are read in two steps: first without these columns, so that
   * they delay nobody else's reads, then as a whole.
   */
  large?: readonly (keyof Row & string)[]
  /** Columns that are computed from a row on each write, or on insert if they are fixed, and never read. */
  derived?: Record<string, { type: ColumnType; value(row: Row): unknown; isFixed?: true }>
  /** The condition under which readers see a row; all rows by default. */
  visible?: Joined
  /**
   * Columns from other tables: read, never written. The expression receives the tenant for the tables that it reads.
   */
  joined?: { [Name in keyof Row & string]?: Joined }
  /**
   * Lets rows that were read be cached, for tables with wide rows whose pages are read often. Each change of a row must
   * then raise its version, so the table has no counters that other statements write. `changing` names the joined
   * columns that change without the version. `marks` are expressions that change whenever another joined column does,
   * and cost less than reading it.
   */
  cached?: { changing: readonly (keyof Row & string)[]; marks?: Record<string, Joined> }
}

/** The statements of a table of versioned rows. A statement that writes takes any number of rows. */
export type Table<Row extends VersionedRow> = {
  /** The select list, for other statements on the table. */
  columns(tenantId: string): Sql
  name: Sql
  find(db: Db, tenantId: string, id: string): Promise<Row | null>
  findMany(db: Db, tenantId: string, ids: string[]): Promise<Row[]>
  insert(tenantId: string, rows: Row[]): Sql
  /** Updates each row and returns one row for each whose version was unchanged. */
  update(tenantId: string, rows: Row[]): Sql
  /** Locks each row whose version is unchanged, and returns one row for each. */
  unchanged(tenantId: string, rows: Row[]): Sql
  remove(tenantId: string, rows: Row[]): Sql
  /**
   * Returns a page of the rows that meet the conditions, in an order of the table.
   * @param slow true if the query may read many rows before it fills a page; it then uses a separate connection
   * @param walk a from item with the heads of the page, in any order, that reads a bounded number of rows and so uses
   * the shared connections. It is named as the table. A row whose `version` is null means that more rows may follow; if
   * that is not a page, the page is read as without a walk.
   */
  list(...listing: Listing<Row>): Promise<Row[]>
  /**
   * As `list`, for the page of a client: it ends early if the rows are large. Sizes are known before rows are read.
   * @param page its limit is one more than is shown
   */
  page(...listing: Listing<Row>): Promise<Row[] | PartialPage<Row>>
  /** As `list`, for work that needs no more than the ids. */
  ids(...listing: Listing<Row>): Promise<string[]>
  /**
   * Returns the rows that a query of the caller finds, in its order. It is given the columns to select: ids and
   * versions, because a statement with all columns takes long to plan, or all, if one of the rows changes meanwhile.
   */
  foundBy(db: Db, tenantId: string, find: <Found>(columns: Sql) => Promise<Found[]>): Promise<Row[]>
  /** Counts rows, up to `atMost`. */
  count(db: Db, tenantId: string, conditions: Sql[], atMost: number): Promise<number>
}

/** A list of a table: its conditions, order and page. */
export type Listing<Row> = [
  db: Db,
  tenantId: string,
  conditions: Sql[],
  order: Order<Row>,
  page: Omit<Page, 'sort'>,
  how?: { slow?: boolean; walk?: Sql | null },
]

/** The order of a list and the condition that continues it. A row comparison is one index range scan; an OR is not. */
export type Order<Row> = {
  by: Sql
  after(key: SortKey): Sql
  key(row: Row): SortKey
  /**
   * The from item, named as the table, of at least the first `limit` rows that meet the condition; by default the
   * table.
   * @param after the key that the condition continues
   */
  rows?(where: Sql, after: SortKey | null, limit: number): Sql
}

/** Ids are UUIDv7 and contain the creation time. */
export const byCreation = {
  '-created_at': {
    by: sql`id desc`,
    after: ([id]: SortKey) => sql`id < ${id}`,
    key: (row: { id: string }): SortKey => [row.id],
  },
  created_at: {
    by: sql`id`,
    after: ([id]: SortKey) => sql`id > ${id}`,
    key: (row: { id: string }): SortKey => [row.id],
  },
} as const

/** Orders by the normalized name in the column `name_key`. */
export const byName = {
  by: sql`name_key, id`,
  after: ([name, id]: SortKey) => sql`(name_key, id) > (${name}, ${id})`,
  key: (row: { name: string; id: string }): SortKey => [nameKey(row.name), row.id],
}

/** Lists exclude archived rows unless the query includes them. */
export const unlessArchived = (asked: 'true' | 'false' | undefined): Sql[] =>
  asked === 'true' ? [] : [sql`not archived`]

export function defineTable<Row extends VersionedRow>(definition: TableDefinition<Row>): Table<Row> {
  const { name, derived = {}, fixed = [], usuallyNull = [] } = definition
  const table = identifier(name)
  const stored = (Object.entries(definition.columns) as [keyof Row & string, ColumnType][]).filter(
    ([name]) => !(name in derived),
  )
  const joined = Object.entries(definition.joined ?? {}) as [string, Joined][]
  const written: Column<Row>[] = [
    ...stored.map(([name, type]) => ({
      name,
      type,
      value: (row: Row) => (type === 'json' && row[name] !== null ? JSON.stringify(row[name]) : row[name]),
    })),
    ...Object.entries(derived).map(([name, { type, value }]) => ({ name, type, value })),
  ]
  const fixedDerived = Object.entries(derived).flatMap(([name, { isFixed }]) => (isFixed ? [name] : []))
  const constant = new Set<string>(['id', 'created_at', ...fixed, ...fixedDerived])
  const changeable = written.filter(({ name }) => !constant.has(name))

  const own = join(
    stored.map(([name]) => sql`${table}.${identifier(name)}`),
    comma,
  )
  const withJoined = (own: Sql, joined: [string, Joined][]) => (tenantId: string) =>
    joined.length === 0
      ? own
      : join(
          [
            own,
            ...joined.map(([name, source]) => sql`${forTenant(source, tenantId)} as ${identifier(name)}`),
          ],
          comma,
        )
  const columns = withJoined(own, joined)
  const large = new Set<string>(definition.large)
  const boundedColumns = large.size === 0 ? columns : withJoined(boundedOf(table, stored, large), joined)
  const changing: string[] = [...(definition.cached?.changing ?? [])]
  const headColumns = withJoined(sql`${table}.id, ${table}.version`, [
    ...joined.filter(([name]) => changing.includes(name)),
    ...Object.entries(definition.cached?.marks ?? {}),
  ])
  const insertAll = insertOf(table, written)
  const isUsuallyNull = new Set<string>(usuallyNull)
  const insertUsual = insertOf(
    table,
    written.filter(({ name }) => !isUsuallyNull.has(name)),
  )
  /** The order of external ids, in which two inserts of the same ones do not deadlock. */
  const inOrder = (rows: Row[]): Row[] =>
    rows.length > 1 && 'external_id' in definition.columns
      ? rows.toSorted((one, other) => (externalIdOf(one) < externalIdOf(other) ? -1 : 1))
      : rows
  const isUsual = (row: Row) => usuallyNull.every((name) => row[name] === null)
  const updateOne = precompile(
    sql`update ${table} set ${join(
      changeable.map(({ name, type }) => sql`${identifier(name)} = ${whole(type, sql`${param}`)}`),
      comma,
    )} where tenant_id = ${param} and id = ${param} and version = ${param} returning 1`,
  )
  const updateMany = sql`update ${table} set ${join(
    changeable.map(({ name, type }) => sql`${identifier(name)} = ${rowSetColumn(name, type)}`),
    comma,
  )}`
  const rowsToUpdate = rowSet(
    columnsOf<Row>([{ name: 'id', type: 'uuid', value: (row) => row.id }, ...changeable]),
  )
  const update = (tenantId: string, rows: Row[]): Sql => {
    const [row] = rows
    if (row && rows.length === 1) {
      return updateOne([...changeable.map(({ value }) => value(row)), tenantId, row.id, row.version - 1])
    }
    return sql`${updateMany} from ${rowsToUpdate(rows.toSorted(byId))}
      where ${table}.tenant_id = ${tenantId} and ${table}.id = v.id and ${table}.version = v.version - 1 returning 1`
  }
  const { visible } = definition
  const filter = (tenantId: string, conditions: Sql[]) =>
    join(
      [
        sql`${table}.tenant_id = ${tenantId}`,
        ...(visible ? [forTenant(visible, tenantId)] : []),
        ...conditions,
      ],
      and,
    )

  const anyTenant = tenantParam as never
  const oneById = precompile(
    sql`select ${boundedColumns(anyTenant)} from ${table} where ${filter(anyTenant, [sql`${table}.id = ${param}`])}`,
  )

  const isAnyOf = sql`${table}.id = any(${param}::uuid[])`
  const manyById = precompile(
    sql`select ${boundedColumns(anyTenant)} from ${table} where ${filter(anyTenant, [isAnyOf])}`,
  )
  const source: RowSource<Row> = {
    one: (db, tenantId, id) => db.maybe(oneById([id], tenantId)),
    many: (db, tenantId, ids) => db.rows(manyById([binaryArray('uuid', ids)], tenantId)),
  }

  /** Reads those rows as a whole that came without their large columns, unless they no longer meet the conditions. */
  async function completed(
    db: Db,
    tenantId: string,
    rows: Bounded<Row>[],
    conditions: Sql[] = [],
  ): Promise<Row[]> {
    const cut = large.size === 0 ? [] : rows.filter(({ large_bytes }) => large_bytes != null)
    if (cut.length === 0) return rows
    const isCut = sql`${table}.id = any(${cut.map(({ id }) => id)}::uuid[])`
    const read = await db.largeRows<Row>(
      sql`select ${columns(tenantId)} from ${table} where ${filter(tenantId, [isCut, ...conditions])}`,
      cut.reduce((sum, { large_bytes }) => sum + large_bytes!, 0),
    )
    const byId = new Map(read.map((row) => [row.id, row]))
    return rows.flatMap((row) => (row.large_bytes == null ? row : (byId.get(row.id) ?? [])))
  }

  /** The statement of a list, and how its rows are read. */
  function listing(...[db, tenantId, conditions, order, { limit, after }, how = {}]: Listing<Row>) {
    const { slow = conditions.length > 0 } = how
    const all = filter(tenantId, after ? [...conditions, order.after(after)] : conditions)
    const from = order.rows?.(all, after, limit) ?? sql`${table} where ${all}`
    const select = (found: Sql, source = from) =>
      sql`select ${found} from ${source} order by ${order.by} ${limitTo(limit)}`
    const read = async <Found>(found: Sql): Promise<Found[]> => {
      const query = select(found)
      return (await (slow ? db.slowRows<Found>(query) : db.rows<Found>(query))).slice(0, limit)
    }
    return { select, read }
  }

  /** Rows without their large columns. */
  async function bounded(...asked: Listing<Row>) {
    const [db, tenantId, , , { limit }, { walk = null } = {}] = asked
    const { select, read } = listing(...asked)
    const rows = () => read<Bounded<Row>>(boundedColumns(tenantId))
    if (!definition.cached) return rows()
    const heads = async () => {
      if (walk === null) return read<Head>(headColumns(tenantId))
      const walked = (await db.rows<Head>(select(headColumns(tenantId), walk))).slice(0, limit)
      return walked.some(({ version }) => version === null) ? read<Head>(headColumns(tenantId)) : walked
    }
    return db.reads.shared(select(headColumns(tenantId)), () =>
      db.reads.page<Bounded<Row>>(source, db, tenantId, { heads, rows }),
    )
  }

  const headsById = precompile(
    sql`select ${headColumns(anyTenant)} from ${table} where ${filter(anyTenant, [isAnyOf])}`,
  )
  const foundBy: Table<Row>['foundBy'] = async (db, tenantId, find) => {
    const rows = () => find<Bounded<Row>>(boundedColumns(tenantId))
    if (!definition.cached) return completed(db, tenantId, await rows())
    const heads = async () => {
      const found = await find<Head>(sql`${table}.id, ${table}.version`)
      if (found.length === 0) return []
      const ids = binaryArray(
        'uuid',
        found.map(({ id }) => id),
      )
      const read = await db.rows<Head>(headsById([ids], tenantId))
      const byId = new Map(read.map((head) => [head.id, head]))
      // Nothing has a version that is over: `rows` is called.
      return found.map((each) => (byId.get(each.id)?.version === each.version ? byId.get(each.id)! : each))
    }
    return completed(db, tenantId, await db.reads.page<Bounded<Row>>(source, db, tenantId, { heads, rows }))
  }

  return {
    columns,
    name: table,
    foundBy,
    find: async (db, tenantId, id) => {
      const row = await db.reads.find(source, db, tenantId, id)
      return row && ((await completed(db, tenantId, [row]))[0] ?? null)
    },
    findMany: async (db, tenantId, ids) => completed(db, tenantId, await source.many(db, tenantId, ids)),
    insert: (tenantId, rows) => (rows.every(isUsual) ? insertUsual : insertAll)(tenantId, inOrder(rows)),
    update,
    unchanged: (tenantId, rows) =>
      sql`select 1 from ${table} where tenant_id = ${tenantId} and ${sameVersions(rows)} for share`,
    remove: (tenantId, rows) =>
      sql`delete from ${table} where tenant_id = ${tenantId} and ${sameVersions(rows)} returning 1`,
    list: async (...asked) => {
      const [db, tenantId, conditions] = asked
      return completed(db, tenantId, await bounded(...asked), conditions)
    },
    page: async (...asked) => {
      const [db, tenantId, conditions, order, { limit }] = asked
      const rows = await bounded(...asked)
      if (large.size === 0 || rows.every(({ large_bytes }) => large_bytes == null)) return rows
      const shown = rows.slice(0, Math.min(fittingIn(maxPageBytes, rows), limit - 1))
      const hasMore = shown.length < rows.length
      return {
        rows: await completed(db, tenantId, shown, conditions),
        hasMore,
        reached: hasMore ? order.key(shown.at(-1)!) : null,
      }
    },
    ids: async (...asked) => {
      const rows = await listing(...asked).read<{ id: string }>(sql`${table}.id`)
      return rows.map(({ id }) => id)
    },
    count: (db, tenantId, conditions, atMost) =>
      countUpTo(db, sql`select 1 from ${table} where ${filter(tenantId, conditions)}`, atMost),
  }
}

const externalIdOf = (row: object): string => String((row as { external_id?: unknown }).external_id)

type Joined = Sql | ((tenantId: string) => Sql)

const forTenant = (source: Joined, tenantId: string): Sql =>
  source instanceof Sql ? source : source(tenantId)

type Column<Row> = { name: string; type: ColumnType; value(row: Row): unknown }

/** Makes the insert of rows with some columns. */
function insertOf<Row>(table: Sql, columns: Column<Row>[]) {
  const list = (of: (column: Column<Row>) => Sql) => join(columns.map(of), comma)
  const insertInto = sql`insert into ${table} (tenant_id, ${list(({ name }) => identifier(name))})`
  const insertOne = precompile(
    sql`${insertInto} values (${param}, ${list(({ type }) => whole(type, sql`${param}`))})`,
  )
  const fromRowSet = list(({ name, type }) => rowSetColumn(name, type))
  const rowSetOf = rowSet(columnsOf(columns))
  return (tenantId: string, rows: Row[]): Sql => {
    const [row] = rows
    const valuesOf = (row: Row) => [tenantId, ...columns.map(({ value }) => value(row))]
    if (row && rows.length === 1) return insertOne(valuesOf(row))
    return sql`${insertInto} select ${tenantId}::uuid, ${fromRowSet} from ${rowSetOf(rows)}`
  }
}

const columnsOf = <Row>(columns: Column<Row>[]): Columns<Row> =>
  Object.fromEntries(columns.map(({ name, type, value }) => [name, [type, value]]))

/**
 * Rows are locked in the order of their ids, whatever order they are written in, so that reorderings do not deadlock.
 */
const byId = (one: VersionedRow, other: VersionedRow) => (one.id < other.id ? -1 : 1)

function sameVersions(rows: VersionedRow[]): Sql {
  const [only] = rows
  if (only && rows.length === 1) return sql`id = ${only.id} and version = ${only.version}`
  const pairs = rows.map((row) => sql`(${row.id}::uuid, ${row.version}::integer)`)
  return sql`(id, version) in (${join(pairs, comma)})`
}

/** Converts tokens to a tsvector when they are written. */
const whole = (type: ColumnType, value: Sql): Sql =>
  type === 'tsvector' ? sql`array_to_tsvector(${value}::text[])` : value
