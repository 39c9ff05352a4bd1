import type { Job, Macro, MacroAction, MacroActionInput, StartBulkBody } from '@backline/sdk'
import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Faults } from '../../data/faults.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { useToast } from '../../design/Toast.tsx'
import { ActionFields } from '../../setup/macros/ActionFields.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { PreviewDialog } from './PreviewDialog.tsx'
import type { Run } from './runs.ts'
import { texts } from './texts.ts'
import { useActionText } from './use-action-text.ts'

/** A single action, with or without fields, or a macro. */
export type Wanted = { action: MacroAction; hasFields: boolean } | { macro: Macro }

export type Target = { selection: StartBulkBody['selection']; count: number }

/** As many are changed without a look at what changes, unless something is refused. */
const mostWithoutPreview = 5

type BulkChangeProps = {
  wanted: Wanted
  target: Target
  onClose(): void
  onStarted(run: Run): void
}

/**
 * Asks for the fields of an action, finds out by a dry run what it changes, and carries it out. The dry run also has
 * the values that an undo needs.
 */
export function BulkChange({ wanted, target, onClose, onStarted }: BulkChangeProps) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const { textOfActions } = useActionText()
  const [action, setAction] = useState('action' in wanted ? wanted.action : null)
  const [dryRun, setDryRun] = useState<Job | null>(null)
  const isAsking = 'action' in wanted && wanted.hasFields
  // Actions are shown with values of any type; requests have those of custom fields.
  const actions = ('macro' in wanted ? wanted.macro.actions : [action!]) as MacroActionInput[]
  const what = 'macro' in wanted ? { macro_id: wanted.macro.id } : { actions }
  const isFinal = actions.some(({ type }) => type === 'close' || type === 'reply')
  const isAtOnce = target.count <= mostWithoutPreview && !isFinal

  const start = useWrite<Job, Job>({
    run: () => backline.bulk.start({ selection: target.selection, ...what }),
    refresh: [['jobs']],
    failed: text.startFailed,
    onDone(job, preview) {
      onStarted({
        jobIds: [job.id],
        previewId: preview.id,
        actions,
        macro: 'macro' in wanted ? wanted.macro.name : null,
        isUndo: false,
        startedMs: Date.now(),
      })
      onClose()
    },
  })
  const check = useWrite<void, Job>({
    async run() {
      const job = await backline.bulk.start({ selection: target.selection, ...what, dry_run: true })
      return isAtOnce ? backline.jobs.wait(job.id) : job
    },
    refresh: [],
    onDone(job) {
      if (isAtOnce && job.status === 'succeeded') start.mutate(job)
      else setDryRun(job)
    },
  })
  const hasBegun = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Begins once, when there is nothing to ask.
  useEffect(() => {
    if (isAsking || hasBegun.current) return
    hasBegun.current = true
    check.mutate(undefined, {
      onError(error) {
        toast.failed({ title: text.dryRunFailed, detail: reasonOf(error) })
        onClose()
      },
    })
  }, [])
  if (dryRun)
    return (
      <PreviewDialog
        job={dryRun}
        title={'macro' in wanted ? text.macroNamed(wanted.macro.name) : textOfActions(actions)}
        actions={actions}
        isBusy={start.isPending}
        onApply={() => start.mutate(dryRun)}
        onClose={onClose}
      />
    )
  if (!isAsking) return null
  const faults = check.error ? Faults.of(check.error) : new Faults()
  const others = check.error && faults.count === 0 ? reasonOf(check.error) : null
  return (
    <ActionDialog
      title={textOfType(textOfActions(actions))}
      action={isAtOnce ? text.applyTo(target.count) : text.show}
      isDisabled={check.isPending || start.isPending}
      onSubmit={() => check.mutate()}
      onClose={onClose}
    >
      {[...(others ? [others] : []), ...faults.outside(['actions/0'])].map((fault) => (
        <p key={fault} role="alert">
          {fault}
        </p>
      ))}
      <ActionFields action={action!} onChange={setAction} faults={faults.within('/actions/0')} />
    </ActionDialog>
  )
}

/** The name of an action without its value. */
const textOfType = (said: string): string => said.split(':')[0]!
