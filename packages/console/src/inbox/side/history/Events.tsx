import type { Event } from '@backline/sdk'
import { useState } from 'react'
import { When } from '../../../app/Times.tsx'
import { useEnvironment } from '../../../data/environment.tsx'
import { useAll } from '../../../data/lists.ts'
import { Button, IconButton } from '../../../design/Button.tsx'
import { Stack } from '../../../design/Layout.tsx'
import { ErrorState, Loading } from '../../../design/States.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { eventTitles } from '../../events/texts.ts'
import styles from './History.module.css'
import { RawEvent } from './RawEvent.tsx'
import { texts } from './texts.ts'
import { useActor } from './use-actor.ts'
import { useChanges } from './use-changes.ts'

const shownAtFirst = 15

/** The events of the conversation, latest first: who did what, and when. */
export function Events({ conversationId: id }: { conversationId: string }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [isWhole, setWhole] = useState(false)
  const [raw, setRaw] = useState<Event | null>(null)
  const { data, isError, error, refetch } = useAll(['conversations', id, 'events'], () =>
    backline.conversations.timeline.list(id, { limit: 100 }),
  )
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={4} />
  const events = data.toReversed()
  const shown = isWhole ? events : events.slice(0, shownAtFirst)
  return (
    <Stack gap={3}>
      <Stack as="ul" gap={3}>
        {shown.map((event) => (
          <EventOf key={event.id} event={event} onOpen={() => setRaw(event)} />
        ))}
      </Stack>
      {shown.length < events.length && (
        <div>
          <Button variant="plain" onClick={() => setWhole(true)}>
            {text.showAll(events.length)}
          </Button>
        </div>
      )}
      <RawEvent event={raw} onClose={() => setRaw(null)} />
    </Stack>
  )
}

function EventOf({ event, onOpen }: { event: Event; onOpen(): void }) {
  const text = useTexts(texts)
  const { moment } = useFormats()
  const actor = useActor(event.actor)
  const changes = useChanges(event)
  const title = useTitleOf(event)
  return (
    <li className={styles.event}>
      <span>
        <strong>{title}</strong>
        <small>
          {' '}
          · {actor} · <When at={event.created_at} />
        </small>
      </span>
      <IconButton
        icon="code"
        label={`${text.raw}: ${title}, ${moment(event.created_at)}`}
        isSmall
        onClick={onOpen}
      />
      {changes.map(({ name, change }) => (
        <small key={name} className={styles.change}>
          {name}: {change}
        </small>
      ))}
    </li>
  )
}

const isTitled = (type: string): type is keyof typeof eventTitles => type in eventTitles

function useTitleOf({ type, data }: Event): string {
  const { internalNote } = useTexts(texts)
  const titles = useTexts(eventTitles)
  if (type === 'message.created' && 'visibility' in data.object && data.object.visibility === 'internal')
    return internalNote
  return isTitled(type) ? titles[type] : type
}
