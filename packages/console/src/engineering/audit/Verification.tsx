import type { AuditVerification, Backline } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Copied } from '../../design/Code.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { TextField } from '../../design/Field.tsx'
import { Notice, Quiet } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type Found = {
  checked: number
  result: AuditVerification
  /** True if the chain is right in itself, and does not contain the stored head. */
  isHeadMissing: boolean
}

type State =
  | { is: 'idle' }
  | { is: 'running'; checked: number }
  | ({ is: 'done' } & Found)
  | { is: 'failed'; error: unknown }

/** Verifies the whole log. A long one takes several requests, each of which continues where the last one ended. */
async function verifyAll(
  backline: Backline,
  since: string | undefined,
  signal: AbortSignal,
  onProgress: (checked: number) => void,
): Promise<Found> {
  let after: string | undefined
  for (let checked = 0; ; ) {
    const result = await backline.auditLog.verify({ since, after }, { signal })
    checked += result.entries_checked
    if (result.complete || result.first_fault !== null || result.head === null) {
      if (result.valid || since === undefined) return { checked, result, isHeadMissing: false }
      // A missing head is answered as a fault at the first entry: the chain by itself tells the two apart.
      const alone = await verifyAll(backline, undefined, signal, onProgress)
      return { ...alone, isHeadMissing: alone.result.valid }
    }
    after = result.head
    onProgress(checked)
  }
}

export function Verification({ onClose }: { onClose(): void }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [since, setSince] = useState('')
  const [state, setState] = useState<State>({ is: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const head = useQuery({
    queryKey: ['audit_log', 'head'],
    queryFn: () => backline.auditLog.head(),
    staleTime: 0,
  })
  const isRunning = state.is === 'running'
  const isSinceBad = since !== '' && !/^[0-9a-f]{64}$/.test(since)

  async function start(): Promise<void> {
    const stop = new AbortController()
    running.current = stop
    setState({ is: 'running', checked: 0 })
    try {
      const found = await verifyAll(backline, since || undefined, stop.signal, (checked) =>
        setState({ is: 'running', checked }),
      )
      setState({ is: 'done', ...found })
    } catch (error) {
      setState(stop.signal.aborted ? { is: 'idle' } : { is: 'failed', error })
    }
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.verifyTitle}
      width="wide"
      actions={
        isRunning ? (
          <Button onClick={() => running.current?.abort()}>{text.stop}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{text.close}</Button>
            <Button variant="primary" disabled={isSinceBad} onClick={() => void start()}>
              {text.start}
            </Button>
          </>
        )
      }
    >
      <p>{text.verifyText}</p>
      <Loaded query={head}>
        {({ head: hash, sealed_at: at }) =>
          hash === null ? (
            <p>{text.noHead}</p>
          ) : (
            <>
              <DescriptionList
                items={[
                  [text.head, <Copied key="head" value={hash} what={text.head} />],
                  [text.sealedAt, at === null ? '—' : <When key="at" at={at} />],
                ]}
              />
              <Quiet as="p">{text.headNote}</Quiet>
            </>
          )
        }
      </Loaded>
      <TextField
        label={text.stored}
        hint={text.storedHint}
        value={since}
        disabled={isRunning}
        spellCheck={false}
        error={isSinceBad ? text.storedHint : null}
        onChange={(event) => setSince(event.target.value.trim().toLowerCase())}
      />
      <div role="status">
        <Result state={state} onClose={onClose} />
      </div>
    </Dialog>
  )
}

function Result({ state, onClose }: { state: State; onClose(): void }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  if (state.is === 'idle') return null
  if (state.is === 'running') return <p>{text.checking(number(state.checked))}</p>
  if (state.is === 'failed')
    return (
      <Notice tone="bad" icon="warning">
        <strong>{text.verifyFailed}</strong>
        <p>{reasonOf(state.error)}</p>
      </Notice>
    )
  const { result, checked, isHeadMissing } = state
  if (result.valid && !isHeadMissing)
    return (
      <Notice tone="good" icon="check">
        <strong>{text.valid}</strong>
        <p>{text.validText(number(checked), number(result.unsealed))}</p>
      </Notice>
    )
  const fault = result.first_fault
  return (
    <Notice tone="bad" icon="warning">
      <strong>{text.invalid}</strong>
      <p>{fault === null ? text.noSuchHead : (text[fault.kind] ?? fault.kind)}</p>
      {fault?.entry_id && (
        <Link href={`/audit/${fault.entry_id}`} onClick={onClose}>
          {text.openFault}
        </Link>
      )}
    </Notice>
  )
}
