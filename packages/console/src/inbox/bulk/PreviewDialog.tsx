import type { Job, MacroActionInput } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useCustomFields } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Notice, Quiet, Stack } from '../../design/Layout.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import { Table } from '../../design/Table.tsx'
import { ProgressBar } from '../../jobs/JobProgress.tsx'
import { ConversationLink } from '../../jobs/JobResults.tsx'
import { refusalText } from '../../jobs/refusals.ts'
import { isEnded, useJob } from '../../jobs/use-job.ts'
import { knownProblem } from '../../texts/faults.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useValueText } from '../model/values.ts'
import styles from './Bulk.module.css'
import { readResults } from './read-results.ts'
import { type ChangeCount, type RefusalCount, type Summary, summaryOf } from './summary.ts'
import { texts } from './texts.ts'

/** So many conversations are counted by value; the jobs of more tell the rest as a number. */
const mostCounted = 2_000

type PreviewDialogProps = {
  /** The dry run. */
  job: Job
  title: string
  actions: MacroActionInput[]
  isBusy: boolean
  onApply(): void
  onClose(): void
}

/** Shows what a bulk change would do, and asks whether to do it. */
export function PreviewDialog({
  job: started,
  title,
  actions,
  isBusy,
  onApply,
  onClose,
}: PreviewDialogProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const job = useJob(started.id).data ?? started
  const hasEnded = isEnded(job)
  const summary = useQuery({
    queryKey: ['jobs', job.id, 'summary'],
    enabled: hasEnded,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      summaryOf(await readResults(backline, job.id, { most: mostCounted, signal })),
  })
  const count = job.progress.done - job.progress.failed
  const closes = actions.some(({ type }) => type === 'close')
  const sends = actions.some(({ type }) => type === 'reply')
  const content = useRef<HTMLDivElement>(null)
  const canApply = summary.isSuccess && count > 0 && !closes
  // Enter does what was looked at. What cannot be undone needs a choice.
  useEffect(() => {
    const action = content.current?.closest('[role=dialog]')?.querySelector('button[type=submit]')
    if (canApply) (action as HTMLElement | null)?.focus()
  }, [canApply])
  const cancel = () => {
    if (!hasEnded) void Promise.resolve(backline.jobs.cancel(job.id)).catch(() => undefined)
    onClose()
  }
  return (
    <ActionDialog
      title={title}
      width="wide"
      action={hasEnded && count > 0 ? (closes ? text.closeTo(count) : text.applyTo(count)) : undefined}
      isDangerous={closes}
      isDisabled={isBusy || !summary.isSuccess}
      onSubmit={onApply}
      onClose={cancel}
    >
      <div ref={content} aria-live="polite" className={styles.preview}>
        {!hasEnded && (
          <>
            <p>{text.checking}</p>
            <ProgressBar {...job.progress} />
          </>
        )}
        {job.error && (
          <Notice tone="bad" icon="warning">
            {knownProblem(job.error.code, job.error.detail)}
          </Notice>
        )}
        {closes && hasEnded && (
          <Notice tone="warn" icon="warning">
            {text.closeWarning}
          </Notice>
        )}
        {sends && hasEnded && count > 0 && (
          <Notice tone="warn" icon="send">
            {text.sends(count)}
          </Notice>
        )}
        {hasEnded && summary.isPending && <Loading lines={4} />}
        {summary.isError && <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />}
        {summary.data && <Preview summary={summary.data} job={job} />}
      </div>
    </ActionDialog>
  )
}

function Preview({ summary, job }: { summary: Summary; job: Job }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { changes, refusals, unchanged, counted } = summary
  const { done, failed } = job.progress
  return (
    <>
      {changes.length > 0 ? (
        <ChangeTable changes={changes} />
      ) : (
        counted > 0 && failed < done && <p>{text.nothingChanges}</p>
      )}
      {unchanged > 0 && changes.length > 0 && <Quiet as="p">{text.unchanged(unchanged)}</Quiet>}
      {failed > 0 && (
        <Notice tone="bad" icon="warning">
          <strong>{text.refused(failed)}</strong>
          <Stack as="ul" gap={1}>
            {refusals.map((refusal) => (
              <Refusal key={JSON.stringify(refusal.error)} refusal={refusal} />
            ))}
          </Stack>
        </Notice>
      )}
      {counted < done && <Quiet as="p">{text.sample(number(counted), number(done))}</Quiet>}
    </>
  )
}

function ChangeTable({ changes }: { changes: ChangeCount[] }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { nameOf, textOf } = useValueText()
  const fields = useCustomFields().data ?? []
  const nameOfField = (field: string) => {
    const [, key] = field.split('custom_fields.')
    return (
      fields.find((each) => each.applies_to === 'conversation' && each.key === key)?.name ?? nameOf(field)
    )
  }
  const isTag = ({ field }: ChangeCount) => field === 'tags'
  return (
    <Table
      caption={text.willChange}
      columns={[
        { name: 'count', label: text.count, cell: ({ count }) => number(count) },
        { name: 'field', label: text.field, cell: ({ field }) => nameOfField(field) },
        {
          name: 'from',
          label: text.from,
          cell: (change) => {
            if (isTag(change)) return change.from === null ? '' : <del>{String(change.from)}</del>
            return <Quiet>{textOf(change.field, change.from)}</Quiet>
          },
        },
        {
          name: 'to',
          label: text.to,
          cell: (change) => {
            if (isTag(change))
              return change.to === null ? (
                <Quiet>{text.removed}</Quiet>
              ) : (
                <strong>+ {String(change.to)}</strong>
              )
            return <strong>{textOf(change.field, change.to)}</strong>
          },
        },
      ]}
      rows={changes}
      keyOf={(change) => JSON.stringify(change)}
    />
  )
}

function Refusal({ refusal: { error, count, ids } }: { refusal: RefusalCount }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const fields = useCustomFields().data ?? []
  const reason = refusalText(error, (key) => fields.find((field) => field.key === key)?.name ?? key)
  return (
    <li>
      <p>
        {number(count)} × {reason}
      </p>
      <Stack as="ul" gap={0}>
        {ids.map((id) => (
          <li key={id}>
            <ConversationLink id={id} />
          </li>
        ))}
      </Stack>
      {count > ids.length && <Quiet>{text.moreOf(count - ids.length)}</Quiet>}
    </li>
  )
}
