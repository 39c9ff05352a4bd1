import type { Change, Entity } from '../../db/change.ts'
import { forgetDocument, indexDocument } from '../../db/search-index.ts'
import { forgetVotes } from '../../db/votes.ts'
import { localeKey } from '../../lib/locales.ts'
import { textOfHtml } from '../../lib/markdown.ts'
import { recordKnowledgeUses } from '../tags/actions.ts'
import { type Faq, faqTable } from './queries.ts'
import { faqWire } from './schema.ts'

export const faqs: Entity<Faq> = {
  type: 'faq',
  table: faqTable,
  wire: faqWire,
  precedence: ['faq.reordered', 'faq.updated'],
  consequences,
}

function consequences(change: Change, before: Faq | null, after: Faq | null): void {
  recordKnowledgeUses(change, (after ?? before)!.id, before?.tags ?? [], after?.tags ?? [])
  if (after) index(change, before, after)
  else {
    forgetDocument(change, 'faq', before!.id)
    forgetVotes(change, before!.id)
  }
}

/** Drafts and archived ones, too: lists find them. */
function index(change: Change, before: Faq | null, after: Faq): void {
  const { id, question, answer, answer_html, locale } = after
  if (before?.question === question && before.answer === answer && before.locale === locale) return
  indexDocument(change, {
    kind: 'faq',
    id,
    family_id: id,
    locale_key: localeKey(locale),
    collection_id: null,
    title: question,
    summary: '',
    text: textOfHtml(answer_html),
  })
}
