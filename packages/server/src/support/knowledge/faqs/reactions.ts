import { localeKey } from '../../../platform/kernel/locales.ts'
import { textOfHtml } from '../../../platform/kernel/markdown.ts'
import { on } from '../../../platform/resource/resource.ts'
import { forgetDocument, indexDocument } from '../../../platform/search/search-index.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { forgetVotes } from '../../../platform/votes/votes.ts'
import { recordKnowledgeUses } from '../../catalogue/tags/actions.ts'
import { faqs } from './entity.ts'
import type { Faq } from './queries.ts'

function follow(change: Change, before: Faq | null, after: Faq | null): void {
  recordKnowledgeUses(change, (after ?? before)!.id, before?.tags ?? [], after?.tags ?? [])
  if (after) index(change, before, after)
  else {
    forgetDocument(change, 'faq', before!.id)
    forgetVotes(change, before!.id)
  }
}

/** Includes drafts and archived FAQs, because lists can search them. */
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

export const faqReactions = [on(faqs, follow)]
