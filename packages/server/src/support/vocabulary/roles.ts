import { covers } from '../../platform/resource/scopes.ts'

export const roles = ['agent', 'lead', 'admin'] as const
export type Role = (typeof roles)[number]

const readAndWrite = (...families: string[]): string[] =>
  families.flatMap((family) => [`${family}:read`, `${family}:write`])

/** The scopes of work at a desk: conversations and people, and reading what is configured. */
const agent = [
  ...readAndWrite('conversations', 'messages', 'end_users', 'companies', 'files'),
  'departments:read',
  'categories:read',
  'macros:read',
  'hold_reasons:read',
  'sla_configs:read',
  'message_templates:read',
  'kb:read',
  'faqs:read',
  'tags:read',
  'operators:read',
  'custom_fields:read',
  'views:read',
  'events:read',
]

/** Also maintains the texts and the order of the desk. */
const lead = [
  ...agent,
  'macros:write',
  'message_templates:write',
  'kb:write',
  'faqs:write',
  'tags:write',
  'categories:write',
  'hold_reasons:write',
  'views:write',
]

/** The scopes of console sessions by the role of their operators. */
export const scopesOfRole: Record<Role, readonly string[]> = { agent, lead, admin: ['*'] }

const sets = {
  agent: new Set(agent),
  lead: new Set(lead),
  admin: new Set(['*']),
} satisfies Record<Role, Set<string>>

/** True if the scopes of a role include this one. */
export const roleAllows = (role: Role, scope: string): boolean => covers(sets[role], scope)
