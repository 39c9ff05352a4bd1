import type { Round } from '../../../../platform/kernel/keyed-mutex.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import type { Assignment } from '../../../team/departments/queries.ts'
import { findRosters, type Member, type RosterRow } from './queries.ts'

/*
 * Changes that wait for a department at the same time decide in one round: they read its roster once, and decide one
 * after another in memory, each upon the decisions before. The next round begins after all of them have ended.
 */

/** The operator for a conversation, with the values that the guards check. */
export type Candidate = {
  operator_id: string
  /** The number of available operators. */
  candidates: number
  open_conversations: number
  /** The member's place in the rotation before and after this assignment. */
  turn: number
  next_turn: number
}

/** The members of a department who are available, after the decisions so far. */
export class Roster {
  readonly assignment: Assignment
  /** The conversation that waits longest; null if none is waiting. */
  readonly oldestWaiting: string | null
  readonly #members: Member[]
  #available: number
  #nextTurn: number
  #decisions: number

  /** @param decisions the number of decisions that the members in `row` suffice for */
  constructor(row: RosterRow, decisions: number) {
    this.assignment = row.assignment
    this.oldestWaiting = row.oldest_waiting
    this.#members = row.members
    this.#available = row.available
    this.#nextTurn = row.next_turn
    this.#decisions = decisions
  }

  get isAvailable(): boolean {
    return this.#available > 0
  }

  /** Takes the member who is next in the rotation or has the fewest conversations; null if nobody is available. */
  take(): Candidate | null {
    const available = this.#members.filter(({ room }) => room === null || room > 0)
    const [first] = available.sort((one, other) => this.#compare(one, other))
    if (!first || this.#decisions === 0) return null
    this.#decisions--
    const { operator_id, open_conversations, turn } = first
    const candidates = this.#available
    const next_turn = this.#nextTurn++
    first.turn = next_turn
    first.open_conversations++
    if (first.room !== null) first.room--
    if (first.room === 0) this.#available--
    return { operator_id, candidates, open_conversations, turn, next_turn }
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

const sharedRosters = new WeakMap<Round, Promise<Roster | null>>()

/** Reads the roster that all changes of a round share. */
export function rosterOf(round: Round, change: Change, departmentId: string): Promise<Roster | null> {
  const shared = sharedRosters.get(round) ?? readSoon(round, change, departmentId)
  sharedRosters.set(round, shared)
  return shared
}

type Asked = {
  round: Round
  departmentId: string
  resolve(roster: Roster | null): void
  reject(error: unknown): void
}

/** The rosters that are read next, by database and environment. */
const waiting = new WeakMap<object, Map<string, Asked[]>>()

/**
 * One statement reads all rosters that rounds ask for in one turn of the event loop. Their rounds are closed before, so
 * that each change sees all that was committed before it asked.
 */
function readSoon(round: Round, { db, tenantId }: Change, departmentId: string): Promise<Roster | null> {
  const tenants = waiting.get(db.identity) ?? new Map<string, Asked[]>()
  waiting.set(db.identity, tenants)
  return new Promise((resolve, reject) => {
    const asked = { round, departmentId, resolve, reject }
    const others = tenants.get(tenantId)
    if (others) return others.push(asked)
    const all: Asked[] = [asked]
    tenants.set(tenantId, all)
    setImmediate(() => {
      tenants.delete(tenantId)
      void readTogether(db, tenantId, all)
    })
  })
}

async function readTogether(db: Db, tenantId: string, all: Asked[]): Promise<void> {
  try {
    const queries = all.map(({ round, departmentId }) => ({ departmentId, decisions: round.close() }))
    const rows = await findRosters(db, tenantId, queries)
    const byId = new Map(rows.map((row) => [row.department_id, row]))
    for (const [i, { departmentId, resolve }] of all.entries()) {
      const row = byId.get(departmentId)
      resolve(row ? new Roster(row, queries[i]!.decisions) : null)
    }
  } catch (error) {
    for (const { reject } of all) reject(error)
  }
}
