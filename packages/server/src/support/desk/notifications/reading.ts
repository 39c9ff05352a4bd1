import { touchConsumer } from '../../../platform/journal/positions.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { announce, type News } from './announcing.ts'
import { notifications } from './entity.ts'
import {
  insertReadings,
  type Notification,
  noticing,
  type Reading,
  unnoticed,
  unreadWithin,
} from './queries.ts'

const all: Omit<Reading, 'operatorId'> = {
  conversationId: null,
  kinds: null,
  upToSequence: null,
  upTo: null,
}

/**
 * Reads notifications of an operator. Facts that happened before and have not been noticed yet are then read as well.
 * @returns the number of those that were unread
 */
export async function readWithin(
  change: Change,
  given: Partial<Reading> & Pick<Reading, 'operatorId'>,
): Promise<number> {
  const { db, tenantId } = change
  const reading = { ...all, ...given }
  // The position first: what is noticed until the second read is among the unread ones.
  const behind = await unnoticed(db, tenantId)
  const unread = await unreadWithin(db, change, reading)
  const read = unread.map((each) => change.rows.update(notifications, each, { read_at: change.now }, null))
  if (behind) {
    change.effects.writeBatched(insertReadings, { ...reading, position: behind.end, readAt: change.now })
    // The consumer may be about to write what this has not seen.
    change.effects.claim('notification_readings')
    change.effects.writeExpecting(touchConsumer, { consumer: noticing, at: behind.at })
  }
  announceReadings(change, read)
  return read.length
}

/** Tells the streams of their operator, once they are written. */
export function announceReadings(change: Change, read: Notification[]): void {
  const [first] = read
  if (!first) return
  const notification = read.length === 1 ? first : null
  const news: News = { operatorId: first.operator_id, notification, desktop: false }
  // The list has what no stream is told.
  change.effects.afterCommit(() => void announce(change.ctx, [news]).catch(() => undefined))
}
