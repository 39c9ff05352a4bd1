/* Written by `npm run gen` from `scopes` of the resources. */

type Access = 'none' | 'read' | 'write'

/** The families of scopes in the order in which the API lists them: new ones come last. The role `admin` has all. */
export const families = {
  conversations: { agent: 'write', lead: 'write' },
  messages: { agent: 'write', lead: 'write' },
  departments: { agent: 'read', lead: 'read' },
  categories: { agent: 'read', lead: 'write' },
  macros: { agent: 'read', lead: 'write' },
  hold_reasons: { agent: 'read', lead: 'write' },
  sla_configs: { agent: 'read', lead: 'read' },
  message_templates: { agent: 'read', lead: 'write' },
  kb: { agent: 'read', lead: 'write' },
  faqs: { agent: 'read', lead: 'write' },
  tags: { agent: 'read', lead: 'write' },
  operators: { agent: 'read', lead: 'read' },
  webhook_endpoints: { agent: 'none', lead: 'none' },
  end_users: { agent: 'write', lead: 'write' },
  companies: { agent: 'write', lead: 'write' },
  end_user_sessions: { agent: 'none', lead: 'none' },
  identity_keys: { agent: 'none', lead: 'none' },
  files: { agent: 'write', lead: 'write' },
  custom_fields: { agent: 'read', lead: 'read' },
  views: { agent: 'read', lead: 'write' },
  events: { agent: 'read', lead: 'read' },
  audit_log: { agent: 'none', lead: 'none' },
  api_keys: { agent: 'none', lead: 'none' },
  workspace: { agent: 'none', lead: 'none' },
  jobs: { agent: 'write', lead: 'write' },
  erasure: { agent: 'none', lead: 'none' },
  mailboxes: { agent: 'read', lead: 'read' },
  inbound_emails: { agent: 'read', lead: 'write' },
  notifications: { agent: 'write', lead: 'write' },
  request_log: { agent: 'none', lead: 'none' },
} as const satisfies Record<string, { agent: Access; lead: Access }>
