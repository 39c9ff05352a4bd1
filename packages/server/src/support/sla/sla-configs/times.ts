import { type Instant, parseInstant, plusSeconds } from '../../../platform/kernel/clock.ts'
import { type FieldError, invalidBody } from '../../../platform/kernel/errors.ts'
import { Timestamp, type ValueFault, WithCheck } from '../../../platform/resource/schema.ts'

/** The range of a simulation: clocks over a hundred years are fast, over the whole calendar they are not. */
const earliest = '1970-01-01T00:00:00.000Z'
const latest = '2199-12-31T23:59:59.999Z'
const longestSeconds = 100 * 365.25 * 86_400

/** @throws ApiError 422 for a simulation whose times are out of order */
export function refuseImpossibleTimes(
  start: Instant,
  asOf: Instant | null,
  now: Instant,
  events: { at: string }[],
): void {
  const faults = [
    ...(asOf === null ? faultsOfNow(start, now) : faultsOfEnd(start, asOf)),
    ...faultsOfEvents(start, events),
  ]
  if (faults.length > 0) throw invalidBody(...faults)
}

/** The start of a simulation. */
export const StartTime = (notes: { description: string }) => WithCheck(Timestamp(notes), faultsOfStart)

function* faultsOfStart(time: string): Iterable<ValueFault> {
  const start = parseInstant(time)!
  if (start < earliest) yield { code: 'too_small', detail: `must not be before ${earliest}` }
  if (start > latest) yield { code: 'too_large', detail: `must not be after ${latest}` }
}

function* faultsOfEnd(start: Instant, end: Instant): Iterable<FieldError> {
  const pointer = '/as_of'
  if (end < start) yield { pointer, code: 'too_small', detail: 'must not be before started_at' }
  if (end > plusSeconds(start, longestSeconds))
    yield { pointer, code: 'too_large', detail: 'must be at most a hundred years after started_at' }
}

/** The errors of a simulation without `as_of`. */
function* faultsOfNow(start: Instant, now: Instant): Iterable<FieldError> {
  const detail = 'is required unless started_at is within the last hundred years'
  if (now < start || now > plusSeconds(start, longestSeconds))
    yield { pointer: '/as_of', code: 'required', detail }
}

/** Only the first event that is out of order is reported; later ones may be valid. */
function* faultsOfEvents(start: Instant, events: { at: string }[]): Iterable<FieldError> {
  let former = start
  for (const [i, { at }] of events.entries()) {
    const moment = parseInstant(at)!
    if (moment < former) {
      const detail = i === 0 ? 'must not be before started_at' : 'must not be before the previous event'
      return yield { pointer: `/events/${i}/at`, code: 'too_small', detail }
    }
    former = moment
  }
}
