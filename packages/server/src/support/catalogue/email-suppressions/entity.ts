import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type EmailSuppression, findSuppressionOf, suppressionTable } from './queries.ts'
import { suppressionWire } from './schema.ts'

const events = ['email_suppression.created', 'email_suppression.deleted'] as const

/** The job that removes a suppression at its end. */
export const expiryJob = 'email_suppression_expiry'

export const emailSuppressions: Entity<EmailSuppression, (typeof events)[number]> = {
  type: 'email_suppression',
  prefix: declareIds('email_suppression', 'sup'),
  events,
  table: suppressionTable,
  wire: suppressionWire,
  audited: ['reason', 'message_id', 'expires_at'],
  unique: { address: ({ address }, db, tenantId) => findSuppressionOf(db, tenantId, address) },
}
