import type {
  CreateConversationBody,
  CreateEndUserBody,
  CustomFieldValuesInput,
  EndUser,
} from '@backline/sdk'
import { textOrNull } from '../../forms/changes.ts'
import type { channels } from '../../texts/values.ts'

type Channel = (typeof channels)[number]

/** A person who does not exist yet. */
export type NewPerson = { name: string; email: string; externalId: string }

export type Draft = {
  person: EndUser | null
  newPerson: NewPerson | null
  /** The id of a mailbox: then the channel is e-mail. */
  mailboxId: string | null
  channel: Channel
  /** False while the channel is the one that suits the person. */
  isChannelChosen: boolean
  departmentId: string | null
  categoryId: string | null
  subject: string
  body: string
  isMine: boolean
  customFields: CustomFieldValuesInput
}

/** Somebody is called by what was typed to find them. */
export const newPersonOf = (typed: string): NewPerson => ({
  name: typed.includes('@') ? '' : typed,
  email: typed.includes('@') ? typed : '',
  externalId: '',
})

/** Where a mail to the person goes; undefined if it cannot be sent. */
export const addressOf = ({ person, newPerson }: Draft): string | undefined =>
  newPerson ? newPerson.email.trim() || undefined : person?.emails[0]?.address

export const personBody = ({ name, email, externalId }: NewPerson): CreateEndUserBody => ({
  name: textOrNull(name.trim()),
  external_id: textOrNull(externalId.trim()),
  ...(email.trim() !== '' && { emails: [{ address: email.trim() }] }),
})

export const conversationBody = (
  draft: Draft,
  endUserId: string,
  operatorId: string,
): CreateConversationBody => ({
  end_user_id: endUserId,
  initiated_by_side: 'operator',
  channel: draft.mailboxId ? 'email' : draft.channel,
  mailbox_id: draft.mailboxId,
  ...(draft.departmentId && { department_id: draft.departmentId }),
  ...(draft.categoryId && { category_id: draft.categoryId }),
  subject: textOrNull(draft.subject),
  ...(draft.isMine && { assignee_id: operatorId }),
  custom_fields: draft.customFields,
  message: { body: draft.body.trim() },
})
