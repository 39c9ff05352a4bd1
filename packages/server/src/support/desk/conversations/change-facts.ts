import type { Change } from '../../../platform/unit-of-work/change.ts'
import { ChangeFact } from '../../../platform/unit-of-work/change-fact.ts'
import type { Moment } from '../../sla/clocks/clocks.ts'

/* Facts about a change that reactions to conversations need, and that no row stores. */

/** The cause of a change. */
export type Cause = 'action' | 'reply' | 'macro' | 'expiry'

const cause = new ChangeFact<Cause>()
export const causeOf = (change: Change): Cause => cause.read(change) ?? 'action'
export const setCause = (change: Change, value: Cause): void => cause.write(change, value)

/** The facts of an assignment by routing; guards check them when the change is written. */
export type Reservation = {
  department_id: string
  max_open_per_operator: number | null
  /** The highest turn of the department before and after. */
  former: number | null
  turn: number
}
export const reservation = new ChangeFact<Reservation>()

/** The earlier states of a conversation, set when an SLA config first applies to it. */
export const pastMoments = new ChangeFact<Moment[]>()
