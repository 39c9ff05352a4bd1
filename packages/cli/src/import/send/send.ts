import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Access } from '../../access/access.ts'
import type { Client } from '../../api/client.ts'
import { CommandError } from '../../errors.ts'
import { type FailedResult, firstFailed, hasFailed, type Job, waitForJob } from '../../jobs/watch.ts'
import { openMeter } from '../../progress.ts'
import { openLines } from '../state.ts'
import { prepared } from './attachments.ts'
import { type PartLimits, usualLimits, writePart } from './part.ts'
import { isUsable, openSendState, type SendState, type Totals, targetOf } from './state.ts'
import { digestOf, openUploader, openUploadLog, type Uploader } from './uploads.ts'

export type SendOptions = {
  access: Access
  client: Client
  signal: AbortSignal
  /** The lines, and where their valid part ends; null for the end of the file. */
  file: string
  to: number | null
  /** The folder in which the attachments lie. */
  root: string
  /** The folder of the state. */
  folder: string
  source: string
  onConflict: 'skip' | 'update' | undefined
  limits?: PartLimits
  pollMs?: number
}

/** Counts of all runs, and the jobs of this one. */
export type Sent = Totals & { jobs: Job[]; failed_results: FileResult[] }
export type FileResult = FailedResult & { file_line: number }

const mostShown = 10

/** Sends the lines that the server has not received yet, part after part, each as one import. */
export async function sendAll(options: SendOptions): Promise<Sent> {
  const { access, client, signal } = options
  const place = join(options.folder, 'sent', await targetOf(access, client))
  mkdirSync(place, { recursive: true, mode: 0o700 })
  const { state, save } = openSendState(join(place, 'state.json'), access, options.file)
  const uploader = openUploader(access, options.root, signal)
  const [jobs, failed]: [Job[], FileResult[]] = [[], []]
  const part = join(place, 'part.ndjson.gz')
  for (;;) {
    if (state.current && !isUsable(state.current, part)) {
      state.current = null
      state.attempt++
    }
    if (!state.current && !(await built(state, part, place, uploader, options))) break
    save()
    const job = await imported(state, part, uploader, options, save)
    const { from, to, lines, lineBefore } = state.current!
    state.current = null
    if (hasFailed(job)) {
      state.attempt++
      save()
      const detail = job.error ? `${job.error.code}: ${job.error.detail}` : 'see the job'
      throw new CommandError(
        'import_failed',
        `${job.id} ${job.status}: ${detail}; run the command again to send its lines anew`,
      )
    }
    jobs.push(job)
    if (job.progress.failed > 0 && failed.length < mostShown)
      for (const result of await firstFailed(client, job.id, mostShown - failed.length))
        failed.push({ ...result, file_line: lineBefore + (result.line ?? 0) })
    state.position = to
    state.line += lines
    state.totals.parts++
    state.totals.lines += lines
    state.totals.failed += job.progress.failed
    save()
    rmSync(join(place, `uploads-${from}.ndjson`), { force: true })
    rmSync(part, { force: true })
  }
  return { ...state.totals, jobs, failed_results: failed }
}

/** Uploads the files of the next lines and writes them as a part. False if there are none. */
async function built(
  state: SendState,
  part: string,
  place: string,
  uploader: Uploader,
  { file, to, limits = usualLimits }: SendOptions,
): Promise<boolean> {
  const log = openUploadLog(join(place, `uploads-${state.position}.ndjson`))
  const refused = openLines(join(place, 'refused.ndjson'), state.refused)
  const meter = openMeter()
  let [count, lines] = [0, state.line]
  try {
    const files = {
      key: `${state.beginning.sha256} ${state.attempt} ${state.position}`,
      uploader,
      log,
      refuse(loss: object) {
        refused.append(loss)
        count++
      },
    }
    const made = await writePart(part, {
      file,
      from: state.position,
      to,
      limits,
      prepare(line) {
        meter.show(++lines, null, 'lines prepared, with their files')
        return prepared(line, files)
      },
    })
    meter.end()
    if (!made) {
      log.remove()
      return false
    }
    refused.sync()
    state.refused = refused.length
    state.totals.refused_files += count
    state.current = { ...made, lineBefore: state.line, builtAt: Date.now(), fileId: null, jobId: null }
    return true
  } finally {
    log.close()
    refused.close()
  }
}

/** Imports the part, from where an earlier run ended, and waits for its job. */
async function imported(
  state: SendState,
  part: string,
  uploader: Uploader,
  { client, source, onConflict, signal, pollMs }: SendOptions,
  save: () => void,
): Promise<Job> {
  const current = state.current!
  const key = digestOf(`${state.attempt} ${current.from} ${current.sha256}`)
  if (current.fileId === null) {
    const file = {
      path: part,
      filename: `${source}-${current.from}.ndjson.gz`,
      content_type: 'application/gzip',
    }
    const { file_id, reason } = await uploader.uploadAt(part, file, `${key} part`)
    if (file_id === null)
      throw new CommandError('part_refused', `the server does not take the lines: ${reason}`)
    current.fileId = file_id
    save()
  }
  if (current.jobId === null) {
    const body = { file_id: current.fileId, source, ...(onConflict ? { on_conflict: onConflict } : {}) }
    const job: Job = await client.call('POST', '/v1/imports', {
      body,
      idempotencyKey: digestOf(`${key} ${JSON.stringify(body)}`),
    })
    current.jobId = job.id
    save()
  }
  return waitForJob(client, current.jobId, signal, pollMs)
}
