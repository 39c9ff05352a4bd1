import { ApiError } from '@backline/server/platform/kernel/errors.ts'
import { type Sql, sql } from '@backline/server/platform/postgres/sql.ts'
import { list } from '@backline/server/platform/resource/resource.ts'
import { Nullable, Text, Type } from '@backline/server/platform/resource/schema.ts'
import type { Ctx } from '@backline/server/platform/unit-of-work/context.ts'
import {
  addRoutes,
  renameField,
  splitField,
  type VersionChange,
} from '@backline/server/platform/versions/changes.ts'
import { findConversation } from '@backline/server/support/desk/conversations/queries.ts'
import { operatorOrders, operatorTable } from '@backline/server/support/team/operators/queries.ts'
import { operatorWire } from '@backline/server/support/team/operators/schema.ts'

/*
 * The differences of a `/v2` from `/v1`: the example of docs/versioning.md. A `/v2` of the product would declare them
 * below `compose/` and mount them beside `/v1`.
 */

/**
 * The first space of `name` separates `given_name` from `family_name`. `given_name` has no space and `family_name` may
 * have some, so every name is shown and every pair is stored without loss. `family_name` is null without a space.
 */
const nameOfOperator = splitField<{ given_name: string; family_name: string | null }>('operator', 'name', {
  into: {
    given_name: {
      inReply: Text(0, 100, { description: 'The name up to its first space.' }),
      inBody: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[^ \\u0000\\ud800-\\udfff]+$',
        examples: ['Ada'],
        description: 'Has no space. Both names have at most 99 characters together.',
      }),
    },
    family_name: {
      inReply: Nullable(Text(0, 100), { description: 'The rest of the name; null if it has no space.' }),
      inBody: Nullable(Text(1, 98), { description: 'The rest of the name, if any.' }),
    },
  },
  split(name) {
    const space = name.indexOf(' ')
    if (space < 0) return { given_name: name, family_name: null }
    return { given_name: name.slice(0, space), family_name: name.slice(space + 1) }
  },
  join: ({ given_name, family_name = null }) =>
    family_name === null ? given_name! : `${given_name} ${family_name}`,
})

const participantsOf = (ctx: Ctx, id: string): Sql[] => [
  sql`id in (select operator_id from messages where tenant_id = ${ctx.env.tenantId} and conversation_id = ${id}
    union all select assignee_id from conversations where tenant_id = ${ctx.env.tenantId} and id = ${id})`,
]

const participants = list({
  path: '/conversations/{id}/participants',
  name: 'listParticipants',
  summary: 'List conversation participants',
  description: 'Lists the operator that the conversation is assigned to and those that wrote messages.',
  scope: 'operators:read',
  params: { id: 'conv' },
  item: operatorWire,
  sorts: ['name'],
  sortKey: (row) => operatorOrders.name.key(row),
  async handle(ctx, { params, page }) {
    const { tenantId } = ctx.env
    if (!(await findConversation(ctx.db, tenantId, params.id))) throw new ApiError('not_found')
    return operatorTable.list(ctx.db, tenantId, participantsOf(ctx, params.id), operatorOrders.name, page)
  },
  count: (ctx, { params }, atMost) =>
    operatorTable.count(ctx.db, ctx.env.tenantId, participantsOf(ctx, params.id), atMost),
})

export const v2: VersionChange[] = [
  renameField('conversation', 'subject', 'title'),
  nameOfOperator,
  addRoutes('conversations', [participants]),
]
