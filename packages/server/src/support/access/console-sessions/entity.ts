import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type ConsoleSession, consoleSessionTable } from './queries.ts'
import { consoleSessionEventWire } from './schema.ts'

const events = ['console_session.created', 'console_session.revoked'] as const

export const consoleSessions: Entity<ConsoleSession, (typeof events)[number]> = {
  type: 'console_session',
  prefix: declareIds('console_session', 'cse'),
  events,
  table: consoleSessionTable,
  wire: consoleSessionEventWire,
}
