import type { Instant } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import type { Db } from '../postgres/database.ts'
import { stateOf } from '../postgres/process-state.ts'
import { sql } from '../postgres/sql.ts'
import { isBefore, type Position, presentEpoch } from './positions.ts'

/*
 * The head of a journal must not be below a position that a reader has seen, because that reader would miss the events
 * between them. A standby that is promoted may lack the latest heads, and its clock may be behind. So each process
 * remembers the latest time that it has read from a database, and its writes raise heads to at least that time; and a
 * position beyond the head, which only a failover or a restore explains, raises it (docs/adr/0036-positions.md).
 */

type Raised = (tenantId: string, microseconds: number) => void
/** The latest time is `offset` after the monotonic clock, in microseconds. */
type Known = { offset: number; onRaised: Raised }

const newKnown = (): Known => ({ offset: Number.NEGATIVE_INFINITY, onRaised: () => undefined })

type WithState = Pick<Db, 'state'>

const monotonic = (): number => performance.now() * 1_000

/** Remembers a position, or a time of a clock of the database, in microseconds of Unix time. */
export function noteTime(db: WithState, time: number): void {
  const state = stateOf(db, newKnown)
  state.offset = Math.max(state.offset, time - monotonic())
}

/** The latest time of a database, as far as this process knows, in microseconds of Unix time; 0 if it knows none. */
export const latestTime = (db: WithState): number =>
  Math.max(0, Math.floor(stateOf(db, newKnown).offset + monotonic()))

/** Calls a function after each position that raised a head, with the environment and the distance. */
export function onRaised(db: WithState, listener: Raised): void {
  stateOf(db, newKnown).onRaised = listener
}

function headOf(db: Db, position: number): Position {
  noteTime(db, position)
  return { epoch: presentEpoch, position, ordinal: 0 }
}

/**
 * The present end of the journal. All events up to it are visible to later statements, and all others will have higher
 * positions.
 */
export async function endOfJournal(db: Db, tenantId: string): Promise<Position> {
  const head = await db.maybe<{ position: number }>(
    sql`select position from journal_heads where tenant_id = ${tenantId}`,
  )
  return headOf(db, head?.position ?? 0)
}

/** The present end of the journal, and the floor of the feed: the last event that retention has removed, if any. */
export async function findBounds(
  db: Db,
  tenantId: string,
): Promise<{ head: Position; floor: Position | null }> {
  type Row = { head: number; epoch: number | null; position: number; ordinal: number }
  const found = await db.maybe<Row>(sql`select h.position as head, f.epoch, f.position, f.ordinal
    from journal_heads h left join journal_floors f on f.tenant_id = h.tenant_id and f.tenant_id = ${tenantId}
    where h.tenant_id = ${tenantId}`)
  const { head = 0, epoch = null, position = 0, ordinal = 0 } = found ?? {}
  return { head: headOf(db, head), floor: epoch === null ? null : { epoch, position, ordinal } }
}

/** The state of a consumer in an environment. */
export type Consumed = {
  env: Environment
  /** Null before the first events. */
  position: Position | null
  /** @see endOfJournal */
  end: Position
  /** The lease on this work; null if nobody has taken it. */
  lease: { holder: string; leasedUntil: Instant } | null
}

/** Returns null for an environment that does not exist. */
export async function findConsumed(db: Db, tenantId: string, consumer: string): Promise<Consumed | null> {
  type Row = Environment & {
    epoch: number | null
    position: number
    ordinal: number
    head: number | null
    holder: string | null
    leasedUntil: Instant
  }
  const found = await db.maybe<Row>(sql`select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind,
      e.clock_offset_ms as "clockOffsetMs", p.epoch, p.position, p.ordinal, h.position as head, l.holder, l.leased_until as "leasedUntil"
    from environments e left join journal_heads h on h.tenant_id = e.id and h.tenant_id = ${tenantId}
    left join journal_positions p on p.tenant_id = e.id and p.tenant_id = ${tenantId} and p.follower = ${consumer}
    left join leases l on l.tenant_id = e.id and l.tenant_id = ${tenantId} and l.work = ${consumer}
    where e.id = ${tenantId}`)
  if (!found) return null
  const { epoch, position, ordinal, head, holder, leasedUntil, ...env } = found
  return {
    env,
    position: epoch === null ? null : { epoch, position, ordinal },
    end: headOf(db, head ?? 0),
    lease: holder === null ? null : { holder, leasedUntil },
  }
}

/** Returns false if a consumer has read all events. A head without a position tells nothing. */
export const isBehind = ({ position, end }: Consumed): boolean =>
  end.position === 0 || position === null || isBefore(position, end)

/**
 * Raises the head of a journal that is below a position which a reader has seen. Costs nothing otherwise.
 * @param end the end of the journal, if it was just read
 */
export async function keepBeyond(db: Db, tenantId: string, seen: Position, end?: Position): Promise<void> {
  const head = end ?? (await endOfJournal(db, tenantId))
  if (!isBefore(head, seen)) return
  noteTime(db, seen.position)
  const raised = await db.write(sql`update journal_heads set position = ${seen.position}::bigint
    where tenant_id = ${tenantId} and position < ${seen.position}::bigint returning 1`)
  if (raised.length > 0) stateOf(db, newKnown).onRaised(tenantId, seen.position - head.position)
}

/** Learns the latest time from all heads: those of an earlier failover are ahead of the clock. */
export async function noteHeads(db: Db): Promise<void> {
  const [latest] = await db.slowRows<{ position: number | null }>(
    sql`select max(position) as position from journal_heads`,
  )
  noteTime(db, latest?.position ?? 0)
}

/** Adds heads of environments that a server of an earlier version has created during an upgrade. */
export async function addMissingHeads(db: Db): Promise<void> {
  const missing = await db.rows<{ id: string }>(sql`select e.id from environments e
    left join journal_heads h on h.tenant_id = e.id where h.tenant_id is null`)
  for (const { id } of missing)
    await db.write(
      sql`insert into journal_heads (tenant_id, position) values (${id}, 0) on conflict (tenant_id) do nothing`,
    )
}
