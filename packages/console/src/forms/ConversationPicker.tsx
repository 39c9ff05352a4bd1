import type { Conversation, FilterTree } from '@backline/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { When } from '../app/Times.tsx'
import { useEnvironment } from '../data/environment.tsx'
import { useSettled } from '../data/settled.ts'
import { Button } from '../design/Button.tsx'
import { TextField } from '../design/Field.tsx'
import { FramedList, Quiet, Row, Stack } from '../design/Layout.tsx'
import { useWhenReady } from '../design/when-ready.ts'
import { useTexts } from '../texts/language.tsx'
import styles from './ConversationPicker.module.css'
import { texts } from './texts.ts'

type ConversationPickerProps = {
  chosen: Conversation | null
  onSelect(conversation: Conversation | null): void
  /** The conversations that can be chosen; all by default. */
  filter?: FilterTree | undefined
}

/** Chooses a conversation: one of the latest, or one that a search finds. */
export function ConversationPicker({ chosen, onSelect, filter }: ConversationPickerProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [query, setQuery] = useState('')
  const q = useSettled(query.trim())
  const found = useQuery({
    queryKey: ['conversations', 'list', { q, filter, limit: 6 }],
    queryFn: ({ signal }) =>
      backline.conversations.list({ limit: 6, ...(q && { q }), ...(filter && { filter }) }, { signal }),
    enabled: chosen === null,
    placeholderData: keepPreviousData,
  })
  const choose = (conversation: Conversation | undefined) => {
    enter.cancel()
    if (conversation) onSelect(conversation)
  }
  const isReady = !found.isFetching && q === query.trim()
  const enter = useWhenReady(isReady, () => choose(found.data?.data[0]))
  if (chosen)
    return (
      <Row gap={3} justify="between">
        <strong>{chosen.subject ?? chosen.id}</strong>
        <Button onClick={() => onSelect(null)}>{text.otherConversation}</Button>
      </Row>
    )
  return (
    <Stack>
      <TextField
        label={text.conversation}
        type="search"
        placeholder={text.searchConversations}
        value={query}
        onChange={(event) => {
          enter.cancel()
          setQuery(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          enter.run()
        }}
      />
      <FramedList aria-label={text.conversation} aria-busy={!isReady}>
        {found.data?.data.map((conversation) => (
          <li key={conversation.id}>
            <button type="button" className={styles.found} onClick={() => choose(conversation)}>
              <span>{conversation.subject ?? conversation.id}</span>
              <small>
                <When at={conversation.last_message_at ?? conversation.created_at} />
              </small>
            </button>
          </li>
        ))}
        {found.data?.data.length === 0 && (
          <Quiet as="li" className={styles.none}>
            {text.nothingFound}
          </Quiet>
        )}
      </FramedList>
    </Stack>
  )
}
