import type { Instant } from '../../../../platform/kernel/clock.ts'
import { toUnixMs } from '../../../../platform/kernel/clock.ts'
import { newUuid } from '../../../../platform/kernel/ids.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import type { News } from '../announcing.ts'
import { notifications } from '../entity.ts'
import { isKept, type Notification, type PendingReading } from '../queries.ts'
import type { Fact } from './facts.ts'

type Whose = Pick<Notification, 'operator_id' | 'conversation_id' | 'kind'>
const keyOf = ({ operator_id, conversation_id, kind }: Whose) => `${operator_id}/${conversation_id}/${kind}`

/** The notifications about some conversations, as a change leaves them. */
export class Inbox {
  readonly #change: Change
  readonly #rows = new Map<string, Notification>()
  readonly #unread = new Map<string, string>()
  /** Those that the change has touched; true if a new fact may be shown on the desktop. */
  readonly #touched = new Map<string, boolean>()
  readonly #made = new Set<string>()

  constructor(change: Change, rows: Notification[]) {
    this.#change = change
    for (const row of rows) this.#set(row)
  }

  /** Makes a notification, or raises the unread one of the operator, conversation and kind. */
  add(
    { operatorId, kind, reason, event, message, metric }: Fact,
    conversationId: string,
    desktop: boolean,
  ): void {
    const whose = { operator_id: operatorId, conversation_id: conversationId, kind }
    const newest = {
      reason,
      message_id: message?.id ?? null,
      message_sequence: message?.sequence ?? null,
      event_id: event.id,
      actor_type: event.actor_type,
      actor_id: event.actor_id,
      actor_operator_id: event.operator_id,
      sla_metric: metric,
      notified_at: event.created_at,
    }
    const unread = this.#unreadOf(whose)
    const known = unread && isKept(unread, this.#change.now) ? unread : undefined
    // One that is kept no longer, and not swept yet, gives way to a new one.
    if (unread && !known) this.#update(unread, { read_at: this.#change.now }, false)
    if (known) this.#update(known, { ...newest, count: known.count + 1 }, desktop)
    else {
      const stamp = { ...this.#change.stamp(), created_at: event.created_at }
      const id = newUuid(toUnixMs(event.created_at))
      const row = this.#change.rows.create(notifications, {
        ...stamp,
        id,
        ...whose,
        ...newest,
        count: 1,
        read_at: null,
      })
      this.#set(row)
      this.#made.add(id)
      this.#touched.set(id, desktop)
    }
  }

  /** Reads the unread ones that meet a condition. */
  read(isMeant: (row: Notification) => boolean, at: Instant): void {
    for (const row of [...this.#rows.values()])
      if (row.read_at === null && isMeant(row)) this.#update(row, { read_at: at }, false)
  }

  /** Applies a reading to what this batch noticed after it; the request that read has read the rest itself. */
  readPending({ operatorId, conversationId, kinds, upToSequence, upTo, readAt }: PendingReading): void {
    this.read(
      (row) =>
        this.#touched.has(row.id) &&
        row.operator_id === operatorId &&
        (conversationId === null || row.conversation_id === conversationId) &&
        (kinds === null || kinds.includes(row.kind)) &&
        (upTo === null || row.notified_at <= upTo) &&
        (upToSequence === null || (row.message_sequence ?? 0) <= upToSequence),
      readAt,
    )
  }

  /**
   * Moves those about a conversation to another one. Of two that are unread, that of the other one stays, with both
   * counts and the later fact.
   */
  move(from: string, to: string): void {
    for (const row of [...this.#rows.values()]) {
      if (row.conversation_id !== from) continue
      const moved = { conversation_id: to, message_sequence: null }
      const other = row.read_at === null ? this.#unreadOf({ ...row, conversation_id: to }) : undefined
      if (!other) {
        this.#update(row, moved, false)
        continue
      }
      const {
        reason,
        message_id,
        event_id,
        actor_type,
        actor_id,
        actor_operator_id,
        sla_metric,
        notified_at,
      } = row
      const newer = {
        reason,
        message_id,
        event_id,
        actor_type,
        actor_id,
        actor_operator_id,
        sla_metric,
        notified_at,
      }
      this.#update(
        other,
        {
          count: other.count + row.count,
          ...(row.notified_at > other.notified_at ? { ...newer, message_sequence: null } : {}),
        },
        false,
      )
      this.#drop(row)
      this.#touched.delete(row.id)
      this.#change.rows.remove(notifications, row, null)
    }
  }

  /** The number of new ones of each operator. */
  made(): [operatorId: string, count: number][] {
    const rows = [...this.#made].flatMap((id) => this.#rows.get(id) ?? [])
    const byOperator = Map.groupBy(rows, ({ operator_id }) => operator_id)
    return [...byOperator].map(([id, { length }]) => [id, length])
  }

  get touchedIds(): string[] {
    return [...this.#touched.keys()]
  }

  news(): News[] {
    return [...this.#touched].map(([id, desktop]) => {
      const row = this.#rows.get(id)!
      return { operatorId: row.operator_id, notification: row, desktop: desktop && row.read_at === null }
    })
  }

  #unreadOf(whose: Whose): Notification | undefined {
    const id = this.#unread.get(keyOf(whose))
    return id === undefined ? undefined : this.#rows.get(id)
  }

  #set(row: Notification): void {
    this.#rows.set(row.id, row)
    if (row.read_at === null) this.#unread.set(keyOf(row), row.id)
  }

  #drop(row: Notification): void {
    this.#rows.delete(row.id)
    if (this.#unread.get(keyOf(row)) === row.id) this.#unread.delete(keyOf(row))
  }

  #update(row: Notification, patch: Partial<Notification>, desktop: boolean): void {
    this.#drop(row)
    this.#set(this.#change.rows.update(notifications, row, patch, null))
    this.#touched.set(row.id, desktop)
  }
}
