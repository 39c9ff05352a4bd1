/** The families of scopes, in the order in which the API lists them. A resource uses one of them. */
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
  'end_users',
  'companies',
  'end_user_sessions',
  'identity_keys',
  'files',
  'custom_fields',
  'views',
  'events',
  'audit_log',
  'api_keys',
  'workspace',
] as const

/** All valid scopes of a key, including wildcards. */
export const allScopes: string[] = [
  ...families.flatMap((family) => [`${family}:read`, `${family}:write`]),
  '*:read',
  '*:write',
  '*',
]
