import type { CustomField, EndUserMerge } from '@backline/sdk'
import { useEveryCustomField } from '../../data/configuration.ts'
import { Notice } from '../../design/Layout.tsx'
import { Table } from '../../design/Table.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'

type MergePreviewProps = {
  merge: EndUserMerge
  /** The external id that goes on to lead to the one that remains; null for none. */
  alias: string | null
  name: string
}

/** Shows what a merge moves, and which values it drops. */
export function MergePreview({ merge, alias, name }: MergePreviewProps) {
  const text = useTexts(texts)
  const { data: fields } = useEveryCustomField()
  const names: Record<string, string> = {
    external_id: text.externalId,
    name: text.name,
    emails: text.emails,
    phones: text.phones,
    language: text.language,
    timezone: text.timezone,
    avatar_url: text.picture,
    company_ids: text.companies,
    custom_fields: text.customFields,
    metadata: text.metadata,
  }
  /** @param path a field, or that of one key: `custom_fields.plan` */
  const labelOf = (path: string): string => {
    const [field = '', ...rest] = path.split('.')
    const key = rest.join('.')
    const isOfPeople = (each: CustomField) => each.applies_to === 'end_user' && each.key === key
    if (key === '') return names[field] ?? field
    return field === 'custom_fields' ? (fields?.find(isOfPeople)?.name ?? key) : key
  }
  return (
    <>
      <p>{text.moved(merge.moved_conversations, name)}</p>
      {merge.taken.length > 0 && <p>{text.taken(name, merge.taken.map(labelOf).join(', '))}</p>}
      {alias !== null && <p>{text.alias(alias, name)}</p>}
      {merge.conflicts.length > 0 && (
        <>
          <Notice tone="warn">{text.dropped}</Notice>
          <Table
            caption={text.dropped}
            rows={merge.conflicts}
            keyOf={({ field }) => field}
            columns={[
              { name: 'field', label: text.field, cell: ({ field }) => labelOf(field) },
              { name: 'kept', label: text.stays, cell: ({ kept }) => textOf(kept) },
              { name: 'dropped', label: text.goes, cell: ({ dropped }) => <del>{textOf(dropped)}</del> },
            ]}
          />
        </>
      )}
    </>
  )
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'object' && value !== null && 'address' in value) return String(value.address)
  return value === null || value === undefined ? '–' : String(value)
}
