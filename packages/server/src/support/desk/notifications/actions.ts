import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { conversations } from '../conversations/entity.ts'
import { notifications, preferences } from './entity.ts'
import { kinds } from './kinds.ts'
import { countUnread, findUnread, isKept, type Notification, type Preferences, totalOf } from './queries.ts'
import { announceReadings, readWithin } from './reading.ts'
import type { PreferencesPatch, ReadAll, ReadAllResult } from './schema.ts'

/** The operator for whom a request acts, of a route that needs one. */
export const actingOperatorOf = ({ principal }: Ctx): string => principal.viewerId!

async function keptNotification(change: Change, id: string): Promise<Notification> {
  const row = await change.rows.load(notifications, id)
  if (isKept(row, change.now)) return row
  throw new ApiError('not_found')
}

export async function readNotification(change: Change, id: string): Promise<Notification> {
  const row = await keptNotification(change, id)
  if (row.read_at !== null) return row
  const read = change.rows.update(notifications, row, { read_at: change.now }, null)
  announceReadings(change, [read])
  return read
}

/** @throws ApiError `already_exists` if another one of the conversation and kind is unread */
export async function unreadNotification(change: Change, id: string): Promise<Notification> {
  const row = await keptNotification(change, id)
  if (row.read_at === null) return row
  const other = await findUnread(change.db, change.tenantId, row)
  if (other) throw new ApiError('already_exists', { id: typeId(notifications.prefix, other.id) })
  const unread = change.rows.update(notifications, row, { read_at: null }, null)
  announceReadings(change, [unread])
  return unread
}

export async function readAllNotifications(
  change: Change,
  { up_to, kinds, conversation_id }: ReadAll,
): Promise<ReadAllResult> {
  const operatorId = actingOperatorOf(change.ctx)
  const { db, tenantId, now } = change
  const references = new References(change)
  const conversation = await references.to(conversations, '/conversation_id', conversation_id)
  references.check()
  const before = totalOf(await countUnread(db, tenantId, operatorId, now))
  const read = await readWithin(change, {
    operatorId,
    conversationId: conversation?.id ?? null,
    kinds: kinds ?? null,
    upTo: up_to === undefined ? now : new Date(up_to).toISOString(),
  })
  return { read, unread: Math.max(0, before - read) }
}

export async function updatePreferences(change: Change, patch: PreferencesPatch): Promise<Preferences> {
  const row = await change.rows.load(preferences, actingOperatorOf(change.ctx))
  return change.rows.update(
    preferences,
    row,
    {
      kinds: Object.fromEntries(
        kinds.map((kind) => [kind, { ...row.kinds[kind], ...patch.kinds?.[kind] }]),
      ) as Preferences['kinds'],
      follow: { ...row.follow, ...patch.follow },
      is_set: true,
    },
    'notification_preferences.updated',
  )
}
