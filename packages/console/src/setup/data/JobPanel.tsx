import type { Job } from '@backline/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Instant } from '../../app/Times.tsx'
import { Copied, Json } from '../../design/Code.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Notice, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { CancelJob, ProgressBar } from '../../jobs/JobProgress.tsx'
import { JobResults } from '../../jobs/JobResults.tsx'
import { JobStatus, JobType } from '../../jobs/JobState.tsx'
import { StartedBy } from '../../jobs/StartedBy.tsx'
import { texts as jobTexts } from '../../jobs/texts.ts'
import { isEnded, useJob } from '../../jobs/use-job.ts'
import { knownProblem } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { ExportResult, FileResult } from './ExportResult.tsx'
import { texts } from './texts.ts'

/** A job at the side of the page: its progress, what it made, and the result of each object or line. */
export function JobPanel({ id, onClose }: { id: string; onClose(): void }) {
  const text = useTexts(texts)
  const named = useTexts(jobTexts)
  const query = useJob(id)
  const { data: job } = query
  return (
    <Dialog
      isOpen
      form="panel"
      title={job ? (named[job.type] ?? job.type) : text.job}
      onClose={onClose}
      isText
      actions={job && !isEnded(job) && <CancelJob jobs={[job]} />}
    >
      <Loaded query={query}>{(loaded) => <Details job={loaded} />}</Loaded>
    </Dialog>
  )
}

function Details({ job }: { job: Job }) {
  const text = useTexts(texts)
  const facts: [string, ReactNode][] = [
    [text.type, <JobType key="type" job={job} />],
    [text.status, <JobStatus key="status" job={job} />],
    [text.startedBy, <StartedBy key="by" id={job.id} />],
    [text.created, <Instant key="created" at={job.created_at} />],
    ...(job.ended_at ? [[text.ended, <Instant key="ended" at={job.ended_at} />] as [string, ReactNode]] : []),
    ...(job.expires_at
      ? [[text.expires, <Instant key="expires" at={job.expires_at} />] as [string, ReactNode]]
      : []),
    [text.id, <Copied key="id" value={job.id} what={text.id} />],
  ]
  return (
    <Stack gap={4}>
      <div aria-live="polite">
        <ProgressBar {...job.progress} />
      </div>
      {job.error && (
        <Notice tone="bad" icon="warning" role="alert">
          {knownProblem(job.error.code, job.error.detail)}
        </Notice>
      )}
      <DescriptionList items={facts} />
      {job.type === 'export' && job.result && <ExportResult job={job} />}
      {job.type !== 'export' && job.result && (
        <Section title={text.made}>
          {typeof job.result.file_id === 'string' && <FileResult fileId={job.result.file_id} />}
          {typeof job.result.erasure_id === 'string' && (
            <Link href={`/erasures/${job.result.erasure_id}`}>{text.certificate}</Link>
          )}
          <Json label={text.made} value={job.result} />
        </Section>
      )}
      {job.type !== 'export' && job.progress.done > 0 && (
        <Section title={text.results}>
          <JobResults job={job} />
        </Section>
      )}
      <Section title={text.params}>
        <Json label={text.params} value={job.params} />
      </Section>
    </Stack>
  )
}

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack as="section">
    <h3>{title}</h3>
    {children}
  </Stack>
)
