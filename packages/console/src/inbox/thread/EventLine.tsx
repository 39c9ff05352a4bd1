import type { Event } from '@backline/sdk'
import { memo } from 'react'
import { useFormats } from '../../texts/formats.ts'
import { actorOf, describeEvent, type EventWording } from '../events/describe-event.ts'
import styles from './Thread.module.css'

type EventLineProps = { event: Event; person: string; wording: EventWording }

/** One line about a change of the conversation. */
export const EventLine = memo(function EventLine({ event, person, wording }: EventLineProps) {
  const { time, moment } = useFormats()
  const what = describeEvent(event, wording)
  const isOfSla = event.type === 'conversation.sla_warning' || event.type === 'conversation.sla_breached'
  return (
    <p className={styles.event} data-type={event.type}>
      <span>
        {!isOfSla && <strong>{actorOf(event, wording, person)}</strong>} {what}
      </span>
      <time dateTime={event.created_at} title={moment(event.created_at)}>
        {time(event.created_at)}
      </time>
    </p>
  )
})
