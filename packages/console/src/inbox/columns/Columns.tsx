import type { Conversation } from '@backline/sdk'
import { type ReactNode, useMemo } from 'react'
import { type ColumnName, keyOfColumn } from '../../data/columns.ts'
import {
  nameIn,
  pathText,
  useCategories,
  useCompanies,
  useCustomFields,
  useDepartments,
  useEveryMailbox,
  useEveryOperator,
} from '../../data/configuration.ts'
import { Badge } from '../../design/Badge.tsx'
import { classes } from '../../design/classes.ts'
import { fieldTexts } from '../../texts/fields.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { channelTexts } from '../../texts/values.ts'
import { DueText } from '../model/DueText.tsx'
import { modelTexts, toneOfPriority, toneOfStatus } from '../model/texts.ts'
import type { Value } from '../side/fields/types.ts'
import { useValueTexts } from '../side/fields/value.tsx'
import styles from './Columns.module.css'

type CellProps = { conversation: Conversation; nowMs: number }

const Status = ({ conversation: { status } }: CellProps) => (
  <Badge tone={toneOfStatus[status]}>{useTexts(modelTexts)[status]}</Badge>
)
const Priority = ({ conversation: { priority } }: CellProps) => (
  <Badge tone={toneOfPriority[priority]}>{useTexts(modelTexts)[priority]}</Badge>
)
const Assignee = ({ conversation }: CellProps) => nameIn(useEveryOperator().data, conversation.assignee_id)
const Department = ({ conversation }: CellProps) => nameIn(useDepartments().data, conversation.department_id)
const Category = ({ conversation: { category_id } }: CellProps) =>
  pathText(useCategories().data?.find(({ id }) => id === category_id)?.path ?? [])
const Channel = ({ conversation }: CellProps) => useTexts(channelTexts)[conversation.channel]
const Mailbox = ({ conversation: { mailbox_id } }: CellProps) =>
  useEveryMailbox().data?.find(({ id }) => id === mailbox_id)?.address
const Company = ({ conversation }: CellProps) => nameIn(useCompanies().data, conversation.company_id)
const Count = ({ conversation }: CellProps) => useFormats().number(conversation.message_count)

/** Each asks for the names that it needs, and for no others. */
const cells: Record<ColumnName, (props: CellProps) => ReactNode> = {
  status: Status,
  priority: Priority,
  assignee: Assignee,
  department: Department,
  category: Category,
  tags: ({ conversation }) => conversation.tags.join(', '),
  channel: Channel,
  mailbox: Mailbox,
  company: Company,
  language: ({ conversation }) => conversation.language,
  sla: DueText,
  waiting_since: ({ conversation, nowMs }) => <Since at={conversation.waiting_since} nowMs={nowMs} />,
  last_message_at: ({ conversation, nowMs }) => <Since at={conversation.last_message_at} nowMs={nowMs} />,
  created_at: ({ conversation, nowMs }) => <Since at={conversation.created_at} nowMs={nowMs} />,
  updated_at: ({ conversation, nowMs }) => <Since at={conversation.updated_at} nowMs={nowMs} />,
  message_count: Count,
}

function Since({ at, nowMs }: { at: string | null; nowMs: number }) {
  const { relative, moment } = useFormats()
  return (
    at && (
      <time dateTime={at} title={moment(at)}>
        {relative(at, Math.max(nowMs, Date.parse(at)))}
      </time>
    )
  )
}

function CustomValue({ conversation, column }: CellProps & { column: string }) {
  const describe = useValueTexts()
  const key = keyOfColumn(column)!
  const field = useCustomFields().data?.find((each) => each.applies_to === 'conversation' && each.key === key)
  return field && describe(field, (conversation.custom_fields[key] ?? null) as Value)
}

/** Columns whose values do not tell what they are. */
const isBare = (name: string): boolean => keyOfColumn(name) !== null || /_(at|since|count)$/.test(name)

function useLabels(): (name: string) => string {
  const names: Partial<Record<string, string>> = useTexts(fieldTexts)
  const fields = useCustomFields().data
  return useMemo(() => {
    const custom = new Map(
      fields?.filter(({ applies_to }) => applies_to === 'conversation').map(({ key, name }) => [key, name]),
    )
    return (name) => names[name] ?? custom.get(keyOfColumn(name) ?? '') ?? name
  }, [names, fields])
}

/** The values of a row: one after the other, and in a wide list below the headings. */
export function ColumnCells({ columns, ...props }: CellProps & { columns: string[] }) {
  const labelOf = useLabels()
  return columns.map((column) => {
    const Cell = cells[column as ColumnName]
    return (
      <span key={column} className={styles.cell}>
        <span className={classes(isBare(column) ? styles.label : 'visually-hidden')}>{labelOf(column)} </span>
        <span className={styles.value}>
          {Cell ? <Cell {...props} /> : <CustomValue {...props} column={column} />}
        </span>
      </span>
    )
  })
}

/** The headings of a wide list. Rows say themselves what their values are. */
export function ColumnHeadings({ columns }: { columns: string[] }) {
  const labelOf = useLabels()
  return (
    <div aria-hidden="true" className={styles.headings}>
      <div>
        {columns.map((column) => (
          <span key={column}>{labelOf(column)}</span>
        ))}
      </div>
    </div>
  )
}
