import { maxLimit } from '../../../platform/http/request/pagination.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { list, signal } from '../../../platform/resource/resource.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { findConversation } from '../conversations/queries.ts'
import { PresenceReport, presenceWire } from './schema.ts'

const path = '/conversations/{id}/presence'
const params = { id: 'conv' }

async function requireConversation({ db, env }: Ctx, id: string): Promise<void> {
  if (!(await findConversation(db, env.tenantId, id))) throw new ApiError('not_found')
}

export const routes = [
  signal({
    path,
    name: 'updatePresence',
    summary: 'Report presence',
    description:
      'Tells colleagues that the operator in `Backline-Operator`, or who has signed in to the console, looks at the conversation or writes in it. This lasts for 30 seconds: repeat it every 20 seconds, and send `away` at the end. Streams with `ephemeral=true` are told, those of end users are not. A change is passed on at once, or a second after the one before, and a repetition at most once a second. Nothing is stored, and an `Idempotency-Key` has no effect.',
    scope: 'conversations:write',
    needsPerson: true,
    documentedUnder: 'conversations',
    params,
    body: PresenceReport,
    bodyExample: { state: 'viewing' },
    handle: async (ctx, { params: { id }, body: { state } }) => {
      await requireConversation(ctx, id)
      const operatorId = ctx.principal.actor.operator_id!
      ctx.services.presence.report(ctx.env.tenantId, { streamId: id, subject: operatorId, state })
    },
  }),
  list({
    path,
    name: 'listPresence',
    summary: 'List who is present',
    description:
      'Lists the operators who look at the conversation or write in it now, by their ids. A server that has just started knows all of them after 20 seconds, when their clients have repeated their reports.',
    scope: 'conversations:read',
    documentedUnder: 'conversations',
    params,
    item: presenceWire,
    sorts: ['operator_id'],
    fixedSort: true,
    defaultLimit: maxLimit,
    sortKey: ({ subject }) => [subject],
    handle: async (ctx, { params: { id }, page: { limit, after } }) => {
      await requireConversation(ctx, id)
      return ctx.services.presence
        .current(ctx.env.tenantId, id)
        .filter(({ subject }) => after === null || subject > after[0]!)
        .sort((one, other) => (one.subject < other.subject ? -1 : 1))
        .slice(0, limit)
    },
    count: async (ctx, { params: { id } }) => {
      await requireConversation(ctx, id)
      return ctx.services.presence.current(ctx.env.tenantId, id).length
    },
  }),
]
