import type { Conversation, Message } from '@backline/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../../data/environment.tsx'
import { useMessages } from '../../model/messages.ts'
import { useEndUserQuery } from '../../model/people.ts'

/** To whom the server sends an answer that names nobody: the end user, and confirmed participants in `Cc`. */
export function useUsualRecipients(conversation: Conversation): { to: string[]; cc: string[] } {
  const { can } = useEnvironment()
  const queryOf = useEndUserQuery()
  const { items } = useMessages(conversation.id)
  const { end_user_id: endUserId, participants } = conversation
  const mayRead = can('end_users:read')
  const person = useQuery(queryOf(mayRead ? endUserId : null)).data
  const confirmed = participants.filter((each) => each.confirmed)
  const people = useQueries({
    queries: confirmed.map(({ end_user_id, address }) =>
      queryOf(mayRead && address === null ? end_user_id : null),
    ),
  })
  const last = items.find(
    ({ author_end_user_id: author, email }) => author !== null && author === endUserId && isInbound(email),
  )
  const to = (last && answerAddress(last)) ?? person?.emails[0]?.address
  const cc = confirmed.map(({ address }, i) => address ?? people[i]?.data?.emails[0]?.address)
  return {
    to: to === undefined ? [] : [to],
    cc: [...new Set(cc)].filter((each): each is string => each !== undefined && each !== to),
  }
}

const isInbound = (email: Message['email']): boolean => email?.direction === 'inbound'

/** The address that a person wrote from; the one that they want answers at, if they are who they say they are. */
function answerAddress({ email }: Message): string | undefined {
  const [proven] = email?.authentication?.basis === 'dmarc' ? email.reply_to : []
  return proven?.address ?? email?.from?.address
}
