import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findByNumber, type Invitation, invitationTable } from './queries.ts'
import { invitationWire } from './schema.ts'

const events = ['invitation.created', 'invitation.accepted', 'invitation.revoked'] as const

export const invitations: Entity<Invitation, (typeof events)[number]> = {
  type: 'invitation',
  prefix: declareIds('invitation', 'inv'),
  events,
  table: invitationTable,
  wire: invitationWire,
  unique: { number: (row, db, tenantId) => findByNumber(db, tenantId, row) },
}
