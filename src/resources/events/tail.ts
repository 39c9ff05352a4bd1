import type { Environment } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { JournalReader } from '../../db/journal-reader.ts'
import { isBefore, justBefore, type Position, positionOf } from '../../db/positions.ts'
import { type EventRow, settledEvents } from './queries.ts'

/** So many of the newest events are at hand for those who follow an environment; whoever is further behind reads pages. */
const kept = 500
const keptCharacters = 16 * 1024 * 1024
const pageSize = 200

/** The newest events of an environment, read once for all who follow it in this process. */
export type Tail = {
  /** The events after a position; null when they go back further than is kept. Throws when the reading has broken off. */
  since(position: Position): EventRow[] | null
  /** Resolves when more has been read, or looked for in vain. */
  more(): Promise<void>
  close(): void
}

/** How many of the first are not kept any more: of the newest, so many events are, and so many characters. */
function tooOld(rows: EventRow[]): number {
  let characters = 0
  for (let i = rows.length - 1; i >= Math.max(0, rows.length - kept); i--) {
    characters += rows[i]!.object.length + rows[i]!.previous.length
    if (characters > keptCharacters) return i + 1
  }
  return Math.max(0, rows.length - kept)
}

type Shared = Tail & { join(): void }
const tails = new WeakMap<JournalReader, Map<string, Promise<Shared>>>()

/** Joins those who follow an environment; the last one that closes it ends the reading. */
export async function openTail(db: Db, journal: JournalReader, env: Environment): Promise<Tail> {
  const known = tails.get(journal) ?? new Map<string, Promise<Shared>>()
  tails.set(journal, known)
  const opening: Promise<Shared> =
    known.get(env.tenantId) ??
    follow(db, journal, env, () => {
      if (known.get(env.tenantId) === opening) known.delete(env.tenantId)
    })
  known.set(env.tenantId, opening)
  const tail = await opening
  tail.join()
  return tail
}

async function follow(db: Db, journal: JournalReader, env: Environment, forget: () => void): Promise<Shared> {
  const ending = new AbortController()
  let followers = 0
  let looking = Promise.withResolvers<void>()
  const looked = () => {
    looking.resolve()
    looking = Promise.withResolvers<void>()
  }
  let from: Position
  let through: Position
  let rows: EventRow[] = []
  const first = await journal.settled().catch((error) => {
    forget() // whoever comes next begins anew
    throw error
  })
  from = through = justBefore(first)

  async function read(): Promise<void> {
    for await (const horizon of journal.horizons(env.tenantId, ending.signal)) {
      if (horizon.losses !== first.losses) return // the server may have crashed: what is held here may be no place of its journal
      for (let more = true; more && !ending.signal.aborted; ) {
        const found = await settledEvents(db, env, through, horizon, pageSize)
        more = found.hasMore
        through = more ? positionOf(found.rows.at(-1)!) : justBefore(horizon)
        rows = rows.concat(found.rows)
        const excess = tooOld(rows)
        if (excess > 0) {
          from = positionOf(rows[excess - 1]!)
          rows = rows.slice(excess)
        }
        looked()
      }
    }
  }
  read()
    .catch(() => undefined) // the database is away: those who follow connect again
    .finally(() => {
      forget()
      ending.abort()
      looked()
    })
  return {
    join() {
      followers++
    },
    since(position) {
      ending.signal.throwIfAborted()
      if (isBefore(position, from)) return null
      const first = rows.findIndex((row) => isBefore(position, row))
      return first < 0 ? [] : rows.slice(first)
    },
    more: () => looking.promise,
    close() {
      if (--followers === 0) {
        forget()
        ending.abort()
      }
    },
  }
}
