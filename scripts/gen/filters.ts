import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Field, type Kind, operatorsOf } from '@backline/server/platform/lists/field.ts'
import { conversationFieldTable } from '@backline/server/support/desk/conversations/finding/fields.ts'
import { endUserFieldTable } from '@backline/server/support/people/end-users/finding/fields.ts'
import { kindsOfCustomFields } from '@backline/server/support/properties/custom-fields/finding/fields.ts'

const kinds: Record<Kind, [name: string, values: string]> = {
  text: ['text', 'a text'],
  enum: ['enumeration', 'one of the values'],
  id: ['id', 'an id, such as `dept_…`'],
  number: ['number', 'a number'],
  time: ['time', 'an RFC 3339 time, or a date'],
  boolean: ['boolean', '`true` or `false`'],
  list: ['list', 'a text, one of the items'],
  me: ['me', '`me`, the operator of `Backline-Operator`'],
}

/** The guide to filters, with tables of the fields and operators that the server knows. */
export async function filtersPage(): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../docs/filters.md'), 'utf8')
  const parts: Record<string, string> = {
    operators: operatorTable(),
    'conversation fields': fieldTable(conversationFieldTable),
    'end user fields': fieldTable(endUserFieldTable),
    'custom fields': customFieldTable(),
  }
  return Object.entries(parts).reduce(
    (text, [name, table]) => text.replace(between(name), (_, begin, end) => `${begin}\n${table}\n${end}`),
    page,
  )
}

const between = (name: string) =>
  new RegExp(`(<!-- ${name}, written by \`npm run gen\` -->)[^]*?(<!-- end of ${name} -->)`)

const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

function operatorTable(): string {
  const rows = (Object.keys(kinds) as Kind[]).map((kind) => {
    const [name, values] = kinds[kind]
    return `| ${name} | ${values} | ${codes(operatorsOf[kind])} |`
  })
  return `| kind | value | operators |\n|---|---|---|\n${rows.join('\n')}`
}

function fieldTable(table: Readonly<Record<string, Field>>): string {
  const rows = Object.entries(table).map(([name, { kind, values, prefix, description }]) => {
    const meaning = values ? `${description.replace(/\.$/, '')}: ${codes(values)}` : description
    const kindOfId = prefix ? ` \`${prefix}_…\`` : ''
    return `| \`${name}\` | ${kinds[kind][0]}${kindOfId} | ${meaning} |`
  })
  return `| field | kind | meaning |\n|---|---|---|\n${rows.join('\n')}`
}

function customFieldTable(): string {
  const types = Object.entries(kindsOfCustomFields).map(
    ([type, kind]) => `| \`${type}\` | ${kinds[kind][0]} |`,
  )
  return `| type | kind |\n|---|---|\n${types.join('\n')}`
}
