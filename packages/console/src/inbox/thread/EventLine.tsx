import type { Event } from '@backline/sdk'
import { memo, useMemo } from 'react'
import { useDepartmentNames, useHoldReasons, useNames, useOperatorNames } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { words } from '../model/words.ts'
import { actorOf, type Describing, describe } from './describe.ts'
import styles from './Thread.module.css'
import { texts } from './texts.ts'

/** The names and formats for descriptions of events. */
export function useDescribing(): Describing {
  const text = useTexts(texts)
  const word = useTexts(words)
  const { moment } = useFormats()
  const { operator } = useEnvironment()
  const operatorName = useOperatorNames()
  const departmentName = useDepartmentNames()
  const holdReasonName = useNames(useHoldReasons().data)
  return useMemo(
    () => ({ text, word, operatorId: operator.id, operatorName, departmentName, holdReasonName, moment }),
    [text, word, operator.id, operatorName, departmentName, holdReasonName, moment],
  )
}

type EventLineProps = { event: Event; person: string; describing: Describing }

/** One line about a change of the conversation. */
export const EventLine = memo(function EventLine({ event, person, describing }: EventLineProps) {
  const { time, full } = useFormats()
  const what = describe(event, describing)
  const isOfSla = event.type === 'conversation.sla_warning' || event.type === 'conversation.sla_breached'
  return (
    <p className={styles.event} data-type={event.type}>
      <span>
        {!isOfSla && <strong>{actorOf(event, describing, person)}</strong>} {what}
      </span>
      <time dateTime={event.created_at} title={full(event.created_at)}>
        {time(event.created_at)}
      </time>
    </p>
  )
})
