import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import type { DeliveryStatus } from '../../desk/messages/email/delivery.ts'
import { messages } from '../../desk/messages/entity.ts'

/** Gives a message the delivery of a mail to one recipient. */
const mailed =
  (status: DeliveryStatus) =>
  async (ctx: Ctx, { id }: Record<string, string>): Promise<void> => {
    await transact(ctx, async (change) => {
      const message = await change.rows.load(messages, uuidOf('msg', id!)!)
      const recipient = { address: 'ada@example.net', kind: 'to' as const, reason: null, smtp_code: null }
      const recipients = [{ ...recipient, status, at: change.now }]
      const delivery = { status, recipients, attempts: 0, next_attempt_at: null }
      change.rows.update(messages, message, { delivery }, 'message.delivery_changed')
    })
  }

export const fixtures: RouteFixtures = {
  preparations: {
    reportMessageDelivery: { prepare: mailed('queued') },
    retryMessageDelivery: { prepare: mailed('failed') },
  },
}
