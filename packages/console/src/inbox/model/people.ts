import type { Conversation, EndUser } from '@backline/sdk'

type Named = Pick<EndUser, 'name' | 'emails' | 'phones' | 'external_id'>

/** The name, or what else tells who the person is; null for a visitor whom nobody knows. */
export const nameOfEndUser = (person: Named | null | undefined): string | null =>
  person?.name ?? person?.emails[0]?.address ?? person?.phones[0] ?? person?.external_id ?? null

export const nameOfPerson = (conversation: Conversation): string | null =>
  nameOfEndUser(conversation.end_user) ?? conversation.external_user_id
