import type { Job } from '@backline/sdk'
import { type ChangeEvent, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Select, TextField } from '../../design/Field.tsx'
import { Notice, Quiet, Stack } from '../../design/Layout.tsx'
import { FieldRow } from '../../forms/Form.tsx'
import { ProgressBar } from '../../jobs/JobProgress.tsx'
import { JobResults } from '../../jobs/JobResults.tsx'
import { isEnded, useJobs } from '../../jobs/use-job.ts'
import { knownProblem } from '../../texts/faults.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { importTexts } from './import-texts.ts'

type NewImportProps = { onClose(): void; onStarted(job: Job): void }

/** Checks a file by a dry run, and imports it. The file of a job ends with it: it is uploaded for each of them. */
export function NewImport({ onClose, onStarted }: NewImportProps) {
  const text = useTexts(importTexts)
  const { backline } = useEnvironment()
  const [file, setFile] = useState<File | null>(null)
  const [source, setSource] = useState('')
  const [onConflict, setOnConflict] = useState<'skip' | 'update'>('skip')
  const [checked, setChecked] = useState<Job | null>(null)
  const start = useWrite<{ dry_run: boolean }, Job>({
    async run({ dry_run }) {
      const uploaded = await backline.files.upload(file!)
      return backline.imports.start({ file_id: uploaded.id, source, on_conflict: onConflict, dry_run })
    },
    refresh: [['jobs', 'list']],
    failed: text.importFailed,
    fields: ['source', 'on_conflict', 'file_id'],
    onDone: (job) => (job.dry_run ? setChecked(job) : onStarted(job)),
  })
  const [job] = useJobs(checked ? [checked.id] : [])
  const isChecking = checked !== null && !(job && isEnded(job))
  const change = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      setChecked(null)
      set(value)
    }
  }
  return (
    <ActionDialog
      form="panel"
      title={text.newImport}
      action={checked ? text.importNow : text.tryIt}
      isDisabled={start.isPending || isChecking || job?.status === 'failed'}
      onSubmit={() => start.mutate({ dry_run: checked === null })}
      onClose={onClose}
    >
      <TextField
        label={text.file}
        type="file"
        required
        accept=".ndjson,.jsonl,.json,.gz"
        hint={text.fileHint}
        error={start.faults.at('/file_id')}
        onChange={(event: ChangeEvent<HTMLInputElement>) => change(setFile)(event.target.files?.[0] ?? null)}
      />
      <FieldRow>
        <TextField
          label={text.source}
          required
          isCode
          maxLength={50}
          hint={text.sourceHint}
          error={start.faults.at('/source')}
          value={source}
          onChange={(event) => change(setSource)(event.target.value)}
        />
        <Select
          label={text.onConflict}
          options={(['skip', 'update'] as const).map((value) => ({ value, label: text[value] }))}
          value={onConflict}
          onChange={(event) => change(setOnConflict)(event.target.value as 'skip' | 'update')}
        />
      </FieldRow>
      <div aria-live="polite">
        {start.isPending && <Quiet as="p">{text.uploading}</Quiet>}
        {checked && <Check job={job ?? checked} />}
      </div>
    </ActionDialog>
  )
}

/** The outcome of a dry run. */
function Check({ job }: { job: Job }) {
  const text = useTexts(importTexts)
  const { number } = useFormats()
  const { done, failed } = job.progress
  if (!isEnded(job))
    return (
      <Stack>
        <p>{text.checking}</p>
        <ProgressBar {...job.progress} />
      </Stack>
    )
  return (
    <Stack gap={3}>
      {job.error && (
        <Notice tone="bad" icon="warning">
          {knownProblem(job.error.code, job.error.detail)}
        </Notice>
      )}
      <Notice tone={failed > 0 ? 'warn' : 'good'} icon={failed > 0 ? 'warning' : 'check'}>
        <p>{text.wouldImport(done - failed, number(done - failed))}</p>
        {failed > 0 && <p>{text.wouldFail(failed, number(failed))}</p>}
      </Notice>
      {failed > 0 && (
        <>
          <JobResults job={job} isOnlyFailed />
          <Quiet as="p">{text.goesOn}</Quiet>
        </>
      )}
    </Stack>
  )
}
