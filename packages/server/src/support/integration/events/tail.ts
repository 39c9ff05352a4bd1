import { setImmediate } from 'node:timers/promises'
import type { Commits } from '../../../platform/journal/commits.ts'
import { endOfJournal, keepBeyond, noteTime } from '../../../platform/journal/heads.ts'
import { isBefore, type Position, positionOf } from '../../../platform/journal/positions.ts'
import { toUnixMs } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Services } from '../../../platform/unit-of-work/context.ts'
import { type EventRow, eventsAfter } from './queries.ts'

/** The number of newest events that are kept for readers; readers further behind read pages. */
const kept = 500
const keptCharacters = 16 * 1024 * 1024
const pageSize = 200
/** The number of readers that are notified in one turn of the event loop. */
const toldAtOnce = 100

/** The newest events of an environment, read once for all readers in this process. */
export type Tail = {
  /** The events after a position; null if it is older than the kept ones. Throws after reading has ended. */
  since(position: Position): EventRow[] | null
  /** Reading ends when the last reader leaves. */
  leave(reader: TailReader): void
}

/** Called after events were read, and after reading has ended, for example because the database is unavailable. */
export type TailReader = { onMore(): void }

/** The number of oldest events to drop, by the limits of events and characters. */
function tooOld(rows: EventRow[]): number {
  let characters = 0
  for (let i = rows.length - 1; i >= Math.max(0, rows.length - kept); i--) {
    const { object, previous, related } = rows[i]!
    characters += object.length + previous.length + (related?.length ?? 0)
    if (characters > keptCharacters) return i + 1
  }
  return Math.max(0, rows.length - kept)
}

type Shared = Tail & { join(reader: TailReader): void }

declare module '../../../platform/unit-of-work/context.ts' {
  interface Services {
    /** The tails of the journal that streams share, by environment. */
    tails: Map<string, Promise<Shared>>
  }
}

export async function openTail(
  db: Db,
  { commits, tails }: Pick<Services, 'commits' | 'tails'>,
  env: Environment,
  reader: TailReader,
): Promise<Tail> {
  const opening: Promise<Shared> =
    tails.get(env.tenantId) ??
    follow(db, commits, env, () => {
      if (tails.get(env.tenantId) === opening) tails.delete(env.tenantId)
    })
  tails.set(env.tenantId, opening)
  const tail = await opening
  tail.join(reader)
  return tail
}

async function follow(db: Db, commits: Commits, env: Environment, forget: () => void): Promise<Shared> {
  const ending = new AbortController()
  const readers = new Set<TailReader>()
  let [isTelling, isMoreToTell] = [false, false]
  async function tell(): Promise<void> {
    isMoreToTell = true
    if (isTelling) return
    isTelling = true
    while (isMoreToTell) {
      isMoreToTell = false
      let told = 0
      for (const reader of readers) {
        reader.onMore()
        if (++told % toldAtOnce === 0) await setImmediate()
      }
    }
    isTelling = false
  }
  let from = await endOfJournal(db, env.tenantId).catch((error) => {
    forget() // the next reader starts again
    throw error
  })
  let through = from
  let rows: EventRow[] = []
  let losses = db.losses()

  async function read(): Promise<void> {
    for await (const _ of commits.of(env.tenantId, ending.signal)) {
      if (losses !== db.losses()) {
        losses = db.losses()
        await keepBeyond(db, env.tenantId, through) // another server may answer, whose head is lower
      }
      for (let more = true; more && !ending.signal.aborted; ) {
        const found = await eventsAfter(db, env, through, pageSize)
        more = found.hasMore
        through = positionOf(found.rows.at(-1) ?? through)
        noteTime(db, through.position)
        rows = rows.concat(found.rows)
        const excess = tooOld(rows)
        if (excess > 0) {
          from = positionOf(rows[excess - 1]!)
          rows = rows.slice(excess)
        }
        const [oldest] = found.rows
        if (!oldest) continue
        // The clock of a live environment is the real one.
        if (env.kind === 'live') commits.observeDelay(Date.now() - toUnixMs(oldest.created_at))
        void tell()
      }
    }
  }
  read()
    .catch(() => undefined) // the database is unavailable: readers reconnect
    .finally(() => {
      forget()
      ending.abort()
      void tell()
    })
  return {
    join: (reader) => void readers.add(reader),
    since(position) {
      ending.signal.throwIfAborted()
      if (isBefore(position, from)) return null
      const last = rows.at(-1)
      if (!last || !isBefore(position, last)) return []
      const first = rows.findIndex((row) => isBefore(position, row))
      return rows.slice(first)
    },
    leave(reader) {
      readers.delete(reader)
      if (readers.size === 0) {
        forget()
        ending.abort()
      }
    },
  }
}
