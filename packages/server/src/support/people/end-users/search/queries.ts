import { candidatesOf, conditionOf } from '../../../../platform/filters/compile.ts'
import {
  type Counted,
  countFiltered,
  type FilteredList,
  filteredPage,
  filterLimits,
} from '../../../../platform/filters/lists/queries.ts'
import { type Filter, leavesOf } from '../../../../platform/filters/tree.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Page, Stretch } from '../../../../platform/kernel/page.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { and, join, none, type Sql, sql, textAfter } from '../../../../platform/postgres/sql.ts'
import { queryTokens } from '../../../../platform/search/search-text.ts'
import { byCreation, type Order } from '../../../../platform/tables/table.ts'
import { definitionsOf } from '../../../properties/custom-fields/definitions.ts'
import { endUserColumns } from '../filters/queries.ts'
import {
  type EndUser,
  emailKey,
  endUserOrders,
  endUserTable,
  findEndUserByExternalId,
  ofExternalId,
} from '../queries.ts'

export type EndUserFilter = {
  external_id?: string
  email?: string
  phone?: string
  company_id?: string
  status?: string
  q?: string
  filter?: Filter
}

export type EndUserSort = keyof typeof endUserOrders
export const endUserSorts = Object.keys(endUserOrders) as [EndUserSort, ...EndUserSort[]]

export async function listEndUsers(
  db: Db,
  tenantId: string,
  asked: EndUserFilter,
  page: Page<EndUserSort>,
  now: Instant,
): Promise<EndUser[] | Stretch<EndUser>> {
  const order: Order<EndUser> = endUserOrders[page.sort]
  const { conditions, isPossible, filtered } = await planned(db, tenantId, asked, now)
  if (!isPossible) return []
  if (filtered) return filteredPage(db, tenantId, filtered, order, page)
  return endUserTable.list(db, tenantId, conditions, order, page, { slow: Object.keys(asked).length > 0 })
}

export async function countEndUsers(
  db: Db,
  tenantId: string,
  asked: EndUserFilter,
  atMost: number,
  now: Instant,
  limits = filterLimits,
): Promise<number | Counted> {
  const { conditions, isPossible, filtered } = await planned(db, tenantId, asked, now)
  if (!isPossible) return 0
  if (filtered) return countFiltered(db, tenantId, filtered, byCreation['-created_at'], atMost, limits)
  return endUserTable.count(db, tenantId, conditions, atMost)
}

type Reading = {
  /** False if nothing can match. */
  isPossible: boolean
  /** The conditions of the simple filters. */
  conditions: Sql[]
  /** With a tree: how its list is read. */
  filtered: FilteredList<EndUser> | null
}

async function planned(
  db: Db,
  tenantId: string,
  { filter, status, ...asked }: EndUserFilter,
  now: Instant,
): Promise<Reading> {
  const few = await conditionsWithIndex(db, tenantId, asked)
  if (few === null) return { isPossible: false, conditions: [], filtered: null }
  const saysStatus = filter !== undefined && leavesOf(filter).some(({ field }) => field === 'status')
  const conditions = [...(status === undefined && saysStatus ? [] : [hasStatus(status)]), ...few]
  if (filter === undefined) return { isPossible: true, conditions, filtered: null }
  const columns = endUserColumns(tenantId, await definitionsOf(db, tenantId), now)
  const byIndex = few.map((each) => sql`(select id from end_users where tenant_id = ${tenantId} and ${each})`)
  const filtered = {
    table: endUserTable,
    conditions: [],
    filter: join([...conditions, conditionOf(filter, { columns, now })], and),
    candidates: [...byIndex, ...candidatesOf(filter, columns)],
    joint: [],
  }
  return { isPossible: true, conditions, filtered }
}

/** The conditions of a status. A list without one leaves merged and erased end users out. */
function hasStatus(status: string | undefined): Sql {
  const present = sql`merged_into_id is null and erased_at is null`
  if (status === 'merged') return sql`merged_into_id is not null and erased_at is null`
  if (status === 'erased') return sql`erased_at is not null`
  if (status === 'blocked') return sql`${present} and blocked_at is not null`
  return status === 'active' ? sql`${present} and blocked_at is null` : present
}

/** The conditions of simple filters, each with an index; null if nothing can match. */
async function conditionsWithIndex(
  db: Db,
  tenantId: string,
  { external_id, email, phone, company_id, q }: Omit<EndUserFilter, 'filter' | 'status'>,
): Promise<Sql[] | null> {
  const conditions: Sql[] = []
  if (external_id !== undefined) {
    const found = await findEndUserByExternalId(db, tenantId, external_id)
    if (found === null) return null
    conditions.push(sql`id = ${found.id}`)
  }
  if (email !== undefined) conditions.push(hasAddress(tenantId, 'email', emailKey(email)))
  if (phone !== undefined) conditions.push(hasAddress(tenantId, 'phone', phone))
  if (company_id !== undefined)
    conditions.push(sql`id in (select member.end_user_id from company_members member
      where member.tenant_id = ${tenantId} and member.company_id = ${company_id})`)
  if (q !== undefined) {
    const found = isFoundBy(q)
    if (found === null) return null
    conditions.push(found)
  }
  return conditions
}

const hasAddress = (tenantId: string, kind: string, address: string): Sql =>
  sql`id in (select known.end_user_id from end_user_addresses known
    where known.tenant_id = ${tenantId} and known.kind = ${kind} and known.address = ${address})`

/** The end users with all words in their name, addresses or external id; null if there is no word. */
function isFoundBy(text: string): Sql | null {
  const { tokens, last } = queryTokens(text)
  if (last === null) return null
  const words = tokens.map((token) => {
    const ending = token === last ? ':*' : ''
    return `('${token}'${ending} | '${ofExternalId}${token}'${ending})`
  })
  const start = text.trim()
  const end = textAfter(start)
  return sql`(search @@ ${words.join(' & ')}::tsquery or (external_id >= ${start}${end === null ? none : sql` and external_id < ${end}`}
    and merged_into_id is null))`
}
