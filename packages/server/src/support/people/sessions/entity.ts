import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Session, sessionTable } from './queries.ts'
import { sessionWire } from './schema.ts'

const events = ['end_user_session.created', 'end_user_session.revoked'] as const

export const sessions: Entity<Session, (typeof events)[number]> = {
  type: 'end_user_session',
  prefix: declareIds('end_user_session', 'eus'),
  events,
  table: sessionTable,
  wire: sessionWire,
}
