import type { Page } from '../kernel/page.ts'
import type { Db } from '../postgres/database.ts'
import { and, join, type Sql, sql } from '../postgres/sql.ts'
import type { ListRequest } from '../resource/resource.ts'
import type { Listing, Order, Table, VersionedRow } from '../tables/table.ts'
import { type Checks, conditionsOf, dividedInto, picked, resolved } from './checks.ts'
import { candidatesOf, conditionOf } from './condition.ts'
import type { At } from './field.ts'
import type { Filter } from './filter.ts'
import { countFiltered, type FilterLimits, filteredPage, filterLimits } from './page.ts'

/** A list of a type of objects, by filters. */
export type FilteredObjects<Row extends VersionedRow, Sort extends string> = {
  table: Table<Row>
  /** Adds what checks imply. */
  narrowed?(checks: Checks): Checks
  orderOf(sort: Sort, checks: Checks): Order<Row>
  /** The order of a count. */
  newestFirst: Sort
  /** The names of the checks by which indexes have the order, so that the next rows are found whatever they are. */
  ordering(sort: Sort): readonly string[]
  /** The names of the checks that one index serves together. */
  together: readonly string[]
  /** How `table.list` reads a page with no other conditions than checks. */
  reading(checks: Checks, page: Page<Sort>, at: At): { slow?: boolean; walk?: Sql | null }
}

type Options = {
  limits?: FilterLimits | undefined
  /** True if a condition is so slow that a count begins with candidates. */
  isSlow?: boolean
}

/** Prepares a list: what its page and its total have in common is done once. */
export function listRequest<Row extends VersionedRow, Sort extends string>(
  db: Db,
  at: At,
  objects: FilteredObjects<Row, Sort>,
  filter: Filter,
  options: Options = {},
): ListRequest<Row, Sort> {
  const { checks: all, others } = dividedInto(filter)
  const checks = objects.narrowed?.(all) ?? all
  return others.length > 0
    ? checkedList(db, at, objects, filter, checks, options)
    : indexedList(db, at, objects, checks)
}

/** A list that indexes serve as a whole. */
function indexedList<Row extends VersionedRow, Sort extends string>(
  db: Db,
  at: At,
  { table, orderOf, reading }: FilteredObjects<Row, Sort>,
  checks: Checks,
): ListRequest<Row, Sort> {
  let known: Promise<Checks | null> | undefined
  const read = () => (known ??= resolved(db, at.tenantId, checks))
  const listing = async (page: Page<Sort>): Promise<Listing<Row> | null> => {
    const found = await read()
    return (
      found && [
        db,
        at.tenantId,
        conditionsOf(found, at),
        orderOf(page.sort, found),
        page,
        reading(found, page, at),
      ]
    )
  }
  return {
    async page(page) {
      const asked = await listing(page)
      return asked ? table.list(...asked) : []
    },
    async ids(page) {
      const asked = await listing(page)
      return asked ? table.ids(...asked) : []
    },
    async count(atMost) {
      const found = await read()
      return found ? table.count(db, at.tenantId, conditionsOf(found, at), atMost) : 0
    },
  }
}

/** A list whose rows are checked one by one. */
function checkedList<Row extends VersionedRow, Sort extends string>(
  db: Db,
  at: At,
  { table, orderOf, newestFirst, ordering, together }: FilteredObjects<Row, Sort>,
  filter: Filter,
  checks: Checks,
  { limits = filterLimits, isSlow = false }: Options,
): ListRequest<Row, Sort> {
  const { tenantId } = at
  const joint = conditionsOf(picked(checks, together), at)
  const rows = {
    table,
    filter: conditionOf(filter, at),
    candidates: [
      ...(joint.length > 1
        ? [sql`(select id from ${table.name} where ${join([sql`tenant_id = ${tenantId}`, ...joint], and)})`]
        : []),
      ...candidatesOf(filter, at),
    ],
    joint: isSlow ? [] : joint,
  }
  const inOrder = (sort: Sort): [list: typeof rows & { conditions: Sql[] }, order: Order<Row>] => {
    const known = picked(checks, ordering(sort))
    return [{ ...rows, conditions: conditionsOf(known, at) }, orderOf(sort, known)]
  }
  return {
    page: (page) => filteredPage(db, tenantId, ...inOrder(page.sort), page, limits),
    count: (atMost) => countFiltered(db, tenantId, ...inOrder(newestFirst), atMost, limits),
  }
}
