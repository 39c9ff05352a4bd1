/** The families of scopes. */
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

/** All valid scopes of a key, including wildcards. */
export const allScopes: string[] = [
  ...families.flatMap((family) => [`${family}:read`, `${family}:write`]),
  '*:read',
  '*:write',
  '*',
]

/** `*` covers everything; `*:read` and `*:write` cover every family. Write access does not imply read access. */
export const covers = (held: ReadonlySet<string>, scope: string): boolean =>
  held.has(scope) || held.has('*') || (scope !== '*' && held.has(`*:${scope.split(':')[1]}`))
