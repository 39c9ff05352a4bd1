import { common } from './common.ts'
import { defineNames } from './define.ts'

/*
 * The values of enumerations of the API, in the order in which they are offered, and their names.
 */

export const statuses = ['new', 'open', 'pending', 'on_hold', 'resolved', 'closed'] as const
export const statusTexts = defineNames({
  new: { en: 'New', de: 'Neu' },
  open: { en: 'Open', de: 'Offen' },
  pending: { en: 'Pending', de: 'Wartet auf Antwort' },
  on_hold: { en: 'On hold', de: 'Zurückgestellt' },
  resolved: { en: 'Resolved', de: 'Gelöst' },
  closed: { en: 'Closed', de: 'Geschlossen' },
})

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export const priorityTexts = defineNames({
  low: { en: 'Low', de: 'Niedrig' },
  normal: { en: 'Normal', de: 'Normal' },
  high: { en: 'High', de: 'Hoch' },
  urgent: { en: 'Urgent', de: 'Dringend' },
})

export const channels = ['api', 'chat', 'email', 'web', 'mobile', 'phone', 'social', 'other'] as const
export const channelTexts = defineNames({
  api: { en: 'API', de: 'API' },
  chat: { en: 'Chat', de: 'Chat' },
  email: common.email,
  web: { en: 'Web', de: 'Web' },
  mobile: { en: 'Mobile app', de: 'Mobile App' },
  phone: common.phone,
  social: { en: 'Social media', de: 'Soziale Medien' },
  other: { en: 'Other', de: 'Sonstiges' },
})

/** The sides that a conversation can wait for. */
export const waitingOn = ['operator', 'end_user', 'third_party'] as const
export const waitingOnTexts = defineNames({
  operator: { en: 'your team', de: 'dein Team' },
  end_user: { en: 'the end user', de: 'den Endkunden' },
  third_party: { en: 'somebody else', de: 'jemand anderen' },
})

/** The sides that can start a conversation. */
export const sides = ['end_user', 'operator', 'system'] as const
/** The others are in `waitingOnTexts`. */
export const sideTexts = defineNames({ system: { en: 'the system', de: 'das System' } })

export const slaStatuses = ['breached', 'running', 'paused', 'met', 'cancelled'] as const
export const slaStatusTexts = defineNames({
  breached: { en: 'Breached', de: 'Verfehlt' },
  running: { en: 'Running', de: 'Läuft' },
  paused: common.paused,
  met: { en: 'Met', de: 'Erfüllt' },
  cancelled: { en: 'Cancelled', de: 'Abgebrochen' },
})

export const clocks = ['first_response', 'next_response', 'resolution'] as const
export const clockTexts = defineNames({
  first_response: { en: 'First response', de: 'Erste Antwort' },
  next_response: { en: 'Next response', de: 'Nächste Antwort' },
  resolution: { en: 'Resolution', de: 'Lösung' },
})

export const endUserStatuses = ['active', 'blocked', 'merged', 'erased'] as const
export const endUserStatusTexts = defineNames({
  active: common.active,
  blocked: { en: 'Blocked', de: 'Gesperrt' },
  merged: { en: 'Merged', de: 'Zusammengeführt' },
  erased: { en: 'Erased', de: 'Gelöscht' },
})

/** In the order in which people look for somebody. */
export const operatorStatuses = ['online', 'busy', 'away', 'offline'] as const
export type OperatorStatus = (typeof operatorStatuses)[number]
export const operatorStatusTexts = defineNames({
  online: { en: 'Online', de: 'Online' },
  busy: { en: 'Busy', de: 'Beschäftigt' },
  away: { en: 'Away', de: 'Abwesend' },
  offline: { en: 'Offline', de: 'Offline' },
})

/** From the fewest rights to all. */
export const roles = ['agent', 'lead', 'admin'] as const
export const roleTexts = defineNames({
  agent: { en: 'Agent', de: 'Agent' },
  lead: { en: 'Lead', de: 'Leitung' },
  admin: { en: 'Admin', de: 'Admin' },
})
