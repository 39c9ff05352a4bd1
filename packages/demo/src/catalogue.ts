/* The set-up of the desk: what conversations refer to. Names are unique, so a second run finds what there is. */

/** Settings of the departments, and of the workspace in the first run. */
export const claiming = { claim_order: 'due', reply_assigns: true }

export const departments = [
  {
    ...claiming,
    name: 'Cards and accounts',
    description: 'Fernhill Pay: cards, transfers, disputes.',
    email: 'cards@fernhill.example',
    assignment: { strategy: 'manual' },
  },
  {
    ...claiming,
    name: 'Orders and delivery',
    description: 'Fernhill Home: orders, parcels, returns.',
    email: 'orders@fernhill.example',
    assignment: { strategy: 'manual' },
  },
  {
    ...claiming,
    name: 'Technical support',
    description: 'Fernhill Plan: faults, questions, integrations.',
    email: 'tech@fernhill.example',
    assignment: { strategy: 'least_busy', max_open_per_operator: 8 },
  },
  {
    ...claiming,
    name: 'Billing',
    description: 'Invoices and subscriptions of all products.',
    email: 'billing@fernhill.example',
    assignment: { strategy: 'round_robin', max_open_per_operator: 8 },
  },
  {
    ...claiming,
    name: 'Trust and safety',
    description: 'Access to accounts, fraud, privacy.',
    email: 'safety@fernhill.example',
    assignment: { strategy: 'manual' },
  },
]

export type DemoOperator = {
  name: string
  role: 'agent' | 'lead'
  timezone: string
  departments: string[]
  status: 'online' | 'away' | 'busy' | 'offline'
}

const operator = (
  name: string,
  departments: string[],
  status: DemoOperator['status'] = 'online',
  role: DemoOperator['role'] = 'agent',
  timezone = 'Europe/Lisbon',
): DemoOperator => ({ name, role, timezone, departments, status })

export const operators: DemoOperator[] = [
  operator('Marta Figueira', ['Cards and accounts'], 'online', 'lead'),
  operator('Tobias Lenz', ['Cards and accounts'], 'online', 'agent', 'Europe/Berlin'),
  operator('Aisha Bello', ['Cards and accounts', 'Trust and safety']),
  operator('Colm Byrne', ['Cards and accounts'], 'offline', 'agent', 'Europe/Dublin'),
  operator('Ingrid Solheim', ['Orders and delivery'], 'online', 'lead', 'Europe/Oslo'),
  operator('Ravi Menon', ['Orders and delivery'], 'busy'),
  operator('Camille Roche', ['Orders and delivery'], 'online', 'agent', 'Europe/Paris'),
  operator('Dario Conti', ['Orders and delivery', 'Billing'], 'away', 'agent', 'Europe/Rome'),
  operator('Helena Prado', ['Technical support'], 'online', 'lead'),
  operator('Jonas Ekström', ['Technical support'], 'online', 'agent', 'Europe/Stockholm'),
  operator('Mina Park', ['Technical support'], 'busy'),
  operator('Peter Kovač', ['Billing'], 'online', 'lead', 'Europe/Zagreb'),
  operator('Sunita Rao', ['Billing', 'Technical support']),
  operator('Elise van Dam', ['Trust and safety'], 'online', 'lead', 'Europe/Amsterdam'),
  operator('Noor Aziz', ['Trust and safety'], 'offline', 'lead', 'Europe/London'),
]

/** `marta.figueira@fernhill.example` */
export const emailOf = (name: string): string => `${asciiOf(name).replaceAll(' ', '.')}@fernhill.example`

/** A name as addresses have it: in lower case, without accents. */
export const asciiOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

/** The categories of each product, below one of its name. */
export const products: { name: string; department: string; categories: string[] }[] = [
  {
    name: 'Fernhill Pay',
    department: 'Cards and accounts',
    categories: ['Declined payments', 'Lost or stolen cards', 'Disputes', 'Transfers'],
  },
  {
    name: 'Fernhill Home',
    department: 'Orders and delivery',
    categories: ['Late deliveries', 'Damaged goods', 'Returns', 'Products and stock'],
  },
  {
    name: 'Fernhill Plan',
    department: 'Technical support',
    categories: ['Sync and calendar', 'Performance and outages', 'How to', 'API and integrations'],
  },
  { name: 'Payments and invoices', department: 'Billing', categories: ['Invoices', 'Subscriptions'] },
  {
    name: 'Account and data',
    department: 'Trust and safety',
    categories: ['Account access', 'Privacy requests'],
  },
]

export const tags = [
  { name: 'VIP', color: '#eb5757', description: 'Customers with a contract.' },
  { name: 'complaint', color: '#f2994a', description: 'The customer is angry; reply with care.' },
  { name: 'feature request', color: '#9b51e0', description: 'Something that a product lacks.' },
  { name: 'bug', color: '#eb5757', description: 'A fault of Fernhill Plan.' },
  { name: 'delivery', color: '#2f80ed', description: 'Parcels on their way.' },
  { name: 'card', color: '#219653', description: 'Cards of Fernhill Pay.' },
]

export const holdReasons = [
  {
    name: 'Waiting for the bank',
    waiting_on: 'third_party',
    default_duration_seconds: 5 * 86_400,
    description: 'Chargebacks, recalls and enquiries with the partner bank.',
  },
  {
    name: 'Waiting for the carrier',
    waiting_on: 'third_party',
    default_duration_seconds: 3 * 86_400,
    description: 'Traces and new delivery attempts.',
  },
  {
    name: 'Waiting for engineering',
    waiting_on: 'operator',
    pauses_sla: false,
    requires_note: true,
    description: 'A fault is being corrected. The note has the ticket.',
  },
  { name: 'Waiting for accounting', waiting_on: 'operator', default_duration_seconds: 2 * 86_400 },
  {
    name: 'Waiting for the customer',
    waiting_on: 'end_user',
    default_duration_seconds: 7 * 86_400,
    on_expiry: 'resolve',
  },
]

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => ({ day, from: '08:00', to: '20:00' }))

/** The first one that matches applies. `departments` become `department_ids`. */
export const slaConfigs = [
  {
    name: 'Contract customers',
    description: 'Customers with the tag VIP, around the clock.',
    conditions: { tags_any: ['VIP'] },
    targets: [{ first_response_seconds: 1_800, next_response_seconds: 3_600, resolution_seconds: 86_400 }],
  },
  {
    name: 'Live chat',
    description: 'A minute for the first answer, two for each later one.',
    conditions: { channels: ['chat'] },
    targets: [{ first_response_seconds: 60, next_response_seconds: 120, resolution_seconds: 28_800 }],
  },
  {
    name: 'Security',
    description: 'Access to accounts and fraud, around the clock.',
    conditions: {},
    departments: ['Trust and safety'],
    targets: [
      { priority: 'urgent', first_response_seconds: 900, resolution_seconds: 14_400 },
      { first_response_seconds: 7_200, resolution_seconds: 172_800 },
    ],
  },
  {
    name: 'Business hours',
    description: 'Everything else, on weekdays from 8 to 20 in Lisbon.',
    conditions: {},
    targets: [
      { priority: 'urgent', first_response_seconds: 1_800, resolution_seconds: 28_800 },
      { first_response_seconds: 14_400, next_response_seconds: 14_400, resolution_seconds: 172_800 },
    ],
    schedule: {
      timezone: 'Europe/Lisbon',
      weekly: weekdays,
      holidays: [{ date: '2026-12-25', name: 'Christmas', yearly: true }],
    },
  },
]

export const templates = [
  {
    name: 'Still waiting for the bank',
    folder: 'Fernhill Pay',
    body: "Hello {{ conversation.metadata.first_name | default: 'there' }},\n\nwe are still waiting for the bank and write again as soon as we hear from them.",
  },
  {
    name: 'Parcel is being traced',
    folder: 'Fernhill Home',
    body: "Hello {{ conversation.metadata.first_name | default: 'there' }},\n\nwe have asked the carrier to trace your parcel{% if order %} {{ order }}{% endif %}. This takes up to two working days.",
  },
  {
    name: 'Which version do you use?',
    folder: 'Fernhill Plan',
    body: "Hello {{ conversation.metadata.first_name | default: 'there' }},\n\ncould you tell us which version is shown below Settings → About, and on which device?",
  },
  {
    name: 'Corrected invoice',
    folder: 'Billing',
    body: 'Your corrected invoice is in your account, below Orders{% if order %} → {{ order }}{% endif %}.',
  },
  {
    name: 'We confirm your deletion',
    folder: 'Privacy',
    body: 'Your account and its data are deleted. Invoices stay for the time that the law demands.',
  },
]

export const domainOf = (company: string): string => `${asciiOf(company).replaceAll(' ', '-')}.example`

/** Companies on whose behalf customers write. */
export const companies = ['Bergmann Sport', 'Café Lumen', 'Hartley Books', 'Rail Direct', 'Swift Parcel'].map(
  (name) => ({
    name,
    domains: [domainOf(name)],
  }),
)

/** Custom fields of customers. */
export const customerFields = [
  {
    applies_to: 'end_user',
    key: 'plan',
    name: 'Plan',
    type: 'select',
    options: ['Starter', 'Team', 'Business'].map((label) => ({ value: label.toLowerCase(), label })),
  },
]
