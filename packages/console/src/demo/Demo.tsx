import type { Backline } from '@backline/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useCommands } from '../app/commands.tsx'
import { useEnvironment } from '../data/environment.tsx'
import type { Membership } from '../data/session.ts'
import { Button } from '../design/Button.tsx'
import { Dialog } from '../design/Dialog.tsx'
import { Quiet } from '../design/Layout.tsx'
import { useToast } from '../design/Toast.tsx'
import { reasonOf } from '../texts/faults.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/language.tsx'
import type { Progress } from './fill.ts'
import { texts } from './texts.ts'

/** Offers to fill the test environment, to those who may create its keys. */
export function Demo() {
  const text = useTexts(texts)
  const { name, can, backline, operator } = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const isOffered = name === 'test' && can('api_keys:write')
  useCommands(
    isOffered
      ? [{ name: 'demo', label: text.title, group: text.group, icon: 'bolt', run: () => setOpen(true) }]
      : [],
  )
  return isOffered && <DemoDialog {...{ backline, operator, isOpen }} onClose={() => setOpen(false)} />
}

type DemoDialogProps = {
  /** The API of the test environment. */
  backline: Backline
  /** The operator of the test environment who fills it. */
  operator: Membership['operator']
  isOpen: boolean
  onClose(): void
}

export function DemoDialog({ backline, operator, isOpen, onClose }: DemoDialogProps) {
  const text = useTexts(texts)
  const formats = useFormats()
  const toast = useToast()
  const cache = useQueryClient()
  const stop = useRef<AbortController>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const run = useMutation({
    mutationFn: async () => {
      setProgress(null)
      stop.current = new AbortController()
      const { fillTestEnvironment } = await import('./fill.ts')
      await fillTestEnvironment(backline, operator, stop.current.signal, setProgress)
    },
    onSuccess: () => {
      toast.done({ title: text.done })
      onClose()
    },
    onError: (error) => {
      if (!stop.current?.signal.aborted) toast.failed({ title: text.failed, detail: reasonOf(error) })
    },
    onSettled: () => cache.invalidateQueries(),
  })
  const shown = progress && text.progress(formats.number(progress.done), formats.number(progress.total))
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={text.title}
      actions={
        run.isPending ? (
          <Button onClick={() => stop.current?.abort()}>{text.stop}</Button>
        ) : (
          <Button variant="primary" onClick={() => run.mutate()}>
            {text.start}
          </Button>
        )
      }
    >
      <p>{text.intro}</p>
      {run.isPending && (
        <Quiet as="div" role="status">
          <progress value={progress?.done} max={progress?.total} aria-label={text.title} />
          {shown ?? text.desk}
        </Quiet>
      )}
    </Dialog>
  )
}
