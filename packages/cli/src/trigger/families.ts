type Family = {
  path: string
  body(unique: string): object
  patch: object
}

/** Resources that are created, changed and deleted in the usual way. */
export const families: Record<string, Family> = {
  category: {
    path: '/v1/categories',
    body: (unique) => ({ name: `Refunds ${unique}`, description: 'Money that goes back.' }),
    patch: { default_priority: 'high' },
  },
  company: {
    path: '/v1/companies',
    body: (unique) => ({ name: 'Example Inc.', external_id: `company_${unique}` }),
    patch: { metadata: { plan: 'pro' } },
  },
  custom_field: {
    path: '/v1/custom_fields',
    body: (unique) => ({ applies_to: 'conversation', key: `plan_${unique}`, name: 'Plan', type: 'text' }),
    patch: { description: 'The plan of the customer' },
  },
  department: {
    path: '/v1/departments',
    body: (unique) => ({ name: `Billing ${unique}`, description: 'Invoices, refunds and cards.' }),
    patch: { description: 'Invoices and refunds.' },
  },
  end_user: {
    path: '/v1/end_users',
    body: (unique) => ({ external_id: `user_${unique}`, name: 'Grace Hopper' }),
    patch: { language: 'en' },
  },
  faq: {
    path: '/v1/faqs',
    body: (unique) => ({
      question: `When does my refund arrive? (${unique})`,
      answer: 'Within **five days**.',
    }),
    patch: { status: 'published' },
  },
  hold_reason: {
    path: '/v1/hold_reasons',
    body: (unique) => ({ name: `Waiting for the bank ${unique}`, waiting_on: 'third_party' }),
    patch: { resumes_on_reply: false },
  },
  identity_key: {
    path: '/v1/identity_keys',
    body: (unique) => ({ name: `Shop ${unique}`, algorithm: 'HS256' }),
    patch: { audience: 'backline' },
  },
  kb_article: {
    path: '/v1/kb/articles',
    body: (unique) => ({
      title: `Why was my card declined? (${unique})`,
      body: 'Check the **limit** first.',
    }),
    patch: { body: 'Check the **limit** and the **expiry date** first.' },
  },
  kb_collection: {
    path: '/v1/kb/collections',
    body: (unique) => ({ name: `Cards ${unique}`, slug: `cards-${unique}` }),
    patch: { position: 20 },
  },
  macro: {
    path: '/v1/macros',
    body: (unique) => ({
      name: `Refund is on its way ${unique}`,
      actions: [{ type: 'reply', body: 'Your refund is on its way.', set_status: 'resolved' }],
    }),
    patch: { position: 20 },
  },
  message_template: {
    path: '/v1/message_templates',
    body: (unique) => ({
      name: `Refund on its way ${unique}`,
      body: 'Your refund for order {{ order_id }} is on its way.',
    }),
    patch: { folder: 'Refunds' },
  },
  operator: {
    path: '/v1/operators',
    body: (unique) => ({ name: 'Ada Lovelace', email: `ada.${unique}@example.com` }),
    patch: { capacity: 8 },
  },
  sla_config: {
    path: '/v1/sla_configs',
    body: (unique) => ({
      name: `Contract ${unique}`,
      conditions: { tags_any: [`contract-${unique}`] },
      targets: [{ first_response_seconds: 3600 }],
    }),
    patch: { warn_at_percent: 90 },
  },
  tag: {
    path: '/v1/tags',
    body: (unique) => ({ name: `refund-${unique}`, color: '#2f80ed' }),
    patch: { color: '#eb5757' },
  },
  view: {
    path: '/v1/views',
    body: (unique) => ({
      name: `Open refunds ${unique}`,
      filter: { field: 'status', op: 'is', value: 'open' },
    }),
    patch: { position: 20 },
  },
  webhook_endpoint: {
    path: '/v1/webhook_endpoints',
    body: (unique) => ({
      url: `https://example.com/backline/${unique}`,
      description: 'Created by backline trigger',
      status: 'paused',
    }),
    patch: { enabled_events: ['conversation.*'] },
  },
}
