import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../errors.ts'
import { firstFailed, hasFailed, type Job, waitForJob } from '../../jobs/watch.ts'
import { withoutFiles } from './attachments.ts'
import { usualLimits, writePart } from './part.ts'
import type { FileResult, SendOptions, Sent } from './send.ts'
import { openSendState, targetOf } from './state.ts'
import { openUploader } from './uploads.ts'

/** Lines of these types begin each later part again: a dry run stores nothing that later lines could refer to. */
const repeated = new Set(['department', 'category', 'tag', 'company', 'kb_collection'])
const mostRepeated = 5_000
const mostShown = 10

export type DryRun = Sent & { types: Record<string, number> }

/** Lets the server judge the lines that it has not received yet, without their files. Nothing is kept. */
export async function sendDry(options: SendOptions): Promise<DryRun> {
  const { access, client, signal, source, onConflict, folder, file, limits = usualLimits } = options
  const place = join(folder, 'sent', await targetOf(access, client))
  mkdirSync(place, { recursive: true, mode: 0o700 })
  const { state } = openSendState(join(place, 'state.json'), access, file)
  const part = join(place, 'dry-run.ndjson.gz')
  const uploader = openUploader(access, options.root, signal)
  const types: Record<string, number> = {}
  const seen: string[] = []
  const [jobs, failed]: [Job[], FileResult[]] = [[], []]
  const totals = { parts: 0, lines: 0, failed: 0, refused_files: 0 }
  for (let [from, line] = [state.position, state.line]; ; ) {
    const head = [...seen]
    const prepare = async (text: string) => {
      const type = typeOf(text)
      types[type] = (types[type] ?? 0) + 1
      if (repeated.has(type) && seen.length < mostRepeated) seen.push(text)
      return { line: withoutFiles(text), files: 0 }
    }
    const made = await writePart(part, { file, from, to: options.to, limits, head, prepare })
    if (!made) return { ...totals, types, jobs, failed_results: failed }
    const filename = `${source}-${from}.ndjson.gz`
    const { file_id, reason } = await uploader.uploadAt(
      part,
      { path: part, filename, content_type: 'application/gzip' },
      randomUUID(),
    )
    rmSync(part, { force: true })
    if (file_id === null)
      throw new CommandError('part_refused', `the server does not take the lines: ${reason}`)
    const body = { file_id, source, dry_run: true, ...(onConflict ? { on_conflict: onConflict } : {}) }
    const { id } = await client.call('POST', '/v1/imports', { body })
    const job = await waitForJob(client, id, signal, options.pollMs)
    if (hasFailed(job))
      throw new CommandError('import_failed', `${id} ${job.status}: ${job.error?.detail ?? 'see the job'}`)
    jobs.push(job)
    if (job.progress.failed > 0 && failed.length < mostShown)
      for (const result of await firstFailed(client, id, mostShown - failed.length))
        failed.push({ ...result, file_line: line + Math.max((result.line ?? 0) - head.length, 0) })
    totals.parts++
    totals.lines += made.lines - head.length
    totals.failed += job.progress.failed
    line += made.lines - head.length
    from = made.to
  }
}

function typeOf(line: string): string {
  try {
    const { type } = JSON.parse(line)
    return typeof type === 'string' ? type : 'unknown'
  } catch {
    return 'unknown'
  }
}
