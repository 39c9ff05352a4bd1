import { DatabaseUnavailable, sqlState, sqlStates } from '../postgres/errors.ts'
import type { Change } from './change.ts'
import { takenKeys } from './idempotency.ts'
import { type Prepared, statementOf } from './statement.ts'

/*
 * Changes of one environment that are ready while others of it are being written go out together, as one statement and
 * one transaction. None waits for company: with nobody on the way it goes at once. A statement that fails has left
 * nothing: then those whose keys are taken learn of it, and the others are written again, so that only who is to blame
 * fails.
 */

/** While one is flushed to disk, others are put together; more would only be smaller. */
const maxOnTheWay = 3
/** By then a commit's cost is spread so thin that a longer statement only makes everybody wait. */
const maxTogether = 64
const maxCharacters = 1024 * 1024

type Entry = {
  draft: Change
  prepared: Prepared
  key: string | null
  /** What it writes, and what it writes or depends on. */
  own: string[]
  all: string[]
  characters: number
  written: () => void
  failed: (error: unknown) => void
}
type Lane = { onTheWay: number; isDispatching: boolean; waiting: Entry[] }

/** By environment. */
const lanes = new Map<string, Lane>()

/** Writes a change, with others that are ready at the same time. Rejects with what is wrong with this one. */
export function writeTogether(draft: Change, prepared: Prepared): Promise<void> {
  const lane = lanes.get(draft.tenantId) ?? { onTheWay: 0, isDispatching: false, waiting: [] }
  lanes.set(draft.tenantId, lane)
  return new Promise((written, failed) => {
    lane.waiting.push({ ...entryOf(draft, prepared), written, failed })
    dispatchSoon(draft.tenantId, lane)
  })
}

function entryOf(draft: Change, prepared: Prepared): Omit<Entry, 'written' | 'failed'> {
  const { response, events } = prepared
  const key = response && draft.ctx.request!.idempotency!.key
  const besides = [
    ...draft.scheduled.map(({ job, subjectId }) => `due/${job}/${subjectId}`),
    ...(key === null ? [] : [`key/${key}`]),
  ]
  return {
    draft,
    prepared,
    key,
    own: [...draft.written, ...besides],
    all: [...draft.involved, ...besides],
    characters: events.reduce(
      (sum, { object, previous }) => sum + object.length + previous.length,
      response?.body.length ?? 0,
    ),
  }
}

/** Requests that have been read in one turn of the event loop go out together; the turn ends at once when it is one. */
function dispatchSoon(tenantId: string, lane: Lane): void {
  if (lane.isDispatching) return
  lane.isDispatching = true
  setImmediate(() => {
    lane.isDispatching = false
    dispatch(tenantId, lane)
  })
}

function dispatch(tenantId: string, lane: Lane): void {
  while (lane.onTheWay < maxOnTheWay && lane.waiting.length > 0) {
    const together = pick(lane)
    lane.onTheWay++
    void write(together).then(() => {
      lane.onTheWay--
      if (lane.onTheWay === 0 && lane.waiting.length === 0) lanes.delete(tenantId)
      else dispatchSoon(tenantId, lane)
    })
  }
}

/** Takes the first that waits, and with it those that have nothing to do with what it and each other write. */
function pick(lane: Lane): Entry[] {
  const [written, involved] = [new Set<string>(), new Set<string>()]
  const together: Entry[] = []
  const rest: Entry[] = []
  let characters = 0
  for (const entry of lane.waiting) {
    const fits = together.length < maxTogether && characters + entry.characters <= maxCharacters
    const isApart =
      fits && entry.own.every((name) => !involved.has(name)) && entry.all.every((name) => !written.has(name))
    if (together.length > 0 && !isApart) {
      rest.push(entry)
      continue
    }
    together.push(entry)
    characters += entry.characters
    for (const name of entry.own) written.add(name)
    for (const name of entry.all) involved.add(name)
  }
  lane.waiting = rest
  return together
}

/** Never rejects: it tells each what became of it. */
async function write(entries: Entry[]): Promise<void> {
  const { db } = entries[0]!.draft
  try {
    const statement = statementOf(entries.map(({ prepared }) => prepared))
    if (statement) await db.write(statement)
    for (const { written } of entries) written()
  } catch (error) {
    if (entries.length === 1 || !hasLeftNothing(error)) for (const { failed } of entries) failed(error)
    else await writeRest(entries, error)
  }
}

async function writeRest(entries: Entry[], error: unknown): Promise<void> {
  const rest = sqlState(error) === sqlStates.uniqueViolation ? await withoutTaken(entries, error) : entries
  if (rest.length === 0) return
  if (rest.length < entries.length) return write(rest)
  await Promise.all(rest.map((entry) => write([entry])))
}

/** Those whose keys have been stored, by a twin or long ago, need not be tried again. */
async function withoutTaken(entries: Entry[], error: unknown): Promise<Entry[]> {
  const { db, tenantId } = entries[0]!.draft
  const keys = entries.flatMap(({ key }) => (key === null ? [] : [key]))
  const taken = await takenKeys(db, tenantId, keys).catch(() => new Set<string | null>())
  return entries.filter((entry) => {
    if (taken.has(entry.key)) entry.failed(error)
    return !taken.has(entry.key)
  })
}

/** The database is there and has refused it. */
const hasLeftNothing = (error: unknown): boolean =>
  !(error instanceof DatabaseUnavailable) || sqlState(error.cause) === sqlStates.lockNotAvailable
