import type { Conversation, UpdateConversationBody } from '@backline/sdk'
import { skipToken, useQueries, useQuery } from '@tanstack/react-query'
import { pathText, useCategories, useDepartments, useEveryMailbox } from '../../../data/configuration.ts'
import { useEnvironment } from '../../../data/environment.tsx'
import type { Option } from '../../../design/Field.tsx'
import { fieldTexts } from '../../../texts/fields.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { offeredLocales, useLocaleName } from '../../../texts/locales.ts'
import { useEndUserQuery } from '../../model/people.ts'
import { useUndoChange } from '../../undo/use-undo-change.ts'
import { Choice } from '../Choice.tsx'
import { Conflict } from '../fields/Conflict.tsx'
import { texts as sideTexts } from '../texts.ts'
import { useFieldEdit } from '../use-field-edit.ts'
import { texts } from './texts.ts'

type FieldProps = { conversation: Conversation; isEditable: boolean }

type Name = 'department_id' | 'category_id' | 'company_id' | 'mailbox_id' | 'language'

type ChooserProps = FieldProps & { name: Name; label: string; options: Option[] }

const none: Option = { value: '', label: '–' }

/** A field of the conversation with a few possible values. Saved when one is chosen. */
function Chooser({ conversation, isEditable, name, label, options }: ChooserProps) {
  const shared = useTexts(sideTexts)
  const { backline } = useEnvironment()
  const undoChange = useUndoChange()
  const { id } = conversation
  const saving = useFieldEdit<Conversation, string | null>({
    object: conversation,
    queryKey: ['conversations', id],
    pointer: `/${name}`,
    valueIn: (each) => each[name],
    read: () => backline.conversations.retrieve(id),
    write: (value, request) =>
      backline.conversations.update(id, { [name]: value } satisfies UpdateConversationBody, request),
    onSaved(before, after) {
      const chosen = all.find((option) => option.value === (after[name] ?? ''))?.label ?? shared.unknown
      undoChange({ title: `${label}: ${chosen}`, before, after })
    },
  })
  const value = conversation[name] ?? ''
  const isKnown = value === '' || options.some((option) => option.value === value)
  const all = [none, ...options, ...(isKnown ? [] : [{ value, label: '…' }])]
  return (
    <>
      <Choice
        label={label}
        value={value}
        options={all}
        isDisabled={!isEditable || saving.isSaving}
        error={saving.fault}
        onSelect={(chosen) => void saving.save(chosen === '' ? null : chosen)}
      />
      {saving.theirs && (
        <Conflict
          now={all.find((option) => option.value === (saving.theirs?.value ?? ''))?.label ?? shared.unknown}
          onOverwrite={() => void saving.overwrite()}
        />
      )}
    </>
  )
}

/** Options for all that is not archived, and for what is chosen already. */
function useOptions(
  items: { id: string; label: string; archived: boolean }[],
  chosen: string | null,
): Option[] {
  const text = useTexts(texts)
  return items
    .filter(({ id, archived }) => !archived || id === chosen)
    .map(({ id, label, archived }) => ({ value: id, label: archived ? text.archived(label) : label }))
}

export function DepartmentField(props: FieldProps) {
  const names = useTexts(fieldTexts)
  const { backline } = useEnvironment()
  const { department_id: chosen } = props.conversation
  const { data = [] } = useDepartments()
  const kept = useKept(['departments'], chosen, data, (id) => backline.departments.retrieve(id))
  const options = useOptions(
    [...data, ...kept].map(({ id, name, archived }) => ({ id, label: name, archived })),
    chosen,
  )
  return <Chooser name="department_id" label={names.department} options={options} {...props} />
}

/** Categories with their path in the tree, in its order. */
export function CategoryField(props: FieldProps) {
  const names = useTexts(fieldTexts)
  const { backline } = useEnvironment()
  const { category_id: chosen } = props.conversation
  const { data = [] } = useCategories()
  const kept = useKept(['categories'], chosen, data, (id) => backline.categories.retrieve(id))
  const options = useOptions(
    [...data, ...kept]
      .map(({ id, path, archived }) => ({ id, label: pathText(path), archived }))
      .toSorted((one, other) => one.label.localeCompare(other.label)),
    chosen,
  )
  return <Chooser name="category_id" label={names.category} options={options} {...props} />
}

/** Lists leave out what is archived; the chosen one is then read by itself. */
function useKept<Item extends { id: string }>(
  path: string[],
  chosen: string | null,
  listed: Item[],
  retrieve: (id: string) => PromiseLike<Item>,
): Item[] {
  const isMissing = chosen !== null && listed.length > 0 && !listed.some(({ id }) => id === chosen)
  const { data } = useQuery({
    queryKey: [...path, chosen],
    queryFn: isMissing ? async () => retrieve(chosen) : skipToken,
  })
  return isMissing && data ? [data] : []
}

/** One of the companies of the person. */
export function CompanyField(props: FieldProps) {
  const names = useTexts(fieldTexts)
  const { backline } = useEnvironment()
  const { end_user_id: endUserId, company_id: chosen } = props.conversation
  const person = useQuery(useEndUserQuery()(endUserId))
  const ids = [...new Set([...(person.data?.company_ids ?? []), ...(chosen === null ? [] : [chosen])])]
  const companies = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['companies', id],
      queryFn: () => backline.companies.retrieve(id),
    })),
  })
  const options = useOptions(
    companies.flatMap(({ data }) =>
      data ? [{ id: data.id, label: data.name, archived: data.archived }] : [],
    ),
    chosen,
  )
  const isEditable = props.isEditable && ids.length > 0
  return (
    <Chooser {...props} name="company_id" label={names.company} options={options} isEditable={isEditable} />
  )
}

/** The mailbox by which answers are sent; with none they are not sent by mail. */
export function MailboxField(props: FieldProps) {
  const names = useTexts(fieldTexts)
  const { data = [] } = useEveryMailbox()
  const options = useOptions(
    data.map(({ id, address, archived }) => ({ id, label: address, archived })),
    props.conversation.mailbox_id,
  )
  return <Chooser name="mailbox_id" label={names.mailbox} options={options} {...props} />
}

export function LanguageField(props: FieldProps) {
  const names = useTexts(fieldTexts)
  const nameOf = useLocaleName()
  const { language: reader } = useLanguage()
  const { language } = props.conversation
  const options = offeredLocales(language ? [language] : [])
    .map((value) => ({ value, label: nameOf(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, reader))
  return <Chooser name="language" label={names.language} options={options} {...props} />
}
