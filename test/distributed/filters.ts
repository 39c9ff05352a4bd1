import {
  type Kind,
  type Field as ListedField,
  type Operator,
  operatorsOf,
} from '@backline/server/platform/lists/field.ts'
import { conversationFieldTable } from '@backline/server/support/desk/conversations/finding/fields.ts'
import { endUserFieldTable } from '@backline/server/support/people/end-users/finding/fields.ts'
import { kindsOfCustomFields } from '@backline/server/support/properties/custom-fields/finding/fields.ts'
import { conversation, operator, succeeded } from '../desk.ts'
import type { Client } from '../harness.ts'
import { made } from '../macro-fixtures.ts'
import { until } from '../processes.ts'

type Field = Pick<ListedField, 'kind' | 'values' | 'prefix'>
type Subject = 'conversation' | 'end_user' | 'company'

const values: Record<Kind, unknown> = {
  text: 'a',
  number: 1,
  time: '2026-11-20',
  id: '',
  enum: 'a',
  list: 'a',
  boolean: true,
  me: 'me',
}

const given = { text: 'a', number: 1, boolean: true, date: '2026-11-20', select: 'a', multi_select: ['a'] }

/** Indexed fields of each type. */
async function customFields(client: Client, applies_to: Subject): Promise<Record<string, Field>> {
  const fields: Record<string, Field> = {}
  for (const [type, kind] of Object.entries(kindsOfCustomFields)) {
    const options = type.endsWith('select') ? { options: [{ value: 'a', label: 'A' }] } : {}
    await made(client, 'custom_fields', {
      applies_to,
      key: type,
      name: type,
      type,
      indexed: true,
      ...options,
    })
    fields[`custom_fields.${type}`] = { kind }
  }
  return fields
}

const prefixed = (prefix: string, fields: Record<string, Field>): Record<string, Field> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${prefix}.${name}`, field]))

function valueFor(op: Operator, { kind, values: possible, prefix }: Field): unknown {
  const one = prefix ? `${prefix}_01kah1vgm0e1tbm5ye8n2m9q7c` : (possible?.at(-1) ?? values[kind])
  if (op === 'exists') return true
  if (op === 'within') return '-P7D'
  return op === 'in' || op === 'not_in' ? [one] : one
}

/** Custom fields of other objects are read as those of the object itself. */
const operatorsFor = (name: string, { kind }: Field): readonly Operator[] =>
  name.includes('.custom_fields.') ? operatorsOf[kind].slice(0, 1) : operatorsOf[kind]

/** Lists with a condition for each field and operator, counted too, which asks the index of the field. */
export async function filterLists(client: Client): Promise<void> {
  const [ofConversations, ofEndUsers, ofCompanies] = [
    await customFields(client, 'conversation'),
    await customFields(client, 'end_user'),
    await customFields(client, 'company'),
  ]
  const { id } = await made(client, 'companies', { name: 'a', custom_fields: given })
  await made(client, 'end_users', { external_id: 'a', company_ids: [id], custom_fields: given })
  await conversation(client, { external_user_id: 'a', company_id: id, tags: ['a'], custom_fields: given })
  await until('the fields are indexed', async () => {
    const { data } = succeeded(await client.get('/v1/custom_fields?limit=100'))
    return data.every((field: { index_status: string }) => field.index_status === 'ready')
  })
  const company = prefixed('company', ofCompanies)
  const me = { 'backline-operator': await operator(client) }
  const lists: [path: string, fields: Record<string, Field>][] = [
    [
      'conversations',
      { ...conversationFieldTable, ...ofConversations, ...prefixed('end_user', ofEndUsers), ...company },
    ],
    ['end_users', { ...endUserFieldTable, ...ofEndUsers, ...company }],
  ]
  for (const [path, fields] of lists) {
    for (const [name, field] of Object.entries(fields))
      for (const op of operatorsFor(name, field)) {
        const filter = { field: name, op, value: valueFor(op, field) }
        const query = new URLSearchParams({ filter: JSON.stringify(filter), include: 'total' })
        succeeded(await client.get(`/v1/${path}?${query}`, me))
      }
    const both = ['created_at', 'updated_at'].map((field) => ({ field, op: 'exists', value: true }))
    for (const filter of [{ any: both }, { not: { all: both } }])
      succeeded(await client.get(`/v1/${path}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`))
  }
  // Each alone is a bounded scan; together they need candidates.
  const either = [
    { field: 'external_user_id', op: 'is', value: 'a' },
    { field: 'tags', op: 'contains', value: 'a' },
  ]
  const query = new URLSearchParams({ filter: JSON.stringify({ any: either }), include: 'total' })
  succeeded(await client.get(`/v1/conversations?${query}`))
  for (const { id } of succeeded(await client.get('/v1/custom_fields?limit=100')).data)
    succeeded(await client.delete(`/v1/custom_fields/${id}`))
}
