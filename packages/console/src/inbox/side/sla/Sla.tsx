import type { Conversation } from '@backline/sdk'
import { useState } from 'react'
import { useCommands } from '../../../app/commands.tsx'
import { Button } from '../../../design/Button.tsx'
import { Dialog } from '../../../design/Dialog.tsx'
import { Quiet, Row, Stack } from '../../../design/Layout.tsx'
import { ErrorState, Loading } from '../../../design/States.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { Clock } from './Clock.tsx'
import { ClockRow, urgentOf } from './ClockRow.tsx'
import { Legend } from './Legend.tsx'
import styles from './Sla.module.css'
import { SpanTable } from './SpanTable.tsx'
import { texts } from './texts.ts'
import { type ClockName, type Explained, useExplained, useLines } from './use-line.ts'

/** The SLA clocks of the conversation, explained. */
export function Sla({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const { explained, isError, error, refetch } = useExplained(conversation)
  if (isError && !explained) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!explained) return <Loading lines={4} />
  if (!hasClocks(explained)) return <Quiet as="p">{text.noSla}</Quiet>
  return <Clocks conversation={conversation} explained={explained} />
}

const hasClocks = ({ sla }: Explained): boolean =>
  [sla.first_response, sla.next_response, sla.resolution].some((clock) => clock !== null)

function Clocks({ conversation, explained }: { conversation: Conversation; explained: Explained }) {
  const text = useTexts(texts)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const [isOpen, setOpen] = useState(false)
  const lines = useLines(conversation, explained)
  const urgent = urgentOf(lines)?.name
  const [toggled, setToggled] = useState<Partial<Record<ClockName, boolean>>>({})
  const isDrawn = (name: ClockName) => toggled[name] ?? name === urgent
  useCommands([
    { label: text.openDetails, group: text.conversation, icon: 'clock', run: () => setOpen(true) },
  ])
  return (
    <Stack>
      {conversation.sla === null && <Quiet as="p">{text.ended}</Quiet>}
      <div>
        {lines.map((line) => (
          <ClockRow
            key={line.name}
            of={line}
            nowMs={explained.nowMs}
            isOpen={isDrawn(line.name)}
            onToggle={() => setToggled({ ...toggled, [line.name]: !isDrawn(line.name) })}
          />
        ))}
      </div>
      <Legend lines={lines.filter(({ name }) => isDrawn(name))} />
      <Row justify="between">
        <Quiet>{explained.config?.name}</Quiet>
        <Button variant="plain" isSmall onClick={() => setOpen(true)}>
          {text.showDetails}
        </Button>
      </Row>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={text.detailsTitle}
        form="panel"
        width="wide"
        isText
      >
        {lines.map((line) => (
          <Stack key={line.name} gap={3} className={styles.large}>
            <Clock of={line} nowMs={explained.nowMs} />
            <SpanTable of={line} />
          </Stack>
        ))}
        <Legend lines={lines} />
        <Quiet as="p">{text.timeZone(zone)}</Quiet>
      </Dialog>
    </Stack>
  )
}
