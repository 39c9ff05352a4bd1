import type { BlockEndUserBody, EndUser } from '@backline/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useEnvironment } from '../../../data/environment.tsx'
import { useClock } from '../../../data/now.ts'
import { Button } from '../../../design/Button.tsx'
import { Dialog } from '../../../design/Dialog.tsx'
import { Select, TextArea, TextField } from '../../../design/Field.tsx'
import { useToast } from '../../../design/Toast.tsx'
import { reasonOf } from '../../../texts/faults.ts'
import { useTexts } from '../../../texts/language.tsx'
import { nameOfEndUser } from '../../model/people.ts'
import { faultAt } from '../fault-at.ts'
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
  const formId = useId()
  const toast = useToast()
  const fresh = useFresh()
  const { backline } = useEnvironment()
  const [reason, setReason] = useState('')
  const [end, setEnd] = useState<End>('never')
  const [time, setTime] = useState('')
  const [isTimeMissing, setTimeMissing] = useState(false)
  const block = useMutation({
    mutationFn: async (body: BlockEndUserBody) => backline.endUsers.block(person.id, body),
    onSuccess(result) {
      fresh(['end_users', person.id], result)
      toast.done({ title: text.blockedDone })
      onClose()
    },
    onError(error) {
      if (!faultAt(error, '/reason') && !faultAt(error, '/until'))
        toast.failed({ title: text.notBlocked, detail: reasonOf(error) })
    },
  })
  function submit() {
    if (end === 'atTime' && time === '') return setTimeMissing(true)
    block.mutate({ reason: reason.trim() || null, until: untilOf(end, time, clock()) })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.blockTitle(nameOfEndUser(person) ?? shared.noName)}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="danger" type="submit" form={formId} disabled={block.isPending}>
            {text.blockAction}
          </Button>
        </>
      }
    >
      <p>{text.blockHint}</p>
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextArea
          label={text.reason}
          hint={text.reasonHint}
          rows={3}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          error={faultAt(block.error, '/reason')}
        />
      </form>
      <Select
        label={text.ends}
        value={end}
        options={ends.map((each) => ({ value: each, label: text[each] }))}
        onChange={(event) => setEnd(event.target.value as End)}
        error={end === 'atTime' ? null : faultAt(block.error, '/until')}
      />
      {end === 'atTime' && (
        <TextField
          label={text.time}
          type="datetime-local"
          form={formId}
          value={time}
          onChange={(event) => {
            setTime(event.target.value)
            setTimeMissing(false)
          }}
          error={isTimeMissing ? text.timeMissing : faultAt(block.error, '/until')}
        />
      )}
    </Dialog>
  )
}

function untilOf(end: End, time: string, nowMs: number): string | null {
  if (end === 'never') return null
  return new Date(end === 'atTime' ? time : nowMs + lengths[end]).toISOString()
}
