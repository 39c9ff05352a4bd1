import { declareIds, shareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { operators } from '../../team/operators/entity.ts'
import { type Notification, notificationTable, type Preferences, preferenceTable } from './queries.ts'
import { notificationWire, preferencesWire } from './schema.ts'

export const notifications: Entity<Notification, 'notification.created'> = {
  type: 'notification',
  prefix: declareIds('notification', 'ntf'),
  events: ['notification.created'],
  table: notificationTable,
  wire: notificationWire,
  isVisible: ({ operator_id }, viewer) => operator_id === viewer.id,
}

export const preferences: Entity<Preferences, 'notification_preferences.updated'> = {
  type: 'notification_preferences',
  prefix: shareIds('notification_preferences', operators.type),
  events: ['notification_preferences.updated'],
  table: preferenceTable,
  wire: preferencesWire,
}
