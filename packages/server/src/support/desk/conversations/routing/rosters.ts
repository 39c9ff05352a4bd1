import type { Change } from '../../../../platform/unit-of-work/change.ts'
import type { Assignment } from '../../../team/departments/queries.ts'
import { findRosters, type Member, type RosterRow } from './queries.ts'

/** The operator for a conversation, with the values that the guards check. */
export type Candidate = {
  operator_id: string
  /** The number of available operators. */
  candidates: number
  open_conversations: number
  /** The highest turn of the department before and after this assignment. */
  former: number | null
  turn: number
}

/** The members of a department who are available, after the decisions so far. */
export class Roster {
  readonly assignment: Assignment
  /** The conversation that waits longest; null if none is waiting. */
  readonly oldestWaiting: string | null
  readonly #members: Member[]
  #available: number
  #turn: number | null
  #nextTurn: number
  #hasAssigned = false
  #decisions: number

  /** @param decisions the number of decisions that the members in `row` suffice for */
  constructor(row: RosterRow, decisions: number) {
    this.assignment = row.assignment
    this.oldestWaiting = row.oldest_waiting
    this.#members = row.members
    this.#available = row.available
    this.#turn = row.turn
    this.#nextTurn = row.next_turn
    this.#decisions = decisions
  }

  get isAvailable(): boolean {
    return this.#available > 0
  }

  /** The highest turn that an assignment of this round has taken; null if there is none. */
  get turnTaken(): number | null {
    return this.#hasAssigned ? this.#turn : null
  }

  /** Takes the member who is next in the rotation or has the fewest conversations; null if nobody is available. */
  take(): Candidate | null {
    const available = this.#members.filter(({ room }) => room === null || room > 0)
    const [first] = available.sort((one, other) => this.#compare(one, other))
    if (!first || this.#decisions === 0) return null
    this.#decisions--
    const { operator_id, open_conversations } = first
    const candidates = this.#available
    const former = this.#turn
    const turn = this.#nextTurn++
    this.#turn = turn
    this.#hasAssigned = true
    first.turn = turn
    first.open_conversations++
    if (first.room !== null) first.room--
    if (first.room === 0) this.#available--
    return { operator_id, candidates, open_conversations, former, turn }
  }

  #compare(one: Member, other: Member): number {
    const load =
      this.assignment.strategy === 'least_busy' ? one.open_conversations - other.open_conversations : 0
    return load || one.turn - other.turn || (one.operator_id < other.operator_id ? -1 : 1)
  }
}

/** Reads a roster for one decision; null if the department does not exist. */
export async function readRoster({ db, tenantId }: Change, departmentId: string): Promise<Roster | null> {
  const [row] = await findRosters(db, tenantId, [{ departmentId, decisions: 1 }])
  return row ? new Roster(row, 1) : null
}
