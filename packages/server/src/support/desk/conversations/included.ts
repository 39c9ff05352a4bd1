import { typeId } from '../../../platform/kernel/ids.ts'
import type { Includes } from '../../../platform/resource/resource.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { RowWire } from '../../../platform/resource/wire.ts'
import type { Table, VersionedRow } from '../../../platform/tables/table.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { companyTable } from '../../people/companies/queries.ts'
import { companyWire } from '../../people/companies/schema.ts'
import { endUserTable } from '../../people/end-users/queries.ts'
import { endUserWire } from '../../people/end-users/schema.ts'
import { operatorTable } from '../../team/operators/queries.ts'
import { operatorWire } from '../../team/operators/schema.ts'
import { lastMessagesOf } from '../messages/last/last-messages.ts'
import { lastMessageWire } from '../messages/last/schema.ts'
import { readStateWire } from '../read-states/schema.ts'
import { readStatesOf } from '../read-states/states.ts'
import { operatorMeant } from './finding/request.ts'
import { followerIdsOf } from './followers/queries.ts'
import type { Conversation } from './queries.ts'

type Present = (row: VersionedRow, now: string) => Record<string, unknown>
type IdOf = (conversation: Conversation) => string | null
type Shown = (conversation: Conversation) => object | null
type Source = {
  /** The scope that the object's own route requires. */
  scope: string
  /** The member of the conversation, if it has another name. */
  member?: string
  /** Reads the objects of a page, by one statement. */
  read(ctx: Ctx, rows: Conversation[]): Promise<Shown>
}

const source = <Row extends VersionedRow>(
  scope: string,
  idOf: IdOf,
  table: Table<Row>,
  wire: RowWire<Row>,
): Source => ({
  scope,
  read: (ctx, rows) =>
    objectsOf(ctx, rows, idOf, table as unknown as Table<VersionedRow>, wire.present as unknown as Present),
})

const sources: Record<string, Source> = {
  end_user: source('end_users:read', ({ end_user }) => end_user.id, endUserTable, endUserWire),
  assignee: source('operators:read', ({ assignee_id }) => assignee_id, operatorTable, operatorWire),
  company: source('companies:read', ({ company_id }) => company_id, companyTable, companyWire),
  last_message: {
    scope: 'messages:read',
    async read(ctx, rows) {
      const found = await lastMessagesOf(ctx, rows)
      return ({ id }) => (found.has(id) ? lastMessageWire.present(found.get(id)!) : null)
    },
  },
  followers: {
    scope: 'conversations:read',
    member: 'follower_ids',
    async read({ db, env }, rows) {
      const found = await followerIdsOf(
        db,
        env.tenantId,
        rows.map(({ id }) => id),
      )
      const shown = new Map(
        found.map((each) => [each.conversation_id, each.operator_ids.map((id) => typeId('op', id))]),
      )
      return ({ id }) => shown.get(id) ?? []
    },
  },
  read_state: {
    scope: 'conversations:read',
    async read(ctx, rows) {
      const { db, env } = ctx
      const found = await readStatesOf(
        db,
        env.tenantId,
        operatorMeant(ctx, 'include', 'read_state'),
        rows,
        ctx.now(),
      )
      return ({ id }) => readStateWire.present(found.get(id)!)
    },
  },
}

/** The rows of a table that conversations of a page refer to. */
async function objectsOf(
  ctx: Ctx,
  rows: Conversation[],
  idOf: IdOf,
  table: Table<VersionedRow>,
  present: Present,
): Promise<Shown> {
  const ids = [...new Set(rows.map(idOf).filter((id) => id !== null))]
  const found = ids.length === 0 ? [] : await table.findMany(ctx.db, ctx.env.tenantId, ids)
  const shown = new Map(found.map((row) => [row.id, present(row, ctx.now())]))
  return (row: Conversation) => shown.get(idOf(row) ?? '') ?? null
}

export const includes: Includes<Conversation> = {
  names: Object.keys(sources),
  async of(ctx, rows, names) {
    requireScopes(ctx.principal.allows, ...names.map((name) => sources[name]!.scope))
    const objects = await Promise.all(
      names.map(async (name) => {
        const { member = name, read } = sources[name]!
        return [member, await read(ctx, rows)] as const
      }),
    )
    return rows.map((row) => ({
      ...row,
      included: Object.fromEntries(objects.map(([member, objectOf]) => [member, objectOf(row)])),
    }))
  },
}
