import type { ErrorCode } from '../kernel/errors.ts'
import { typeId } from '../kernel/ids.ts'
import { withArticle } from '../kernel/names.ts'
import type { Sql } from '../postgres/sql.ts'
import { type Order, type Table, unlessArchived } from '../tables/table.ts'
import type { Change } from '../unit-of-work/change.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { Entity, ResourceRow } from '../unit-of-work/entity.ts'
import { isVisible } from '../unit-of-work/visibility.ts'
import { list, type Route, read, remove, write } from './resource.ts'
import { Enum, type Members, Optional, Shape, type TObject } from './schema.ts'
import type { RowWire, Wire } from './wire.ts'

/** The part of a `crud` route that a resource implements. */
type Writing<Body extends TObject, Result> = {
  body: Body
  example: Members<Body>
  /** The response of the example request, if it is not the example of the resource. */
  replyExample?: Record<string, unknown>
  description: string
  errors?: ErrorCode[]
  handle(change: Change, body: Members<Body>, id: string): Promise<Result> | Result
}

type Crud<
  Row extends ResourceRow,
  Created extends Row,
  Sort extends string,
  Filters extends TObject,
  New extends TObject,
  Patch extends TObject,
> = {
  /** Below the version, such as `/tags`. */
  path: string
  /** The family of its scopes. */
  family: string
  /** The TypeID prefix. */
  prefix: string
  /** The noun in sentences, `tag` or `hold reason`, and its plural if it is irregular. */
  noun: string
  plural?: string
  wire: RowWire<Row>
  /** The version for the ETag, if it is not always that of the row. */
  versionOf?(row: Row): number | null
  table: Table<Row>
  /** The first order is the default. */
  orders: Record<Sort, Order<NoInfer<Row>>>
  filters?: Filters
  /** SQL of the filters; the filter `archived` is included. */
  conditions?(query: Members<Filters>, ctx: Ctx): Sql[]
  /** As that of the entity; the list leaves rows out by `conditions`. */
  isVisible?: NonNullable<Entity<Row>['isVisible']>
  create: Writing<New, Created> & {
    /** The reply, if it shows a secret once; replays return the resource without it. */
    reply?: Wire<Created>
  }
  /** Null if the resource declares its own list. */
  list: { description: string } | null
  read: { description: string }
  update: Writing<Patch, Row>
  remove: { description: string; errors?: ErrorCode[]; handle(change: Change, id: string): Promise<void> }
}

/**
 * The five routes of a configuration resource: create, list, read, update, delete. A resource with `archived` is
 * referred to by others: its name is unique, it cannot be deleted while it is in use, and lists omit archived
 * objects.
 */
export function crud<
  Row extends ResourceRow,
  Sort extends string,
  New extends TObject,
  Patch extends TObject,
  Created extends Row = Row,
  Filters extends TObject = TObject<Record<never, never>>,
>(it: Crud<Row, Created, Sort, Filters, New, Patch>): Route[] {
  const { path, family, prefix, noun, plural = `${noun}s`, wire, table, orders } = it
  const isArchivable = 'archived' in (wire.schema as TObject).properties
  const taken: ErrorCode[] = isArchivable ? ['already_exists'] : []
  const used: ErrorCode[] = isArchivable ? ['resource_in_use'] : []
  const operand = pascal(noun)
  const one = withArticle(noun)
  const params = { id: prefix }
  const versioned = it.versionOf ? { versionOf: it.versionOf } : {}
  const sorts = Object.keys(orders) as [Sort, ...Sort[]]
  const query = Shape({ ...it.filters?.properties, ...(isArchivable ? archivedFilter : {}) })
  type Query = Members<Filters> & { archived?: 'true' | 'false' }
  const conditionsOf = (ctx: Ctx, asked: unknown): Sql[] => {
    const { archived, ...filters } = asked as Query
    const conditions = it.conditions?.(filters as Members<Filters>, ctx) ?? []
    return isArchivable ? [...unlessArchived(archived), ...conditions] : conditions
  }
  const listed = ({ description }: { description: string }) =>
    list({
      path,
      name: `list${pascal(plural)}`,
      summary: `List ${plural}`,
      description,
      scope: `${family}:read`,
      query,
      item: wire,
      sorts,
      sortKey: (row: Row, sort) => orders[sort].key(row),
      handle: (ctx, { query, page }) =>
        table.page(ctx.db, ctx.env.tenantId, conditionsOf(ctx, query), orders[page.sort], page),
      count: (ctx, { query }, atMost) =>
        table.count(ctx.db, ctx.env.tenantId, conditionsOf(ctx, query), atMost),
    })
  return [
    write({
      method: 'POST',
      path,
      name: `create${operand}`,
      summary: `Create ${one}`,
      scope: `${family}:write`,
      status: 201,
      ...documented(it.create),
      errors: [...taken, ...(it.create.errors ?? [])],
      body: it.create.body,
      bodyExample: it.create.example,
      ...(it.create.reply ? { reply: it.create.reply, storedReply: wire } : { reply: wire }),
      ...versioned,
      location: (row: Created) => `${path}/${typeId(prefix, row.id)}`,
      handle: (change, { body }) => it.create.handle(change, body as Members<New>, ''),
    }),
    ...(it.list ? [listed(it.list)] : []),
    read({
      path: `${path}/{id}`,
      name: `get${operand}`,
      summary: `Get ${one}`,
      description: it.read.description,
      scope: `${family}:read`,
      params,
      reply: wire,
      ...versioned,
      async handle(ctx, { params }) {
        const row = await table.find(ctx.db, ctx.env.tenantId, params.id)
        return row && (await isVisible(it, row, ctx)) ? row : null
      },
    }),
    write({
      method: 'PATCH',
      path: `${path}/{id}`,
      name: `update${operand}`,
      summary: `Update ${one}`,
      scope: `${family}:write`,
      params,
      ...documented(it.update),
      errors: [...taken, ...(it.update.errors ?? [])],
      body: it.update.body,
      bodyExample: it.update.example,
      reply: wire,
      ...versioned,
      handle: (change, { params, body }) => it.update.handle(change, body as Members<Patch>, params.id),
    }),
    remove({
      path: `${path}/{id}`,
      name: `delete${operand}`,
      summary: `Delete ${one}`,
      scope: `${family}:write`,
      params,
      description: it.remove.description,
      errors: [...used, ...(it.remove.errors ?? [])],
      handle: (change, { params }) => it.remove.handle(change, params.id),
    }),
  ]
}

export const archivedFilter = {
  archived: Optional(
    Enum(['true', 'false'], {
      default: 'false',
      description: 'Set to `true` to include archived objects.',
    }),
  ),
}

const documented = ({
  description,
  replyExample,
}: {
  description: string
  replyExample?: Record<string, unknown>
}) => ({ description, ...(replyExample ? { replyExample } : {}) })

/** `SLA config` becomes `SlaConfig`. */
const pascal = (words: string) =>
  words.replace(
    /(?:^| )(\w)(\w*)/g,
    (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase(),
  )
