import type { Faq } from '@backline/sdk'

export const states = ['draft', 'published', 'archived'] as const
type FaqState = (typeof states)[number]

export const stateOf = (faq: Faq): FaqState => (faq.archived ? 'archived' : faq.status)

export const tones = { draft: 'neutral', published: 'good', archived: 'neutral' } as const
