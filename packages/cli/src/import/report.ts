import type { Output } from '../command.ts'
import { describeFailed } from '../jobs/watch.ts'
import { counted, printable, table } from '../text.ts'
import { type FetchState, fileNames } from './folder.ts'
import type { DryRun } from './send/dry-run.ts'
import type { Sent } from './send/send.ts'

export type Outcome = {
  source: string
  title: string
  folder: string
  /** Null if nothing was fetched, as for a file of the user. */
  fetched: FetchState | null
  sent: { url: string; result: Sent } | null
  dryRun: { url: string; result: DryRun } | null
}

/** All that was fetched, lost and sent, as the output of the command. */
export function reportOf({ source, title, folder, fetched, sent, dryRun }: Outcome): Output {
  const done = sent ?? dryRun
  return {
    json: {
      object: 'import',
      source,
      folder,
      fetched: fetched?.counts ?? null,
      lost: fetched?.lost ?? null,
      dry_run: dryRun !== null,
      types: dryRun?.result.types ?? null,
      ...(done ? sentJson(done.result) : { sent: null, jobs: [], failed_results: [] }),
    },
    text: [
      ...(fetched
        ? [`From ${title}, in ${printable(folder)}:`, countsOf(fetched.counts), lossesOf(fetched, folder)]
        : []),
      ...(sent ? [sentText(sent.result, sent.url)] : []),
      ...(dryRun ? [dryRunText(dryRun.result, dryRun.url)] : []),
    ]
      .filter(Boolean)
      .join('\n'),
  }
}

const sentJson = ({ parts, lines, failed, refused_files, jobs, failed_results }: Sent) => ({
  sent: { parts, lines, failed, refused_files },
  jobs: jobs.map(({ id, status, progress, result }) => ({ id, status, progress, result })),
  failed_results,
})

const shown = (count: number): string => count.toLocaleString('en')

function countsOf(counts: Record<string, number>): string {
  const rows = Object.entries(counts).map(([type, count]) => [`  ${type}`, shown(count)])
  return rows.length > 0 ? table(rows) : '  nothing'
}

function lossesOf({ lost }: FetchState, folder: string): string {
  const rows = Object.entries(lost).map(([reason, count]) => [`  ${reason}`, shown(count)])
  if (rows.length === 0) return 'Nothing was lost.'
  const total = Object.values(lost).reduce((sum, count) => sum + count, 0)
  return `${counted(total, 'loss').replace(/losss$/, 'losses')}, listed in ${printable(folder)}/${fileNames.losses}:\n${table(rows)}`
}

function sentText({ jobs, ...sent }: Sent, url: string): string {
  const refused =
    sent.refused_files > 0 ? `, ${counted(sent.refused_files, 'file')} refused (sent/*/refused.ndjson)` : ''
  const total = `${shown(sent.lines)} lines in ${counted(sent.parts, 'part')}, ${shown(sent.failed)} failed${refused}`
  if (jobs.length === 0) return `Nothing new to send; ${url} has all of it: ${total}`
  return [
    `Sent to ${url}: ${total}`,
    ...jobs.map(({ id, status }) => `  ${id} ${status}`),
    ...failedOf(sent),
  ].join('\n')
}

function dryRunText({ types, ...run }: DryRun, url: string): string {
  if (run.lines === 0) return `Nothing new to send to ${url}`
  return [
    `A dry run at ${url}: ${shown(run.lines)} lines, ${shown(run.failed)} would fail`,
    countsOf(types),
    ...failedOf(run),
    'Nothing was stored. Run the command without --dry-run to import.',
  ].join('\n')
}

const failedOf = ({ failed_results: results, failed }: Pick<Sent, 'failed_results' | 'failed'>): string[] => [
  ...results.map((result) => `  ${describeFailed(result, () => result.file_line)}`),
  ...(results.length > 0 && failed > results.length ? [`  and ${shown(failed - results.length)} more`] : []),
]
