import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type EndUser, endUserTable, findEndUserByExternalId, findOwnerOfAddress } from './queries.ts'
import { endUserWire } from './schema.ts'

const events = [
  'end_user.created',
  'end_user.updated',
  'end_user.merged',
  'end_user.blocked',
  'end_user.unblocked',
  'end_user.deleted',
  'end_user.erased',
] as const

export const endUsers: Entity<EndUser, (typeof events)[number]> = {
  type: 'end_user',
  prefix: declareIds('end_user', 'eu'),
  events,
  table: endUserTable,
  wire: endUserWire,
  audited: ['language', 'timezone', 'company_ids', 'status', 'verified_at'],
  unique: {
    external_id: ({ external_id: id }, db, tenantId) =>
      id === null ? null : findEndUserByExternalId(db, tenantId, id),
    emails: (row, db, tenantId) => findOwnerOfAddress(db, tenantId, row),
  },
  shownIn: { 'end_user.erased': ['id'] },
  precedence: [
    'end_user.erased',
    'end_user.merged',
    'end_user.blocked',
    'end_user.unblocked',
    'end_user.updated',
  ],
}

/** Ends a block at its time. */
export const blockExpiry = 'end_user_block_expiry'
