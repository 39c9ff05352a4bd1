import type { Change } from './change.ts'
import { DatabaseUnavailable, sqlState, sqlStates } from './errors.ts'
import { type Prepared, statementOf } from './statement.ts'

/*
 * Changes of one environment that are ready while others of it are being written go out together, as one statement and
 * one transaction. None waits for company: with nobody on the way it goes at once. What fails is written again one by
 * one, so that only who is to blame fails: a statement that failed has left nothing.
 */

/** A second one is prepared by the server while the first is flushed to disk; more would only be smaller. */
const maxOnTheWay = 2
/** By then a commit's cost is spread so thin that a longer statement only makes everybody wait. */
const maxTogether = 64

type Entry = { draft: Change; prepared: Prepared; written: () => void; failed: (error: unknown) => void }
type Lane = { onTheWay: number; waiting: Entry[] }

/** By environment. */
const lanes = new Map<string, Lane>()

/** Writes a change, with others that are ready at the same time. Rejects with what is wrong with this one. */
export function writeTogether(draft: Change, prepared: Prepared): Promise<void> {
  const lane = lanes.get(draft.tenantId) ?? { onTheWay: 0, waiting: [] }
  lanes.set(draft.tenantId, lane)
  return new Promise((written, failed) => {
    lane.waiting.push({ draft, prepared, written, failed })
    dispatch(draft.tenantId, lane)
  })
}

function dispatch(tenantId: string, lane: Lane): void {
  while (lane.onTheWay < maxOnTheWay && lane.waiting.length > 0) {
    const { together, rest } = pick(lane.waiting)
    lane.waiting = rest
    lane.onTheWay++
    void write(together).then(() => {
      lane.onTheWay--
      if (lane.onTheWay === 0 && lane.waiting.length === 0) lanes.delete(tenantId)
      else dispatch(tenantId, lane)
    })
  }
}

/** The first, and with it those that have nothing to do with what it and each other write. */
function pick(waiting: Entry[]): { together: Entry[]; rest: Entry[] } {
  const [written, involved] = [new Set<string>(), new Set<string>()]
  const together: Entry[] = []
  const rest: Entry[] = []
  for (const entry of waiting) {
    const { draft } = entry
    const isApart =
      together.length < maxTogether &&
      draft.written.every((name) => !involved.has(name)) &&
      draft.involved.every((name) => !written.has(name))
    if (!isApart) {
      rest.push(entry)
      continue
    }
    together.push(entry)
    for (const name of draft.written) written.add(name)
    for (const name of draft.involved) involved.add(name)
  }
  return { together, rest }
}

async function write(entries: Entry[]): Promise<void> {
  const { db } = entries[0]!.draft
  try {
    const statement = statementOf(entries.map(({ prepared }) => prepared))
    if (statement) await db.write(statement)
    for (const { written } of entries) written()
  } catch (error) {
    if (entries.length > 1 && hasLeftNothing(error)) await Promise.all(entries.map((entry) => write([entry])))
    else for (const { failed } of entries) failed(error)
  }
}

/** The database is there and has refused it. */
const hasLeftNothing = (error: unknown): boolean =>
  !(error instanceof DatabaseUnavailable) || sqlState(error.cause) === sqlStates.lockNotAvailable
