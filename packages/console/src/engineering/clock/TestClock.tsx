import type { AdvancedTestClock, AdvanceTestClockBody, AuditEntry } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { Instant } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../design/Button.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList, Page, Section } from '../../design/Page.tsx'
import { Table } from '../../design/Table.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { testClockKey, useTestClock } from '../shared/clock.ts'
import { eventIdOf } from '../shared/ids.ts'
import { AdvanceForms } from './AdvanceForms.tsx'
import styles from './TestClock.module.css'
import { texts } from './texts.ts'

const presets = [60, 900, 3_600, 14_400, 86_400, 604_800]
const shownEvents = 100

type Outcome = { clock: AdvancedTestClock; by: number; events: AuditEntry[] }

export function TestClock() {
  const text = useTexts(texts)
  const cache = useQueryClient()
  const { duration } = useFormats()
  const { backline, can, renewSession } = useEnvironment()
  const query = useTestClock()
  const nowMs = useSeconds() + (query.data?.offset_seconds ?? 0) * 1_000
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  async function advance(body: AdvanceTestClockBody): Promise<Outcome> {
    const before = await backline.testClock.retrieve()
    const clock = await backline.testClock.advance(body)
    const from = new Date(Date.parse(before.now) - 1)
    const { data } =
      clock.events_emitted === 0
        ? { data: [] }
        : await backline.auditLog.list({ limit: shownEvents, created_after: from })
    return {
      clock,
      by: clock.offset_seconds - before.offset_seconds,
      events: data.filter(({ actor }) => actor.type === 'system'),
    }
  }
  const {
    mutate: run,
    isPending,
    faults,
  } = useWrite({
    run: advance,
    refresh: [],
    failed: text.failed,
    fields: ['seconds', 'to'],
    onDone(done) {
      setOutcome(done)
      renewSession()
      // Deadlines and states everywhere may have changed.
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== testClockKey[0] })
      cache.setQueryData(testClockKey, { object: 'test_clock', ...timesOf(done.clock) })
    },
  })
  const mayAdvance = can('workspace:write')
  useCommands(
    mayAdvance
      ? presets.map((seconds) => ({
          label: text.by(duration(seconds)),
          group: text.testClock,
          icon: 'clock' as const,
          run: () => run({ seconds }),
        }))
      : [],
  )
  return (
    <Page title={text.testClock} intro={text.intro}>
      <Loaded query={query}>
        {(clock) => (
          <Stack gap={3} className={styles.now}>
            <p className={styles.time}>
              <Instant toSecond at={new Date(nowMs).toISOString()} />
            </p>
            <DescriptionList
              items={[
                [text.ahead, clock.offset_seconds === 0 ? '—' : duration(clock.offset_seconds)],
                [
                  text.inTime,
                  <Instant
                    toSecond
                    key="real"
                    at={new Date(nowMs - clock.offset_seconds * 1_000).toISOString()}
                  />,
                ],
              ]}
            />
          </Stack>
        )}
      </Loaded>
      {mayAdvance && (
        <Section title={text.advance}>
          <Row wraps>
            {presets.map((seconds) => (
              <Button key={seconds} disabled={isPending} onClick={() => run({ seconds })}>
                + {duration(seconds)}
              </Button>
            ))}
          </Row>
          <AdvanceForms isPending={isPending} faults={faults} onAdvance={run} />
          <p role="status">{isPending && text.running}</p>
        </Section>
      )}
      {outcome && (
        <Due
          outcome={outcome}
          onGoOn={() => run({ seconds: outcome.clock.remaining_seconds })}
          isPending={isPending}
        />
      )}
    </Page>
  )
}

const timesOf = ({ now, offset_seconds }: AdvancedTestClock) => ({ now, offset_seconds })

/** The real time in Unix milliseconds, renewed every second. */
function useSeconds(): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

type DueProps = { outcome: Outcome; onGoOn(): void; isPending: boolean }

function Due({ outcome: { clock, by, events }, onGoOn, isPending }: DueProps) {
  const text = useTexts(texts)
  const { duration, number } = useFormats()
  return (
    <Section title={text.result}>
      <p role="status">{text.moved(duration(by), clock.events_emitted)}</p>
      {clock.remaining_seconds > 0 && (
        <Row gap={3} wraps>
          {text.remaining(duration(clock.remaining_seconds))}
          <Button disabled={isPending} onClick={onGoOn}>
            {text.goOn}
          </Button>
        </Row>
      )}
      {events.length > 0 && (
        <Table
          caption={text.result}
          rows={events}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'type',
              label: text.event,
              cell: ({ id, action }) => (
                <Link href={`/events/${eventIdOf(id)}`}>
                  <code>{action}</code>
                </Link>
              ),
            },
            { name: 'resource', label: text.resource, cell: ({ target }) => <code>{target.id}</code> },
            { name: 'time', label: text.time, cell: ({ created_at: at }) => <Instant toSecond at={at} /> },
          ]}
        />
      )}
      {clock.events_emitted > events.length && events.length > 0 && (
        <p>
          {text.some(number(events.length))} <Link href="/events">{text.all}</Link>
        </p>
      )}
    </Section>
  )
}
