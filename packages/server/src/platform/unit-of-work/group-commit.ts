import type { Db } from '../postgres/database.ts'
import { DatabaseUnavailable, sqlState, sqlStates } from '../postgres/errors.ts'
import { type Committer, directCommitter, type Written } from './committer.ts'
import { Footprint } from './footprint.ts'
import { takenKeys } from './idempotency-keys.ts'
import type { WritePlan } from './plan.ts'

/*
 * Group commit: changes of one environment that become ready while others are being written share one statement and one
 * transaction. A change never waits for others to join; it is written at once if none is in progress. A statement that
 * fails has written nothing. Changes whose keys are taken are rejected, and the others are written again, so that only
 * the change at fault fails.
 */

/** While one statement waits for the disk flush, the next ones are prepared. More would only make each smaller. */
const maxBeingWritten = 3
/** The maximum number of changes in a statement. More would save little per change and delay all of them. */
const maxTogether = 64
const maxCharacters = 1024 * 1024

type Entry = {
  plans: WritePlan[]
  footprint: Footprint
  characters: number
  readyAt: number
  resolve: (written: Written | null) => void
  reject: (error: unknown) => void
}

type Lane = { beingWritten: number; isDispatching: boolean; waiting: Entry[] }

/** @param onWritten called with the number of changes of each statement that was written */
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
    while (lane.beingWritten < maxBeingWritten && lane.waiting.length > 0) {
      const entries = pick(lane)
      lane.beingWritten++
      void write(entries).then(() => {
        lane.beingWritten--
        if (lane.beingWritten === 0 && lane.waiting.length === 0) lanes.delete(tenantId)
        else dispatchSoon(tenantId, lane)
      })
    }
  }

  /** Never rejects: each entry receives its own result. */
  async function write(entries: Entry[]): Promise<void> {
    try {
      const sentAt = performance.now()
      const written = await direct.commit(entries.flatMap(({ plans }) => plans))
      if (written) onWritten(entries.length)
      for (const { resolve, readyAt } of entries)
        resolve(written && { changes: entries.length, waitedMs: sentAt - readyAt })
    } catch (error) {
      if (entries.length === 1 || !hasWrittenNothing(error)) for (const { reject } of entries) reject(error)
      else await writeRest(entries, error)
    }
  }

  async function writeRest(entries: Entry[], error: unknown): Promise<void> {
    const rest = sqlState(error) === sqlStates.uniqueViolation ? await withoutTaken(entries, error) : entries
    if (rest.length === 0) return
    if (rest.length < entries.length) return write(rest)
    await Promise.all(rest.map((entry) => write([entry])))
  }

  /** Rejects the entries whose keys are already stored, and returns the others. */
  async function withoutTaken(entries: Entry[], error: unknown): Promise<Entry[]> {
    const keys = entries.flatMap(keysOf)
    const taken = await takenKeys(db, entries[0]!.plans[0]!.tenantId, keys).catch(() => new Set<string>())
    return entries.filter((entry) => {
      const isTaken = keysOf(entry).some((key) => taken.has(key))
      if (isTaken) entry.reject(error)
      return !isTaken
    })
  }

  return {
    commit(plans, together) {
      if (!together) return direct.commit(plans)
      const { tenantId } = plans[0]!
      const lane = lanes.get(tenantId) ?? { beingWritten: 0, isDispatching: false, waiting: [] }
      lanes.set(tenantId, lane)
      return new Promise((resolve, reject) => {
        const characters = lengthOf(plans)
        const readyAt = performance.now()
        lane.waiting.push({ plans, footprint: together, characters, readyAt, resolve, reject })
        dispatchSoon(tenantId, lane)
      })
    },
  }
}

/** Takes the oldest entry, and all others that conflict neither with it nor with each other. */
function pick(lane: Lane): Entry[] {
  const touched = new Footprint()
  const together: Entry[] = []
  const rest: Entry[] = []
  let characters = 0
  for (const entry of lane.waiting) {
    const fits = together.length < maxTogether && characters + entry.characters <= maxCharacters
    if (together.length > 0 && (!fits || entry.footprint.conflictsWith(touched))) {
      rest.push(entry)
      continue
    }
    together.push(entry)
    characters += entry.characters
    touched.add(entry.footprint)
  }
  lane.waiting = rest
  return together
}

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

/** True if the database rejected the statement, so that nothing was written. */
const hasWrittenNothing = (error: unknown): boolean =>
  !(error instanceof DatabaseUnavailable) || sqlState(error.cause) === sqlStates.lockNotAvailable
