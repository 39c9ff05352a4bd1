import { typeId } from '../../platform/kernel/ids.ts'
import type { Ctx } from '../../platform/unit-of-work/context.ts'
import { principalOf } from '../vocabulary/principal.ts'

/** The mailbox makes all changes of a mail. */
export const actingFor = (ctx: Ctx, mailboxId: string): Ctx => ({
  ...ctx,
  principal: principalOf({
    environment: ctx.env,
    actor: { type: 'mailbox', id: typeId('mbx', mailboxId), operator_id: null },
    credential: null,
    token: '',
    holderId: '',
    countedAs: 'network',
    allows: () => true,
  }),
})
