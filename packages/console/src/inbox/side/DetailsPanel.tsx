import type { Conversation, Event } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { isStored, useLiveEvents } from '../../data/live.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './DetailsPanel.module.css'
import { Details } from './details/Details.tsx'
import { Events } from './history/Events.tsx'
import { Holds } from './history/Holds.tsx'
import { OtherConversations } from './history/OtherConversations.tsx'
import { Participants } from './participants/Participants.tsx'
import { Person } from './person/Person.tsx'
import { Section } from './Section.tsx'
import { Sla } from './sla/Sla.tsx'
import { texts } from './texts.ts'

/** Everything about a conversation but its messages. */
export function DetailsPanel({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  useRefresh(conversation)
  const { id, end_user_id: endUserId, participant_ids: participantIds } = conversation
  const isPersonShown = endUserId !== null && can('end_users:read')
  return (
    <div key={id} className={styles.side}>
      {isPersonShown && (
        <Section name="person" title={text.endUser}>
          <Person endUserId={endUserId} companyId={conversation.company_id} />
        </Section>
      )}
      <Section name="sla" title={text.sla}>
        <Sla conversation={conversation} />
      </Section>
      <Section name="details" title={text.details}>
        <Details conversation={conversation} />
      </Section>
      {can('end_users:read') && (
        <Section name="participants" title={text.participants} note={participantIds.length || null}>
          <Participants conversation={conversation} />
        </Section>
      )}
      {endUserId !== null && (
        <Section name="history" title={text.history}>
          <OtherConversations conversationId={id} endUserId={endUserId} />
        </Section>
      )}
      <Section name="holds" title={text.holds} isOpenAtFirst={false}>
        <Holds conversation={conversation} />
      </Section>
      <Section name="events" title={text.events} isOpenAtFirst={false}>
        <Events conversationId={id} />
      </Section>
    </div>
  )
}

/** Reads again what an event of the stream has changed. */
function useRefresh({ id, end_user_id: endUserId, participant_ids: participantIds }: Conversation): void {
  const cache = useQueryClient()
  const refresh = (...queryKeys: string[][]) =>
    queryKeys.forEach((queryKey) => void cache.invalidateQueries({ queryKey }))
  useLiveEvents((event) => {
    if (!isStored(event)) return
    const { type, id: changed } = event.resource
    if (type === 'end_user' && (changed === endUserId || participantIds.includes(changed)))
      refresh(['end_users', changed])
    if (type === 'company') refresh(['companies', changed])
    if (type === 'sla_config') refresh(['sla_configs', changed])
    if (conversationOf(event) === id)
      refresh(['conversations', id, 'sla'], ['conversations', id, 'holds'], ['conversations', id, 'events'])
    else if (type === 'conversation' && 'end_user_id' in event.data.object) {
      if (event.data.object.end_user_id === endUserId) refresh(['conversations', 'of', endUserId ?? ''])
    }
  })
}

/** The conversation that an event is about, itself or through one of its messages. */
function conversationOf(event: Event): string | null {
  if (event.resource.type === 'conversation') return event.resource.id
  const { object } = event.data
  return 'conversation_id' in object && typeof object.conversation_id === 'string'
    ? object.conversation_id
    : null
}
