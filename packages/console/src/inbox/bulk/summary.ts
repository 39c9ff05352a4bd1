import type { JobResult } from '@backline/sdk'
import { derivedFields } from '../model/derived.ts'
import { type Changes, changesIn } from '../undo/inverse.ts'

/** One change of one field, and of how many conversations. For tags, either `from` or `to` is one tag. */
export type ChangeCount = { field: string; from: unknown; to: unknown; count: number }
export type RefusalCount = { error: JobResult['errors'][number]; count: number; ids: string[] }
export type Summary = {
  changes: ChangeCount[]
  refusals: RefusalCount[]
  /** The number of conversations that would be changed. */
  changed: number
  /** The number of those that have all values already. */
  unchanged: number
  /** The number of results that were counted. */
  counted: number
}

const mostIds = 5

/** The changes of a dry run, counted by field and value. */
export function summaryOf(results: JobResult[]): Summary {
  const changes = new Map<string, ChangeCount>()
  const refusals = new Map<string, RefusalCount>()
  let changed = 0
  let unchanged = 0
  for (const result of results) {
    if (result.status === 'failed') {
      for (const error of result.errors.slice(0, 1)) countRefusal(refusals, error, result.id)
      continue
    }
    const steps = [...stepsOf(changesIn(result))]
    if (steps.length > 0) changed++
    else unchanged++
    for (const step of steps) {
      const key = JSON.stringify(step)
      const counted = changes.get(key) ?? { ...step, count: 0 }
      counted.count++
      changes.set(key, counted)
    }
  }
  const byCount = (a: { count: number }, b: { count: number }) => b.count - a.count
  return {
    changes: [...changes.values()].sort((a, b) => a.field.localeCompare(b.field) || byCount(a, b)),
    refusals: [...refusals.values()].sort(byCount),
    changed,
    unchanged,
    counted: results.length,
  }
}

/** A hold without its times, which differ. */
const reasonOf = (hold: unknown) =>
  hold === null ? null : { hold_reason_id: (hold as { hold_reason_id: string }).hold_reason_id }

function* stepsOf(changes: Changes): Iterable<Omit<ChangeCount, 'count'>> {
  for (const [field, { from, to }] of Object.entries(changes)) {
    if (derivedFields.has(field) || field === 'waiting_on') continue
    if (field === 'hold') {
      yield { field, from: reasonOf(from), to: reasonOf(to) }
      continue
    }
    if (field !== 'tags') {
      yield { field, from, to }
      continue
    }
    const [before, after] = [from as string[], to as string[]]
    for (const tag of after) if (!before.includes(tag)) yield { field, from: null, to: tag }
    for (const tag of before) if (!after.includes(tag)) yield { field, from: tag, to: null }
  }
}

function countRefusal(
  refusals: Map<string, RefusalCount>,
  error: RefusalCount['error'],
  id: string | null,
): void {
  const key = JSON.stringify(error)
  const counted = refusals.get(key) ?? { error, count: 0, ids: [] }
  counted.count++
  if (id !== null && counted.ids.length < mostIds) counted.ids.push(id)
  refusals.set(key, counted)
}
