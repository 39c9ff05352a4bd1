import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Faq, faqTable } from './queries.ts'
import { faqWire } from './schema.ts'

export const faqs: Entity<Faq> = {
  type: 'faq',
  prefix: declareIds('faq', 'faq'),
  table: faqTable,
  wire: faqWire,
  precedence: ['faq.reordered', 'faq.updated'],
}
