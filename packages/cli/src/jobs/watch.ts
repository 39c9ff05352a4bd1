import { pause } from '@backline/sdk/retry.ts'
import type { Client, Json } from '../api/client.ts'
import { itemsOf } from '../api/items.ts'
import { CommandError } from '../errors.ts'
import { openMeter } from '../progress.ts'
import { printable } from '../text.ts'

export type Job = {
  id: string
  type: string
  status: 'queued' | 'running' | 'succeeded' | 'completed_with_errors' | 'failed' | 'cancelled'
  progress: { done: number; total: number | null; failed: number }
  dry_run: boolean
  result: Json
  error: { code: string; detail: string } | null
}

export type FailedResult = {
  line?: number
  index?: number
  id?: string | null
  errors?: { pointer?: string; code: string; detail: string }[]
}

export const hasEnded = ({ status }: Job): boolean => status !== 'queued' && status !== 'running'
export const hasFailed = ({ status }: Job): boolean => status === 'failed' || status === 'cancelled'

/**
 * Reads the job until it has ended, and shows its progress on a terminal.
 * @param pollMs the longest time between two requests: a short job is seen to end at once
 */
export async function waitForJob(
  client: Client,
  id: string,
  signal: AbortSignal,
  pollMs = 1_000,
): Promise<Job> {
  const meter = openMeter()
  try {
    for (let pauseMs = 50; ; pauseMs *= 2) {
      const job: Job = await client.call('GET', `/v1/jobs/${encodeURIComponent(id)}`)
      if (hasEnded(job)) return job
      const { done, total, failed } = job.progress
      const noun =
        failed > 0 ? `done, ${failed} of them failed` : job.status === 'queued' ? 'done, queued' : 'done'
      meter.show(done, total, noun)
      await pause(Math.min(pauseMs, pollMs), signal).catch(() => {
        throw new CommandError('cancelled', `stopped; the job goes on; see jobs watch ${id}`)
      })
    }
  } finally {
    meter.end()
  }
}

/** The first failed results of a job. */
export async function firstFailed(client: Client, id: string, most: number): Promise<FailedResult[]> {
  const found: FailedResult[] = []
  for await (const result of itemsOf(client, `/v1/jobs/${encodeURIComponent(id)}/results?status=failed`)) {
    found.push(result)
    if (found.length === most) break
  }
  return found
}

/** `line 12: /body is required`. @param lineOf the number to show in place of that of a line */
export function describeFailed(
  { line, index, id, errors = [] }: FailedResult,
  lineOf = (n: number) => n,
): string {
  const place =
    line !== undefined ? `line ${lineOf(line)}` : index !== undefined ? `number ${index}` : (id ?? 'a result')
  const faults = errors.map(({ pointer, detail }) => [pointer, detail].filter(Boolean).join(' '))
  return printable(`${place}: ${faults.join('; ') || 'failed'}`)
}
