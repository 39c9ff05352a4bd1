import { type Api, itemsOf } from './api.ts'
import {
  claiming,
  companies,
  customerFields,
  departments,
  emailOf,
  holdReasons,
  operators,
  products,
  slaConfigs,
  tags,
  templates,
} from './catalogue.ts'
import { articles, collections, faqs } from './knowledge.ts'

export type Colleague = { id: string; name: string; role: string }

/** The ids of what conversations refer to, by name. */
export type Desk = {
  departments: Map<string, string>
  categories: Map<string, string>
  operators: Map<string, string>
  /** Operators who are not of the demo. */
  others: Colleague[]
  holdReasons: Map<string, string>
  companies: Map<string, string>
  /** The number of objects that were created now. */
  created: number
}

/** The API, and the number of objects that were created. */
type Run = Api & { created: number }

/** Creates what is missing of the desk; finds the rest by its name. */
export async function setUpDesk({ call }: Api): Promise<Desk> {
  const run: Run = { call, created: 0 }
  const departmentIds = await ensure(run, '/v1/departments', 'name', departments)
  if (run.created === departments.length) await call('PATCH', '/v1/workspace', { body: claiming })
  const { ids: operatorIds, others } = await setUpOperators(run, departmentIds)
  const parents = await ensure(
    run,
    '/v1/categories',
    'name',
    products.map(({ name }, i) => ({ name, position: (i + 1) * 10 })),
  )
  const categories = await ensure(
    run,
    '/v1/categories',
    'name',
    products.flatMap(({ name, department, categories }) =>
      categories.map((category, i) => ({
        name: category,
        parent_id: parents.get(name),
        default_department_id: departmentIds.get(department),
        position: (i + 1) * 10,
      })),
    ),
  )
  await ensure(run, '/v1/tags', 'name', tags)
  const templateIds = await ensure(run, '/v1/message_templates', 'name', templates)
  const holds = holdReasons.map((reason) =>
    reason.name === 'Waiting for the bank'
      ? { ...reason, follow_up: followUp(templateIds.get('Still waiting for the bank')!) }
      : reason,
  )
  const holdIds = await ensure(run, '/v1/hold_reasons', 'name', holds)
  await ensure(
    run,
    '/v1/sla_configs',
    'name',
    slaConfigs.map(({ departments = [], conditions, ...config }) => ({
      ...config,
      conditions: { ...conditions, department_ids: departments.map((name) => departmentIds.get(name)!) },
    })),
  )
  await ensure(run, '/v1/macros', 'name', macros(holdIds, templateIds, departmentIds))
  const companyIds = await ensure(run, '/v1/companies', 'name', companies)
  await ensure(run, '/v1/custom_fields', 'key', customerFields)
  await setUpKnowledge(run)
  return {
    departments: departmentIds,
    categories,
    operators: operatorIds,
    others,
    holdReasons: holdIds,
    companies: companyIds,
    created: run.created,
  }
}

/** The ids of the objects of a list by `field`, after those that are missing have been created. */
async function ensure(
  run: Run,
  path: string,
  field: string,
  wanted: Record<string, unknown>[],
): Promise<Map<string, string>> {
  const ids = await existing(run, path, field)
  for (const body of wanted) {
    const name = String(body[field])
    if (!ids.has(name)) ids.set(name, await create(run, path, body))
  }
  return ids
}

/** Returns the id of the new object, or of the one that has the same name in another spelling. */
async function create(run: Run, path: string, body: Record<string, unknown>): Promise<string> {
  try {
    const { id } = await run.call('POST', path, { body })
    run.created++
    return id
  } catch (error) {
    const { code, params } = error as { code?: string; params?: { id?: unknown } }
    if (code === 'already_exists') return String(params?.id)
    throw error
  }
}

async function existing(run: Run, path: string, field: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for await (const item of itemsOf(run, path)) ids.set(item[field], item.id)
  return ids
}

/** `ids`: of the operators by their names. For one who is archived by now, a colleague stands in. */
async function setUpOperators(
  run: Run,
  departmentIds: Map<string, string>,
): Promise<{ ids: Map<string, string>; others: Colleague[] }> {
  const own = new Set(operators.map(({ name }) => emailOf(name)))
  const known = new Map<string, { id: string; archived: boolean }>()
  const others: Colleague[] = []
  for await (const { id, name, role, email, archived } of itemsOf(run, '/v1/operators', {
    archived: 'true',
  })) {
    if (own.has(email)) known.set(email, { id, archived })
    else if (!archived) others.push({ id, name, role })
  }
  const ids = new Map<string, string>()
  for (const { name, role, timezone, departments, status } of operators) {
    const email = emailOf(name)
    const before = known.get(email)
    if (before?.archived) continue
    const id =
      before?.id ?? (await create(run, '/v1/operators', { name, email, role, timezone, capacity: 25 }))
    ids.set(name, id)
    if (before) continue
    for (const department of departments)
      await run.call('PUT', `/v1/departments/${departmentIds.get(department)}/operators/${id}`)
    if (status !== 'offline') await run.call('PUT', `/v1/operators/${id}/status`, { body: { status } })
  }
  const present = operators.filter(({ name }) => ids.has(name))
  for (const { name, departments } of operators.filter((each) => !present.includes(each))) {
    const colleague = present.find((each) => each.departments.some((one) => departments.includes(one)))
    const standIn = colleague ?? present[0]
    if (!standIn) throw new Error('All operators of the demo are archived: take one out of the archive.')
    ids.set(name, ids.get(standIn.name)!)
  }
  return { ids, others }
}

const followUp = (template_id: string) => ({ every_seconds: 86_400, template_id, max_count: 3 })

const macros = (
  holdIds: Map<string, string>,
  templateIds: Map<string, string>,
  departmentIds: Map<string, string>,
) => [
  {
    name: 'Take over',
    description: 'Assigns the conversation to yourself and leaves a note.',
    actions: [
      { type: 'assign', operator_id: 'me' },
      { type: 'note', body: 'I am looking into it.' },
    ],
    position: 10,
  },
  {
    name: 'Ask the bank',
    department_ids: [departmentIds.get('Cards and accounts')],
    actions: [
      { type: 'reply', template_id: templateIds.get('Still waiting for the bank') },
      { type: 'hold', hold_reason_id: holdIds.get('Waiting for the bank'), note: 'Enquiry sent.' },
    ],
    position: 20,
  },
  {
    name: 'Trace the parcel',
    department_ids: [departmentIds.get('Orders and delivery')],
    actions: [
      { type: 'add_tags', tags: ['delivery'] },
      { type: 'reply', template_id: templateIds.get('Parcel is being traced') },
      { type: 'hold', hold_reason_id: holdIds.get('Waiting for the carrier'), note: 'Trace opened.' },
    ],
    position: 30,
  },
  {
    name: 'Angry customer',
    description: 'Raises the priority; a lead should reply.',
    actions: [
      { type: 'set_priority', priority: 'high' },
      { type: 'add_tags', tags: ['complaint'] },
    ],
    position: 40,
  },
  {
    name: 'Refund and resolve',
    department_ids: [departmentIds.get('Billing'), departmentIds.get('Orders and delivery')],
    actions: [
      {
        type: 'reply',
        body: 'Your refund is on its way and arrives within three days.',
        set_status: 'resolved',
      },
    ],
    position: 50,
  },
]

async function setUpKnowledge(run: Run): Promise<void> {
  const collectionIds = await ensure(run, '/v1/kb/collections', 'slug', collections)
  const before = await existing(run, '/v1/kb/articles', 'slug')
  const articleIds = await ensure(
    run,
    '/v1/kb/articles',
    'slug',
    articles.map(({ collection, isDraft: _, ...article }) => ({
      ...article,
      collection_id: collectionIds.get(collection),
      locale: 'en',
    })),
  )
  for (const { slug, isDraft } of articles)
    if (!isDraft && !before.has(slug))
      await run.call('POST', `/v1/kb/articles/${articleIds.get(slug)}/publish`)
  await ensure(
    run,
    '/v1/faqs',
    'question',
    faqs.map(({ article, ...faq }, i) => ({
      ...faq,
      ...(article === undefined ? {} : { kb_article_id: articleIds.get(article) }),
      locale: 'en',
      status: 'published',
      position: (i + 1) * 10,
    })),
  )
}
