import type { Conversation } from '@backline/sdk'
import type { Tone } from '../../design/Badge.tsx'
import { defineTexts } from '../../texts/define.ts'

/** The names of statuses, priorities, sides and clocks. */
export const words = defineTexts({
  new: { en: 'New', de: 'Neu' },
  open: { en: 'Open', de: 'Offen' },
  pending: { en: 'Pending', de: 'Wartet auf Antwort' },
  on_hold: { en: 'On hold', de: 'Zurückgestellt' },
  resolved: { en: 'Resolved', de: 'Gelöst' },
  closed: { en: 'Closed', de: 'Geschlossen' },
  low: { en: 'Low', de: 'Niedrig' },
  normal: { en: 'Normal', de: 'Normal' },
  high: { en: 'High', de: 'Hoch' },
  urgent: { en: 'Urgent', de: 'Dringend' },
  first_response: { en: 'First response', de: 'Erste Antwort' },
  next_response: { en: 'Next response', de: 'Nächste Antwort' },
  resolution: { en: 'Resolution', de: 'Lösung' },
  visitor: { en: 'Visitor', de: 'Unbekannt' },
  operator: { en: 'Operator', de: 'Team' },
  system: { en: 'System', de: 'System' },
  nobody: { en: 'Nobody', de: 'Niemand' },
  due: { en: (time: string) => `Due ${time}`, de: (time: string) => `Fällig ${time}` },
  overdue: { en: (time: string) => `Overdue by ${time}`, de: (time: string) => `Überfällig seit ${time}` },
})

export const toneOfStatus: Record<Conversation['status'], Tone> = {
  new: 'info',
  open: 'info',
  pending: 'neutral',
  on_hold: 'warn',
  resolved: 'good',
  closed: 'neutral',
}

export const toneOfPriority: Record<Conversation['priority'], Tone> = {
  low: 'neutral',
  normal: 'neutral',
  high: 'warn',
  urgent: 'bad',
}
