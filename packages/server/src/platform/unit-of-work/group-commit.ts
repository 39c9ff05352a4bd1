import type { Db } from '../postgres/database.ts'
import { DatabaseUnavailable, isWaitFor, Outdated, sqlState, sqlStates } from '../postgres/errors.ts'
import {
  type Committer,
  directCommitter,
  FailedTransaction,
  type Sharing,
  type Written,
  writeGroups,
} from './committer.ts'
import { Footprint } from './footprint.ts'
import { takenKeys } from './idempotency-keys.ts'
import { outdatedAmong } from './memory.ts'
import type { PlanPart, WritePlan } from './plan.ts'

/*
 * Group commit: changes of one environment that become ready while others are being written share one transaction, and
 * so the flush to disk and the lock on the journal's head. Changes of routes with `sharesStatements` also share one
 * statement. A change never waits for others to join; it is written at once if fewer than two transactions are in
 * progress. A transaction that fails has written nothing. The change at fault is rejected, and the others are written
 * again. Changes that share a counter may have been decided one upon another: they are written together or in order,
 * and after one that fails, the later ones run again.
 */

/** While one transaction waits for the disk flush, the next one is prepared. More would wait for the journal's head. */
const maxBeingWritten = 2
/** The maximum number of changes in a transaction. More would save little per change and delay all of them. */
const maxTogether = 64
/** The maximum number of statements in a transaction. Rows that the first one has locked wait for the last one. */
const maxStatements = 16
const maxCharacters = 1024 * 1024
/** The time after which a change that other changes keep from being written is rejected. */
const patienceMs = 10_000

type Entry = Sharing & {
  plans: WritePlan[]
  characters: number
  readyAt: number
  resolve: (written: Written | null) => void
  reject: (error: unknown) => void
}

type Lane = { beingWritten: Set<Footprint>; isDispatching: boolean; waiting: Entry[] }

/** @param onWritten called with the number of changes of each transaction that was written */
export function groupCommitter(db: Db, onWritten: (changes: number) => void = () => undefined): Committer {
  const direct = directCommitter(db)
  /** Lanes by environment. */
  const lanes = new Map<string, Lane>()

  /** Groups the changes of all requests that are read in one turn of the event loop. */
  function dispatchSoon(tenantId: string, lane: Lane): void {
    if (lane.isDispatching) return
    lane.isDispatching = true
    setImmediate(() => {
      lane.isDispatching = false
      dispatch(tenantId, lane)
    })
  }

  function dispatch(tenantId: string, lane: Lane): void {
    while (lane.beingWritten.size < maxBeingWritten) {
      const { entries, footprint } = pick(lane)
      if (entries.length === 0) return
      lane.beingWritten.add(footprint)
      const written = write(entries).catch((error) => rejectAll(entries, error)) // nobody waits without an end
      void written.then(() => {
        lane.beingWritten.delete(footprint)
        if (lane.beingWritten.size === 0 && lane.waiting.length === 0) lanes.delete(tenantId)
        else dispatchSoon(tenantId, lane)
      })
    }
  }

  /**
   * Never rejects: each entry receives its own result.
   * @param isRepeated true after a transaction of these entries has failed
   * @returns false if the first transaction failed
   */
  async function write(entries: Entry[], isRepeated = false): Promise<boolean> {
    const groups = groupsOf(entries)
    try {
      const sentAt = performance.now()
      const wrote = await writeGroups(
        db,
        groups.map((group) => group.flatMap(({ plans }) => plans)),
      )
      if (wrote) onWritten(entries.length)
      for (const { resolve, readyAt } of entries)
        resolve(wrote ? { changes: entries.length, waitedMs: sentAt - readyAt } : null)
      return true
    } catch (failure) {
      await recover(entries, groups, failure, isRepeated)
      return false
    }
  }

  /** Rejects entries of a failed transaction, or writes them again. */
  async function recover(
    entries: Entry[],
    groups: Entry[][],
    failure: unknown,
    isRepeated: boolean,
  ): Promise<void> {
    const isSent = failure instanceof FailedTransaction
    const error = isSent ? failure.cause : failure
    if (entries.length === 1 || (isSent && (!hasWrittenNothing(error) || isWaitForHead(error))))
      return rejectAll(entries, error)
    const atFault = isSent && failure.group !== null ? groups[failure.group]! : entries
    const others = entries.filter((entry) => !atFault.includes(entry))
    const { together, apart } = await judge(atFault, error)
    const rest = [...others, ...together]
    if (isRepeated) await writeApart([...rest, ...apart])
    else await Promise.all([writeTogether(rest), writeApart(apart)])
  }

  const writeTogether = async (entries: Entry[]) => {
    if (entries.length > 0) await write(entries, true)
  }

  /**
   * Writes each entry alone, few at a time, so that other environments find free connections. Those that share counters
   * are written in order; one whose predecessor has failed was decided upon it, and runs again.
   */
  async function writeApart(entries: Entry[]): Promise<void> {
    const failed = new Footprint()
    const writeSome = async (some: Iterable<Entry>) => {
      for (const entry of some) {
        if (performance.now() - entry.readyAt >= patienceMs)
          entry.reject(new DatabaseUnavailable('Too many concurrent writes to the same rows'))
        else if (entry.footprint.sharesWith(failed)) entry.reject(new Outdated())
        else if (!(await write([entry]))) failed.add(entry.footprint)
      }
    }
    const { true: sharing = [], false: others = [] } = Object.groupBy(entries, ({ footprint }) =>
      footprint.shares.size > 0 ? 'true' : 'false',
    )
    const independent = others.values()
    await Promise.all([writeSome(sharing), writeSome(independent), writeSome(independent)])
  }

  /** Rejects those entries of a failed statement that are at fault. The others are written again, together or apart. */
  async function judge(entries: Entry[], error: unknown): Promise<{ together: Entry[]; apart: Entry[] }> {
    const state = sqlState(error instanceof DatabaseUnavailable ? error.cause : error)
    if (
      entries.length === 1 ||
      (error instanceof DatabaseUnavailable && state !== sqlStates.lockNotAvailable)
    ) {
      rejectAll(entries, error)
      return { together: [], apart: [] }
    }
    const rest =
      state === sqlStates.uniqueViolation
        ? await withoutTaken(entries, error)
        : state === sqlStates.divisionByZero
          ? await withoutOutdated(entries, error)
          : entries
    return rest.length < entries.length ? { together: rest, apart: [] } : { together: [], apart: entries }
  }

  /** Rejects the entries whose keys are already stored, and returns the others. */
  async function withoutTaken(entries: Entry[], error: unknown): Promise<Entry[]> {
    const keys = entries.flatMap(keysOf)
    const { tenantId } = entries[0]!.plans[0]!
    const taken = await takenKeys(db.home(tenantId), tenantId, keys).catch(() => new Set<string>())
    return entries.filter((entry) => {
      const isTaken = keysOf(entry).some((key) => taken.has(key))
      if (isTaken) entry.reject(error)
      return !isTaken
    })
  }

  /** Rejects the entries that were decided upon facts which have changed, and returns the others. */
  async function withoutOutdated(entries: Entry[], error: unknown): Promise<Entry[]> {
    const { tenantId } = entries[0]!.plans[0]!
    const isOutdated = await outdatedAmong(db.home(tenantId), tenantId, entries.flatMap(partsOf)).catch(
      () => () => false,
    )
    const { true: outdated = [], false: others = [] } = Object.groupBy(entries, (entry) =>
      partsOf(entry).some(isOutdated) ? 'true' : 'false',
    )
    rejectAll(outdated, error)
    return others
  }

  return {
    commit(plans, sharing) {
      // Plans without events do not lock the head of the journal.
      if (!sharing || plans.every(({ events }) => events.length === 0)) return direct.commit(plans)
      const { tenantId } = plans[0]!
      const lane = lanes.get(tenantId) ?? { beingWritten: new Set(), isDispatching: false, waiting: [] }
      lanes.set(tenantId, lane)
      return new Promise((resolve, reject) => {
        const characters = lengthOf(plans)
        const readyAt = performance.now()
        lane.waiting.push({ ...sharing, plans, characters, readyAt, resolve, reject })
        dispatchSoon(tenantId, lane)
      })
    },
  }
}

/**
 * Takes the oldest entry, and all others that conflict neither with it nor with each other. None of them conflicts with
 * one that is being written, so that the transactions of a process do not wait for each other's rows, nor with an older
 * one that waits for these.
 */
function pick(lane: Lane): { entries: Entry[]; footprint: Footprint } {
  const footprint = new Footprint()
  const passedOver = new Footprint()
  const entries: Entry[] = []
  const rest: Entry[] = []
  let [characters, statements] = [0, 0]
  for (const entry of lane.waiting) {
    const isFull =
      entries.length === maxTogether ||
      (!entry.byStatement && statements === maxStatements) ||
      (entries.length > 0 && characters + entry.characters > maxCharacters)
    const taken = [footprint, passedOver, ...lane.beingWritten]
    // Two transactions in progress could lock the same counters in different orders, and decisions keep their order.
    const conflicts =
      taken.some((other) => entry.footprint.conflictsWith(other)) ||
      [passedOver, ...lane.beingWritten].some((other) => entry.footprint.sharesWith(other))
    if (isFull || conflicts) {
      passedOver.add(entry.footprint)
      rest.push(entry)
      continue
    }
    entries.push(entry)
    characters += entry.characters
    if (!entry.byStatement) statements++
    footprint.add(entry.footprint)
  }
  lane.waiting = rest
  return { entries, footprint }
}

/**
 * Groups the entries of a transaction by statement. Those that share one come last, since they lock the most rows. The
 * others are in the order of their rows, which transactions of other processes lock in the same order.
 */
function groupsOf(entries: Entry[]): Entry[][] {
  const together = entries.filter(({ byStatement }) => byStatement)
  const alone = entries
    .filter(({ byStatement }) => !byStatement)
    .toSorted((one, other) => (firstRow(one) < firstRow(other) ? -1 : 1))
    .map((entry) => [entry])
  return together.length > 0 ? [...alone, together] : alone
}

/** The name of the first row that an entry changes. */
const firstRow = ({ footprint }: Entry): string =>
  [...footprint.writes].filter((name) => !/^(key|due)\//.test(name)).sort()[0] ?? ''

const partsOf = ({ plans }: Entry): PlanPart[] => plans.flatMap(({ parts }) => parts)

const keysOf = ({ plans }: Entry): string[] => plans.flatMap(({ key }) => (key ? [key.key] : []))

/** The approximate size of plans in characters. */
const lengthOf = (plans: WritePlan[]): number =>
  plans.reduce(
    (sum, { events, key }) =>
      events.reduce(
        (sum, { object, previous }) => sum + object.length + previous.length,
        sum + (key?.response.body.length ?? 0),
      ),
    0,
  )

const rejectAll = (entries: Entry[], error: unknown) => {
  for (const { reject } of entries) reject(error)
}

/**
 * True if PostgreSQL has rejected a statement, so that nothing was written. After a lost connection (class 08) or the
 * end of the session (57P01 and others) that is unknown.
 */
function hasWrittenNothing(error: unknown): boolean {
  const state = sqlState(error instanceof DatabaseUnavailable ? error.cause : error)
  return state !== undefined && !/^(08|57P0)/.test(state)
}

/** True if the head of the journal was locked for too long: writing each change by itself would only wait again. */
const isWaitForHead = (error: unknown) => isWaitFor('journal_heads', error)
