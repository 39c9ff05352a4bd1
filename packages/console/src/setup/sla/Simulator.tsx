import type { SlaClock, SlaConfig } from '@backline/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Select } from '../../design/Field.tsx'
import { Quiet, Row } from '../../design/Layout.tsx'
import { EmptyState, ErrorState, Loading } from '../../design/States.tsx'
import { patched, without } from '../../forms/changes.ts'
import { DateField } from '../../forms/DateField.tsx'
import { FieldRow, Group } from '../../forms/Form.tsx'
import { toLocal } from '../../forms/local-time.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { priorities } from '../../texts/values.ts'
import styles from './Simulator.module.css'
import { type Course, eventTypes, type Priority, type SimulatedEvent, simulate } from './simulation.ts'
import { Timeline, type TimelineMark } from './Timeline.tsx'
import { texts } from './texts.ts'

const hourMs = 3_600_000

/** The next Friday afternoon, at which business hours matter most. */
function nextFriday(): number {
  const date = new Date()
  date.setDate(date.getDate() + ((5 - date.getDay() + 7) % 7))
  return date.setHours(15, 30, 0, 0)
}

/** Plays an imagined conversation through an SLA, and draws which time counts and when it is due. */
export function Simulator({ config, onClose }: { config: SlaConfig; onClose(): void }) {
  const text = useTexts(texts)
  const { duration, moment } = useFormats()
  const { backline } = useEnvironment()
  const [course, setCourse] = useState<Course>(() => ({
    startMs: nextFriday(),
    priority: 'normal',
    events: [],
  }))
  const { events } = course
  const result = useQuery({
    queryKey: ['sla_configs', config.id, 'simulation', config.version, course],
    queryFn: () => simulate(backline, config, course),
    placeholderData: keepPreviousData,
  })
  const setEvent = (i: number, change: Partial<SimulatedEvent>) =>
    setCourse({ ...course, events: patched(events, i, change) })

  function endOf({ status, due_at, met_at }: SlaClock): string {
    if (met_at && status === 'breached')
      return `${text.met(moment(met_at))}, ${text.late(due_at ? moment(due_at) : '–')}`
    if (met_at) return text.met(moment(met_at))
    if (status === 'cancelled') return text.cancelled
    if (status === 'paused' || !due_at) return text.isPaused
    return text.due(moment(due_at))
  }
  const marksOf = ({ due_at, met_at, status }: SlaClock): TimelineMark[] => [
    ...(due_at && (!met_at || status === 'breached')
      ? [{ atMs: Date.parse(due_at), kind: 'due' as const }]
      : []),
    ...(met_at ? [{ atMs: Date.parse(met_at), kind: 'met' as const }] : []),
  ]

  return (
    <Dialog isOpen onClose={onClose} form="panel" width="wide" title={text.simulatorOf(config.name)}>
      <Quiet as="p">
        {text.simulatorIntro} {text.zoneIs(Intl.DateTimeFormat().resolvedOptions().timeZone)}
      </Quiet>
      <FieldRow>
        <DateField
          label={text.startedAt}
          hasTime
          value={toLocal(course.startMs)}
          onChange={(event) => {
            const startMs = Date.parse(event.target.value)
            if (Number.isFinite(startMs)) setCourse({ ...course, startMs })
          }}
        />
        <Select
          label={text.priority}
          options={priorities.map((value) => ({ value, label: text[value] }))}
          value={course.priority}
          onChange={(event) => setCourse({ ...course, priority: event.target.value as Priority })}
        />
      </FieldRow>
      <Group title={text.events}>
        {events.map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Events have no other identity.
          <div key={i} className={styles.event}>
            <Select
              label={text.event}
              hideLabel
              options={eventTypes.map((value) => ({ value, label: text[value] }))}
              value={event.type}
              onChange={({ target }) => setEvent(i, { type: target.value as SimulatedEvent['type'] })}
            />
            <DateField
              label={text.time}
              hideLabel
              hasTime
              min={toLocal(course.startMs)}
              value={toLocal(event.atMs)}
              onChange={({ target }) => {
                const atMs = Date.parse(target.value)
                if (Number.isFinite(atMs)) setEvent(i, { atMs: Math.max(atMs, course.startMs) })
              }}
            />
            <IconButton
              icon="close"
              label={text.removeEvent}
              onClick={() => setCourse({ ...course, events: without(events, i) })}
            />
          </div>
        ))}
        <div>
          <Button
            icon="plus"
            onClick={() =>
              setCourse({
                ...course,
                events: [
                  ...events,
                  {
                    type: events.length % 2 === 0 ? 'operator_reply' : 'end_user_reply',
                    atMs: Math.max(course.startMs, ...events.map(({ atMs }) => atMs)) + hourMs,
                  },
                ],
              })
            }
          >
            {text.addEvent}
          </Button>
        </div>
      </Group>
      {result.isError ? (
        <ErrorState error={result.error} onRetry={() => void result.refetch()} />
      ) : !result.data ? (
        <Loading />
      ) : result.data.lanes.length === 0 ? (
        <EmptyState icon="clock" title={text.noTargets} />
      ) : (
        <>
          <Timeline
            label={text.picture}
            fromMs={result.data.fromMs}
            toMs={result.data.toMs}
            lanes={[
              {
                name: text.schedule,
                facts: config.schedule ? config.schedule.timezone : text.clockRound,
                ranges: result.data.open,
                marks: events.map(({ atMs }) => ({ atMs, kind: 'event' })),
              },
              ...result.data.lanes.map(({ clock, state, ranges }) => ({
                name: text[clock],
                facts: (
                  <>
                    {endOf(state)}
                    <br />
                    {state.elapsed_seconds > 0
                      ? text.used(duration(state.elapsed_seconds), duration(state.target_seconds))
                      : text.target(duration(state.target_seconds))}
                  </>
                ),
                ranges,
                marks: marksOf(state),
              })),
            ]}
          />
          <Row as="ul" gap={4} wraps className={styles.legend} aria-hidden="true">
            {(['open', 'counted', 'paused'] as const).map((kind) => (
              <Row as="li" key={kind} data-kind={kind}>
                {kind === 'open' ? text.schedule : text[kind]}
              </Row>
            ))}
          </Row>
        </>
      )}
    </Dialog>
  )
}
