import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { ConsoleSession } from './queries.ts'

export const consoleSessionExample = {
  id: 'cse_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'console_session',
  operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
  created_by: 'link',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  ip: '203.0.113.7',
  last_used_at: '2026-11-20T09:30:00.000Z',
  expires_at: '2026-12-20T09:30:00.000Z',
  revoked_at: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  version: 1,
}

const fields = {
  id: Id('cse'),
  object: Enum(['console_session']),
  operator_id: Id('op', { description: 'The operator that the session acts as.' }),
  created_by: Enum(['link', 'oidc'], {
    description: '`link`: by a one-time link. `oidc`: by single sign-on with OpenID Connect.',
  }),
  user_agent: Nullable(
    Text(0, 255, { description: 'The `User-Agent` of the browser that signed in; null in events.' }),
  ),
  ip: Nullable(Text(0, 64, { description: 'The address from which the browser signed in; null in events.' })),
  last_used_at: Timestamp({
    description:
      'The time of the last request, in real time and updated at most once a minute. The session ends 12 hours later.',
  }),
  expires_at: Timestamp({
    description: 'The time from which the session is refused, in real time: a test clock does not end it.',
  }),
  revoked_at: Nullable(Timestamp(), {
    description:
      'The time at which the session was revoked, or its operator signed out, was archived or unarchived, or got another `email`, a higher `role` or a 21st session.',
  }),
  ...revision,
}

const present = (row: ConsoleSession) => ({
  ...row,
  id: typeId('cse', row.id),
  object: 'console_session',
  operator_id: typeId('op', row.operator_id),
})

export const consoleSessionWire = defineWire<ConsoleSession>({
  name: 'ConsoleSession',
  schema: Shape(fields),
  example: consoleSessionExample,
  present,
})

const unshownInEvents = { user_agent: null, ip: null }

export const consoleSessionEventExample = { ...consoleSessionExample, ...unshownInEvents }

/** A session in its events, which more people and systems receive: without the address and the browser. */
export const consoleSessionEventWire = defineWire<ConsoleSession>({
  ...consoleSessionWire,
  example: consoleSessionEventExample,
  present: (row) => present({ ...row, ...unshownInEvents }),
})

export const ConsoleSessionFilters = Shape({
  operator_id: Optional(Id('op', { description: 'Return only sessions of this operator.' })),
})
