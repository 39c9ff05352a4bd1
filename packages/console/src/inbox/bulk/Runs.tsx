import type { Job } from '@backline/sdk'
import { useEffect, useRef, useState } from 'react'
import { useOfferUndo } from '../../app/undo.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Row, Stack, Truncated } from '../../design/Layout.tsx'
import { CancelJob, type Progress, ProgressBar } from '../../jobs/JobProgress.tsx'
import { JobResults } from '../../jobs/JobResults.tsx'
import { isEnded, useJobs } from '../../jobs/use-job.ts'
import { useTexts } from '../../texts/language.tsx'
import { canBeUndone } from '../undo/inverse.ts'
import styles from './Bulk.module.css'
import { type Run, useRuns } from './runs.ts'
import { texts } from './texts.ts'
import { useActionText } from './use-action-text.ts'
import { useUndo } from './use-undo.ts'

/** Runs from before the page was opened are not the last thing that this person has done. */
const openedMs = Date.now()

/** The bulk changes that this person has started: their progress, then their results and the way back. */
export function Runs() {
  const text = useTexts(texts)
  const { runs } = useRuns()
  if (runs.length === 0) return null
  return (
    <Stack as="section" gap={0} className={styles.runs} aria-label={text.bulkChanges}>
      {runs.map((run) => (
        <OneRun key={run.jobIds[0]} run={run} />
      ))}
    </Stack>
  )
}

function OneRun({ run }: { run: Run }) {
  const text = useTexts(texts)
  const { textOfRun } = useActionText()
  const { remove } = useRuns()
  const found = useJobs(run.jobIds)
  const [isResultsOpen, setResultsOpen] = useState(false)
  const undo = useUndo(run)
  const jobs = found.filter((job) => job !== undefined)
  const progress = sumOf(jobs)
  const hasEnded = jobs.length === run.jobIds.length && jobs.every(isEnded)
  const failedJob = jobs.find(({ error }) => error)
  const changed = progress.done - progress.failed
  const offersUndo = hasEnded && !run.isUndo && changed > 0 && run.previewId && canBeUndone(run.actions)
  const offerUndo = useOfferUndo()
  const isFresh = useRef(run.startedMs > openedMs)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Once for each run that ends while somebody looks.
  useEffect(() => {
    if (!offersUndo || !isFresh.current) return
    isFresh.current = false
    offerUndo({ title: textOfRun(run), undo: () => undo.mutate() }, { isToast: false })
  }, [offersUndo])
  const isComplete = jobs.every(({ status }) => status === 'succeeded' || status === 'completed_with_errors')
  return (
    <Stack gap={1} className={styles.run}>
      <Row justify="between">
        <Truncated as="strong">{textOfRun(run)}</Truncated>
        {hasEnded || jobs.length === 0 ? (
          <IconButton icon="close" label={text.dismiss} isSmall onClick={() => remove(run)} />
        ) : (
          <CancelJob jobs={jobs} isSmall />
        )}
      </Row>
      {!hasEnded && <ProgressBar {...progress} />}
      <Row wraps role="status">
        {hasEnded && <span>{isComplete ? text.done(changed) : text.ended(changed)}</span>}
        {failedJob?.error && <span className={styles.fault}>{failedJob.error.detail}</span>}
      </Row>
      {(offersUndo || (hasEnded && progress.failed > 0)) && (
        <Row wraps>
          {progress.failed > 0 && (
            <Button isSmall icon="warning" onClick={() => setResultsOpen(true)}>
              {text.showFailed(progress.failed)}
            </Button>
          )}
          {offersUndo && (
            <Button isSmall icon="history" disabled={undo.isPending} onClick={() => undo.mutate()}>
              {undo.isPending ? text.undoing : text.undo}
            </Button>
          )}
        </Row>
      )}
      {isResultsOpen && (
        <Dialog isOpen title={text.failedTitle} onClose={() => setResultsOpen(false)} isText>
          {jobs
            .filter((job) => job.progress.failed > 0)
            .map((job) => (
              <JobResults key={job.id} job={job} isOnlyFailed onOpen={() => setResultsOpen(false)} />
            ))}
        </Dialog>
      )}
    </Stack>
  )
}

const sumOf = (jobs: Job[]): Progress => ({
  done: jobs.reduce((sum, { progress }) => sum + progress.done, 0),
  failed: jobs.reduce((sum, { progress }) => sum + progress.failed, 0),
  total: jobs.some(({ progress }) => progress.total === null)
    ? null
    : jobs.reduce((sum, { progress }) => sum + progress.total!, 0),
})
