import type { Conversation } from '@backline/sdk'
import { useState } from 'react'
import { useCommands } from '../../../app/commands.tsx'
import { Button } from '../../../design/Button.tsx'
import { Dialog } from '../../../design/Dialog.tsx'
import { Quiet, Stack } from '../../../design/Layout.tsx'
import { ErrorState, Loading } from '../../../design/States.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { Clock } from './Clock.tsx'
import { Legend } from './Legend.tsx'
import styles from './Sla.module.css'
import { SpanTable } from './SpanTable.tsx'
import { texts } from './texts.ts'
import { type Explained, useExplained, useLines } from './use-line.ts'

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
  useCommands([
    { label: text.openDetails, group: text.conversation, icon: 'clock', run: () => setOpen(true) },
  ])
  return (
    <Stack gap={3}>
      {explained.config && <Quiet as="p">{explained.config.name}</Quiet>}
      {conversation.sla === null && <Quiet as="p">{text.ended}</Quiet>}
      {lines.map((line) => (
        <Clock key={line.name} of={line} nowMs={explained.nowMs} />
      ))}
      <Legend lines={lines} />
      <div>
        <Button icon="list" onClick={() => setOpen(true)}>
          {text.showDetails}
        </Button>
      </div>
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
            <Clock of={line} nowMs={explained.nowMs} size="large" />
            <SpanTable of={line} />
          </Stack>
        ))}
        <Legend lines={lines} />
        <Quiet as="p">{text.timeZone(zone)}</Quiet>
      </Dialog>
    </Stack>
  )
}
