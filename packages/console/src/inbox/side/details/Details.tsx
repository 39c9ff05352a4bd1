import type { Conversation } from '@backline/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { When } from '../../../app/Times.tsx'
import { useEveryMailbox } from '../../../data/configuration.ts'
import { useEnvironment } from '../../../data/environment.tsx'
import { Copied } from '../../../design/Code.tsx'
import { Quiet, Stack } from '../../../design/Layout.tsx'
import { DescriptionList } from '../../../design/Page.tsx'
import { fieldTexts } from '../../../texts/fields.ts'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { channelTexts, waitingOnTexts } from '../../../texts/values.ts'
import { useUndoChange } from '../../undo/use-undo-change.ts'
import { CustomFields } from '../fields/CustomFields.tsx'
import { texts as sideTexts } from '../texts.ts'
import { useConversationHref } from '../use-conversation-href.ts'
import { CategoryField, CompanyField, DepartmentField, LanguageField, MailboxField } from './choices.tsx'
import styles from './Details.module.css'
import { texts } from './texts.ts'

/** The fields of the conversation. Those that can be changed are controls. */
export function Details({ conversation }: { conversation: Conversation }) {
  const shared = useTexts(sideTexts)
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const undoChange = useUndoChange()
  const { id, status, metadata } = conversation
  const isClosed = status === 'closed'
  const isEditable = can('conversations:write') && !isClosed
  return (
    <Stack gap={3}>
      <div className={styles.facts}>
        <DescriptionList items={useFacts(conversation, isEditable)} />
      </div>
      <CustomFields
        appliesTo="conversation"
        object={conversation}
        queryKey={['conversations', id]}
        isEditable={isEditable}
        read={() => backline.conversations.retrieve(id)}
        write={(custom_fields, options) => backline.conversations.update(id, { custom_fields }, options)}
        onSaved={({ name }, before, after) => undoChange({ title: text.fieldChanged(name), before, after })}
      />
      <Metadata metadata={metadata} />
      <Origin conversation={conversation} />
      {isClosed && <Quiet as="p">{shared.closedHint}</Quiet>}
    </Stack>
  )
}

/** Where the conversation comes from, for those who look for it: small, and below what is worked with. */
function Origin({ conversation: { id, channel, created_at } }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const channels = useTexts(channelTexts)
  const { moment } = useFormats()
  return (
    <Stack as="small" gap={0}>
      <time dateTime={created_at}>{text.startedBy(moment(created_at), channels[channel] ?? channel)}</time>
      <Copied value={id} what={text.id} />
    </Stack>
  )
}

function useFacts(conversation: Conversation, isEditable: boolean): [string, ReactNode][] {
  const text = useTexts(texts)
  const names = useTexts(fieldTexts)
  const sides = useTexts(waitingOnTexts)
  const { can } = useEnvironment()
  const { moment } = useFormats()
  const { waiting_on, waiting_since, external_id, mailbox_id, assignment } = conversation
  const { follow_up_of_id: followed, merged_into_id: merged } = conversation
  const { data: mailboxes = [] } = useEveryMailbox()
  const field = { conversation, isEditable }
  const facts: ([string, ReactNode] | false | null)[] = [
    waiting_on && [
      names.waiting_on,
      <span key="waiting">
        {sides[waiting_on] ?? waiting_on}
        {waiting_since && (
          <small>
            {' · '}
            <When at={waiting_since} />
          </small>
        )}
      </span>,
    ],
    can('departments:read') && [names.department, <DepartmentField key="department" {...field} />],
    can('categories:read') && [names.category, <CategoryField key="category" {...field} />],
    can('companies:read') &&
      can('end_users:read') && [names.company, <CompanyField key="company" {...field} />],
    (mailbox_id !== null || mailboxes.length > 0) && [
      names.mailbox,
      <MailboxField key="mailbox" {...field} />,
    ],
    [names.language, <LanguageField key="language" {...field} />],
    assignment &&
      assignment.strategy !== 'manual' && [
        text.assignment,
        <span key="assignment" title={moment(assignment.at)}>
          {text[assignment.strategy] ?? assignment.strategy}
          <small> · {assignment.reason}</small>
        </span>,
      ],
    external_id !== null && [
      names.external_id,
      <Copied key="external" value={external_id} what={names.external_id} />,
    ],
    followed !== null && [text.followUpOf, <ToConversation key="followed" id={followed} />],
    merged !== null && [text.mergedInto, <ToConversation key="merged" id={merged} />],
  ]
  return facts.filter((fact): fact is [string, ReactNode] => Boolean(fact))
}

function ToConversation({ id }: { id: string }) {
  const text = useTexts(texts)
  const hrefOf = useConversationHref()
  return (
    <Link href={hrefOf(id)} title={id}>
      {text.theConversation}
    </Link>
  )
}

export function Metadata({ metadata }: { metadata: Record<string, string> }) {
  const text = useTexts(texts)
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <Stack as="section" className={styles.metadata} aria-label={text.metadata}>
      <h3>{text.metadata}</h3>
      <DescriptionList
        items={entries.map(([name, value]) => [name, <Copied key={name} value={value} what={name} />])}
      />
    </Stack>
  )
}
