import type { Release, Semaphore } from '../../../../platform/kernel/semaphore.ts'
import type { Db, RowSource } from '../../../../platform/postgres/database.ts'
import { DatabaseUnavailable } from '../../../../platform/postgres/errors.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { lockTimeoutMs } from '../../../../platform/unit-of-work/locks.ts'
import { findRosters } from './queries.ts'
import { Roster } from './rosters.ts'

declare module '../../../../platform/unit-of-work/context.ts' {
  interface Services {
    rounds: Rounds
  }
}

/** The changes of a round fit in one transaction. */
const maxMembers = 64

type Round = { members: number; release: Release; roster: Promise<Roster | null> }
type Membership = { departmentId: string; round: Round; leave(): void }
type Read = { id: string; roster: Roster }

/**
 * Changes of this process that wait for a department at the same time form a round, because their decisions would
 * conflict: they read its roster once, and decide one after another in memory, each upon the decisions before. The next
 * round begins after all of them have ended.
 */
export class Rounds {
  readonly #locks: Semaphore
  /** The rounds that can be joined, and those that hold their department, by the names of the locks. */
  readonly #open = new Map<string, Round>()
  readonly #begun = new Map<string, Round>()
  readonly #memberships = new WeakMap<Change, Membership>()
  readonly #rosters: RowSource<Read> = {
    one: async (db, tenantId, id) => (await this.#read(db, tenantId, [id]))[0] ?? null,
    many: (db, tenantId, ids) => this.#read(db, tenantId, ids),
  }

  /** @param locks the locks that jobs take as well, each of which holds its department alone */
  constructor(locks: Semaphore) {
    this.#locks = locks
  }

  /**
   * Returns the roster of a department for this change and all others that wait for it now. Null for a change of a
   * batch, and for one in the round of another department, which do not wait: two could deadlock.
   */
  join(change: Change, departmentId: string): Promise<Roster | null> | null {
    const joined = this.#memberships.get(change)
    if (joined?.departmentId === departmentId) return joined.round.roster
    if (joined || !change.mayWait) return null
    change.effects.share(routingOf(departmentId)) // also if it takes nobody, because others have taken them all
    const name = lockOf(change.tenantId, departmentId)
    const round = this.#open.get(name) ?? this.#begin(change, departmentId)
    round.members++
    if (round.members === maxMembers) this.#close(name, round)
    let isMember = true
    const leave = () => {
      if (isMember && --round.members === 0) round.release()
      isMember = false
    }
    this.#memberships.set(change, { departmentId, round, leave })
    change.onEnd(leave)
    return round.roster
  }

  /** Leaves the round before the change ends. */
  leave(change: Change): void {
    this.#memberships.get(change)?.leave()
    this.#memberships.delete(change)
  }

  #begin({ db, tenantId }: Change, departmentId: string): Round {
    const name = lockOf(tenantId, departmentId)
    const round: Round = { members: 0, release: () => undefined, roster: Promise.resolve(null) }
    this.#open.set(name, round)
    const hold = async () => {
      const release = await this.#locks.acquire(name, lockTimeoutMs)
      if (!release) {
        this.#close(name, round)
        throw new DatabaseUnavailable('Too many concurrent decisions wait for one department')
      }
      round.release = release
      this.#begun.set(name, round)
      return (await db.reads.find(this.#rosters, db, tenantId, departmentId))?.roster ?? null
    }
    round.roster = hold()
    return round
  }

  /** Reads the rosters of rounds, and closes these: each change sees all that was committed before it asked. */
  async #read(db: Db, tenantId: string, departmentIds: string[]): Promise<Read[]> {
    const decisions = new Map<string, number>()
    for (const id of departmentIds) {
      const name = lockOf(tenantId, id)
      const round = this.#begun.get(name)!
      this.#begun.delete(name)
      this.#close(name, round)
      decisions.set(id, round.members)
      if (round.members === 0) round.release() // all have failed while they waited
    }
    const queries = [...decisions].map(([departmentId, decisions]) => ({ departmentId, decisions }))
    const rows = await findRosters(db, tenantId, queries)
    return rows.map((row) => ({
      id: row.department_id,
      roster: new Roster(row, decisions.get(row.department_id)!),
    }))
  }

  #close(name: string, round: Round): void {
    if (this.#open.get(name) === round) this.#open.delete(name)
  }
}

/** The name of the decisions about a department: of their lock, and in footprints. */
export const routingOf = (departmentId: string): string => `routing/${departmentId}`

const lockOf = (tenantId: string, departmentId: string) => `${tenantId}/${routingOf(departmentId)}`
