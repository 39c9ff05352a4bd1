import type { FieldError } from '../../../platform/kernel/errors.ts'
import { mergePatch } from '../../../platform/kernel/merge-patch.ts'
import type { Holiday, Schedule, Span } from '../clocks/terms.ts'

/** A schedule in a request. */
export type NewSchedule = {
  timezone: string
  weekly: Span[]
  holidays?: (Pick<Holiday, 'date'> & Partial<Holiday>)[]
}

/**
 * Applies a patch to a schedule (RFC 7396) and completes its members.
 * @param tell receives the members that are missing; the result is then unused
 */
export function patchedSchedule(
  before: Schedule | null,
  patch: object | null | undefined,
  tell: (fault: FieldError) => void,
): Schedule | null {
  if (patch === undefined) return before
  if (patch === null) return null
  const merged = mergePatch<NewSchedule>(before, patch)
  const { timezone = '', weekly = [], holidays = [] } = merged
  for (const name of ['timezone', 'weekly'] as const)
    if (merged[name] === undefined)
      tell({ pointer: `/schedule/${name}`, code: 'required', detail: 'is required' })
  return {
    timezone,
    weekly: weekly.map(({ day, from, to }) => ({ day, from, to })),
    holidays: holidays.map(({ date, name = null, yearly = false }) => ({ date, name, yearly })),
  }
}
