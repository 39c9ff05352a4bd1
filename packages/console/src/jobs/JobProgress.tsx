import type { Job } from '@backline/sdk'
import { useEnvironment } from '../data/environment.tsx'
import { useWrite } from '../data/write.ts'
import { Button } from '../design/Button.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/language.tsx'
import styles from './Jobs.module.css'
import { texts } from './texts.ts'
import { isEnded } from './use-job.ts'

export type Progress = Job['progress']

/** A bar, and how many are done of how many. */
export function ProgressBar({ done, total, failed }: Progress) {
  const text = useTexts(texts)
  const { number } = useFormats()
  return (
    <div className={styles.progress}>
      <progress aria-label={text.progress} max={total ?? 1} value={total === null ? undefined : done} />
      <small>
        {total === null ? text.doneSoFar(number(done)) : text.doneOf(number(done), number(total))}
        {failed > 0 && ` · ${text.failures(failed)}`}
      </small>
    </div>
  )
}

/** Ends jobs before their work is done. */
export function CancelJob({ jobs, isSmall = false }: { jobs: Job[]; isSmall?: boolean }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const running = jobs.filter((job) => !isEnded(job))
  const cancel = useWrite({
    run: () => Promise.all(running.map(({ id }) => backline.jobs.cancel(id))),
    refresh: [['jobs']],
    failed: text.cancelFailed,
  })
  return (
    running.length > 0 && (
      <Button isSmall={isSmall} disabled={cancel.isPending} onClick={() => cancel.mutate()}>
        {text.cancel}
      </Button>
    )
  )
}
