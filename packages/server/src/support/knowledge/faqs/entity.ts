import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Faq, faqTable } from './queries.ts'
import { faqWire } from './schema.ts'

const events = ['faq.created', 'faq.updated', 'faq.reordered', 'faq.deleted'] as const

export const faqs: Entity<Faq, (typeof events)[number]> = {
  type: 'faq',
  prefix: declareIds('faq', 'faq'),
  events,
  table: faqTable,
  wire: faqWire,
  precedence: ['faq.reordered', 'faq.updated'],
}
