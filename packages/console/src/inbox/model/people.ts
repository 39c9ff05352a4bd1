import type { Conversation, EndUser } from '@backline/sdk'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { defineNames, languageOfPage, textsIn } from '../../texts/define.ts'

type Named = Pick<EndUser, 'name' | 'emails' | 'phones' | 'external_id'> & Partial<Pick<EndUser, 'status'>>

const texts = defineNames({ erased: { en: 'Erased person', de: 'Gelöschte Person' } })

/** The name, or what else tells who the person is; null for a visitor whom nobody knows. */
export const nameOfEndUser = (person: Named | null | undefined): string | null =>
  person?.status === 'erased'
    ? textsIn(texts, languageOfPage()).erased
    : (person?.name ?? person?.emails[0]?.address ?? person?.phones[0] ?? person?.external_id ?? null)

export const nameOfPerson = (conversation: Conversation): string | null =>
  nameOfEndUser(conversation.end_user) ?? conversation.external_user_id

/** The query of an end user; nothing is asked without an id. */
export function useEndUserQuery() {
  const { backline } = useEnvironment()
  return (id: string | null) =>
    queryOptions({
      queryKey: ['end_users', id],
      queryFn: id === null ? skipToken : async ({ signal }) => backline.endUsers.retrieve(id, { signal }),
    })
}
