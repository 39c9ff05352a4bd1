import type { Conversation } from '@backline/sdk'
import type { Tone } from '../../design/Badge.tsx'
import { defineTexts } from '../../texts/define.ts'
import { clockTexts, priorityTexts, statusTexts } from '../../texts/values.ts'

/** Texts of all parts of the inbox. */
export const modelTexts = defineTexts({
  ...statusTexts,
  ...priorityTexts,
  ...clockTexts,
  noSubject: { en: 'No subject', de: 'Kein Betreff' },
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
