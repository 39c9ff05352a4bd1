import type { BlockEndUserBody, EndUser } from '@backline/sdk'
import { useState } from 'react'
import { useEnvironment } from '../../../data/environment.tsx'
import { useClock } from '../../../data/now.ts'
import { useWrite } from '../../../data/write.ts'
import { ActionDialog } from '../../../design/ActionDialog.tsx'
import { Select, TextArea } from '../../../design/Field.tsx'
import { useToast } from '../../../design/Toast.tsx'
import { DateField } from '../../../forms/DateField.tsx'
import { toLocal } from '../../../forms/local-time.ts'
import { useTexts } from '../../../texts/language.tsx'
import { nameOfEndUser } from '../../model/people.ts'
import { texts as sideTexts } from '../texts.ts'
import { useFresh } from '../use-fresh.ts'
import { texts } from './texts.ts'

const hourMs = 3_600_000
const lengths = { inHour: hourMs, inDay: 24 * hourMs, inWeek: 168 * hourMs, inMonth: 720 * hourMs }
type End = 'never' | keyof typeof lengths | 'atTime'
const ends: End[] = ['never', 'inHour', 'inDay', 'inWeek', 'inMonth', 'atTime']

export function BlockDialog({ person, onClose }: { person: EndUser; onClose(): void }) {
  const clock = useClock()
  const text = useTexts(texts)
  const shared = useTexts(sideTexts)
  const toast = useToast()
  const fresh = useFresh()
  const { backline } = useEnvironment()
  const [reason, setReason] = useState('')
  const [end, setEnd] = useState<End>('never')
  const [time, setTime] = useState('')
  const [isTimeMissing, setTimeMissing] = useState(false)
  const block = useWrite({
    run: (body: BlockEndUserBody) => backline.endUsers.block(person.id, body),
    refresh: [],
    failed: text.notBlocked,
    fields: ['reason', 'until'],
    onDone(result) {
      fresh(['end_users', person.id], result)
      toast.done({ title: text.blockedDone })
      onClose()
    },
  })
  function submit() {
    if (end === 'atTime' && time === '') return setTimeMissing(true)
    block.mutate({ reason: reason.trim() || null, until: untilOf(end, time, clock()) })
  }
  return (
    <ActionDialog
      title={text.blockTitle(nameOfEndUser(person) ?? shared.noName)}
      action={text.blockAction}
      isDangerous
      isDisabled={block.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{text.blockHint}</p>
      <TextArea
        label={text.reason}
        hint={text.reasonHint}
        rows={3}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={block.faults.at('/reason')}
      />
      <Select
        label={text.ends}
        value={end}
        options={ends.map((each) => ({ value: each, label: text[each] }))}
        onChange={(event) => setEnd(event.target.value as End)}
        error={end === 'atTime' ? null : block.faults.at('/until')}
      />
      {end === 'atTime' && (
        <DateField
          label={text.time}
          hasTime
          min={toLocal(clock())}
          value={time}
          onChange={(event) => {
            setTime(event.target.value)
            setTimeMissing(false)
          }}
          error={isTimeMissing ? text.timeMissing : block.faults.at('/until')}
        />
      )}
    </ActionDialog>
  )
}

function untilOf(end: End, time: string, nowMs: number): string | null {
  if (end === 'never') return null
  return new Date(end === 'atTime' ? time : nowMs + lengths[end]).toISOString()
}
