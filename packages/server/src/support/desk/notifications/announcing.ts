import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { type Notification, unreadOf } from './queries.ts'
import { notificationWire } from './schema.ts'

/** Notifications of an operator that changed. */
export type News = {
  operatorId: string
  /** Null if several changed at once. */
  notification: Notification | null
  /** True if a client may show it outside its page. */
  desktop: boolean
}

/** The scope of the ephemeral events, and of the routes. */
export const scope = 'notifications:read'

/** Of one operator; more at once are told as several. */
const mostAtOnce = 20

/**
 * Tells the open streams of operators about their notifications, with the number of unread ones. It is not repeated: a
 * stream that misses it has the list.
 */
export async function announce({ db, env, now, services }: Ctx, news: News[]): Promise<void> {
  const byOperator = Map.groupBy(news, ({ operatorId }) => operatorId)
  if (byOperator.size === 0) return
  const counts = new Map<string, number>()
  for (const { operator_id, count } of await unreadOf(db, env.tenantId, [...byOperator.keys()], now()))
    counts.set(operator_id, (counts.get(operator_id) ?? 0) + count)
  for (const [viewerId, own] of byOperator) {
    const told =
      own.length > mostAtOnce ? [{ operatorId: viewerId, notification: null, desktop: false }] : own
    for (const { notification, desktop } of told)
      services.ephemeral.send({
        tenantId: env.tenantId,
        streamId: notification?.conversation_id ?? viewerId,
        name: 'notification',
        data: `{"notification":${notification ? notificationWire.json(notification) : 'null'},"desktop":${desktop},"unread":${counts.get(viewerId) ?? 0}}`,
        to: { viewerId, scope, key: notification?.id ?? 'several' },
      })
  }
}
