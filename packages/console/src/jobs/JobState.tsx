import type { Job } from '@backline/sdk'
import { Badge, type Tone } from '../design/Badge.tsx'
import { Row } from '../design/Layout.tsx'
import { useTexts } from '../texts/language.tsx'
import { ProgressBar } from './JobProgress.tsx'
import { texts } from './texts.ts'
import { isEnded, useJob } from './use-job.ts'

const tones: Record<Job['status'], Tone> = {
  queued: 'neutral',
  running: 'info',
  succeeded: 'good',
  completed_with_errors: 'warn',
  failed: 'bad',
  cancelled: 'neutral',
}

export function JobStatus({ job }: { job: Job }) {
  const text = useTexts(texts)
  const { status } = job
  return (
    <Badge tone={tones[status] ?? 'neutral'}>
      {status === 'failed' ? text.failedStatus : (text[status] ?? status)}
    </Badge>
  )
}

export function JobType({ job }: { job: Job }) {
  const text = useTexts(texts)
  return (
    <Row gap={1}>
      {text[job.type] ?? job.type}
      {job.dry_run && <Badge>{text.preview}</Badge>}
    </Row>
  )
}

/** The status of a job of a list, and its progress while it runs. */
export function LiveState({ job: listed }: { job: Job }) {
  const job = useJob(listed.id, listed).data ?? listed
  return isEnded(job) || job.status === 'queued' ? <JobStatus job={job} /> : <ProgressBar {...job.progress} />
}
