/** The families that scopes are given for. */
export const families = [
  'conversations',
  'messages',
  'departments',
  'categories',
  'macros',
  'hold_reasons',
  'sla_configs',
  'message_templates',
  'kb',
  'faqs',
  'tags',
  'operators',
  'webhook_endpoints',
  'events',
  'audit_log',
  'api_keys',
  'workspace',
] as const

type Verb = 'read' | 'write'
export type Scope = `${(typeof families)[number]}:${Verb}`

/** Every scope that a key can have, wildcards included. */
export const allScopes: string[] = [
  ...families.flatMap((family) => [`${family}:read`, `${family}:write`]),
  '*:read',
  '*:write',
  '*',
]

/** `*` covers everything, `*:read` and `*:write` every family; writing does not imply reading. */
export const covers = (held: ReadonlySet<string>, scope: string): boolean =>
  held.has(scope) || held.has('*') || (scope !== '*' && held.has(`*:${scope.split(':')[1]}`))
