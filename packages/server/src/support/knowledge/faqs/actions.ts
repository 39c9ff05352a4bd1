import { renderMarkdown } from '../../../platform/kernel/markdown.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { defaultLocale } from '../../admin/workspace/actions.ts'
import { categories } from '../../catalogue/categories/entity.ts'
import { tagsNamed } from '../../catalogue/tags/actions.ts'
import { articles } from '../kb/articles/entity.ts'
import { faqs } from './entity.ts'
import type { Faq } from './queries.ts'
import { type FaqPatch, maxAnswerBytes, type NewFaq } from './schema.ts'

export async function createFaq(change: Change, input: NewFaq): Promise<Faq> {
  const answer_html = await htmlOf(change, input.answer)
  const { category_id = null, kb_article_id = null } = await namedBy(change, null, input)
  return change.rows.create(faqs, {
    ...change.stamp(),
    question: input.question,
    answer: input.answer,
    answer_html,
    locale: input.locale ?? (await defaultLocale(change)),
    category_id,
    kb_article_id,
    position: input.position ?? 0,
    status: input.status ?? 'draft',
    tags: await tagsNamed(change, input.tags ?? [], '/tags', []),
    archived: input.archived ?? false,
    helpful_count: 0,
    unhelpful_count: 0,
  })
}

export async function updateFaq(change: Change, id: string, patch: FaqPatch): Promise<Faq> {
  const answer_html = patch.answer === undefined ? undefined : await htmlOf(change, patch.answer)
  const faq = await change.rows.load(faqs, id)
  const { tags, category_id: _, kb_article_id: __, ...fields } = patch
  const kept = faq.tags.map((tag) => tag.id)
  return change.rows.update(faqs, faq, {
    ...fields,
    ...(await namedBy(change, faq, patch)),
    ...(answer_html === undefined || fields.answer === faq.answer ? {} : { answer_html }),
    ...(tags === undefined ? {} : { tags: await tagsNamed(change, tags, '/tags', kept) }),
  })
}

export async function deleteFaq(change: Change, id: string): Promise<void> {
  change.rows.remove(faqs, await change.rows.load(faqs, id))
}

/** Renders before rows are read: it may be slow, and must not hold the lock of a row. */
export const htmlOf = (change: Change, answer: string, pointer = '/answer'): Promise<string> =>
  renderMarkdown(change.ctx, answer, pointer, maxAnswerBytes)

type Named = Partial<Pick<Faq, 'category_id' | 'kb_article_id'>>

/** Resolves the ids in the request to UUIDs; omits absent ones. */
async function namedBy(
  change: Change,
  faq: Faq | null,
  { category_id, kb_article_id }: FaqPatch,
): Promise<Named> {
  const references = new References(change)
  const named: Named = {}
  if (category_id !== undefined) {
    const kept = faq?.category_id ?? null
    named.category_id = (await references.to(categories, '/category_id', category_id, kept))?.id ?? null
  }
  if (kb_article_id !== undefined)
    named.kb_article_id = (await references.to(articles, '/kb_article_id', kb_article_id))?.id ?? null
  references.check()
  return named
}
