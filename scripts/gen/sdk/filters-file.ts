import type { Field, Kind } from '@backline/server/platform/lists/field.ts'
import { conversationFieldTable } from '@backline/server/support/desk/conversations/finding/fields.ts'
import { endUserFieldTable } from '@backline/server/support/people/end-users/finding/fields.ts'
import { commentOf } from './types.ts'
import { heading } from './types-file.ts'

type Table = Readonly<Record<string, Field>>

/** The functions of `filters.ts` that make fields. */
const functions: Record<Kind, string> = {
  text: 'text',
  number: 'number',
  time: 'time',
  id: 'id',
  enum: 'oneOf',
  list: 'list',
  boolean: 'boolean',
  me: 'me',
}

/** `filters.generated.ts`: the fields that filters can name, from the tables that the server reads filters by. */
export function filtersFile(): string {
  return `${heading.replace('the OpenAPI document', "the server's tables of fields")}
import { boolean, connectives, customField, id, list, me, number, oneOf, text, time } from './filters.ts'

${builder('where', 'Filters of conversations.', conversationFieldTable, {
  customField: 'custom_fields.',
  endUserCustomField: 'end_user.custom_fields.',
  companyCustomField: 'company.custom_fields.',
})}
${builder('whereEndUser', 'Filters of end users.', endUserFieldTable, {
  customField: 'custom_fields.',
  companyCustomField: 'company.custom_fields.',
})}`
}

const ofCustomFields: Record<string, string> = {
  customField: 'A custom field by its `key`.',
  endUserCustomField: 'A custom field of the end user by its `key`.',
  companyCustomField: 'A custom field of the company by its `key`.',
}

/** Fields of parts, such as `sla.status`, are members of objects. */
function builder(name: string, documentation: string, table: Table, custom: Record<string, string>): string {
  const fields = Object.entries(table)
  const own = fields.filter(([field]) => !field.includes('.'))
  const parts = Map.groupBy(
    fields.filter(([field]) => field.includes('.')),
    ([field]) => field.slice(0, field.indexOf('.')),
  )
  const members = [
    '  ...connectives,',
    ...own.map(([field, each]) => member(field, field, each, '  ')),
    ...[...parts].map(([part, each]) => {
      const inner = each.map(([field, of]) => member(field.slice(part.length + 1), field, of, '    '))
      return `  ${part}: {\n${inner.join('\n')}\n  },`
    }),
    ...Object.entries(custom).map(
      ([method, prefix]) =>
        `${commentOf(ofCustomFields[method], '  ')}  ${method}: (key: string) => customField(\`${prefix}\${key}\`),`,
    ),
  ]
  return `${commentOf(documentation)}export const ${name} = {\n${members.join('\n')}\n}\n`
}

function member(name: string, field: string, { kind, values, description }: Field, indent: string): string {
  const type = kind === 'enum' ? `<${values!.map((value) => `'${value}'`).join(' | ')}>` : ''
  return `${commentOf(description, indent)}${indent}${name}: ${functions[kind]}${type}('${field}'),`
}
