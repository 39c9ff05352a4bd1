import { ApiError } from '../../../platform/kernel/errors.ts'
import { signal } from '../../../platform/resource/resource.ts'
import { Enum, Flag, Shape } from '../../../platform/resource/schema.ts'
import { people } from '../conversations/lifecycle.ts'
import { requireOwnSide } from '../conversations/own-side.ts'
import { findConversation } from '../conversations/queries.ts'

const Typing = Shape({
  side: Enum(people, { description: 'The side that types.' }),
  typing: Flag({ description: 'Whether it types; false as soon as it has stopped.' }),
})

export const routes = [
  signal({
    path: '/conversations/{id}/typing',
    name: 'updateTyping',
    summary: 'Report typing',
    description:
      'Tells the streams with `ephemeral=true` that a side of the conversation is typing. This lasts for 8 seconds: repeat it every few seconds, and send `false` at the end. More than one report in a second is not passed on. Nothing is stored, and an `Idempotency-Key` has no effect. In the console, only the role `admin` may report another side than `operator`: others receive 403 `scope_missing` with the scope `*`.',
    scope: 'conversations:write',
    documentedUnder: 'conversations',
    params: { id: 'conv' },
    body: Typing,
    bodyExample: { side: 'operator', typing: true },
    handle: async (ctx, { params: { id }, body: { side, typing } }) => {
      const { tenantId } = ctx.env
      if (!(await findConversation(ctx.db, tenantId, id))) throw new ApiError('not_found')
      requireOwnSide(ctx, side)
      ctx.services.typing.report(tenantId, { streamId: id, subject: side, state: typing })
    },
  }),
]
