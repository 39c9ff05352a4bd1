import { ApiError } from '../../../../platform/kernel/errors.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import { canonicalJson } from '../../../../platform/kernel/json.ts'
import { nameKey } from '../../../../platform/kernel/names.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { articles } from './entity.ts'
import { type Article, familyOf, findInFamily, findSlugHolder, type Particulars } from './queries.ts'
import { slugKeyOf } from './reactions.ts'
import { maxFormerSlugs } from './schema.ts'

/** Updates an article; all updates use this function. */
export async function saveArticle(
  change: Change,
  article: Article,
  patch: Partial<Article>,
  event = 'kb_article.updated',
): Promise<Article> {
  const next = { ...article, ...patch }
  const moved = next.slug !== article.slug
  if (moved || next.locale !== article.locale) await refuseHeldSlug(change, next)
  refuseTakenLocale(change, next)
  return change.rows.update(
    articles,
    article,
    {
      ...patch,
      has_unpublished_changes: next.published !== null && isEdited(next),
      former_slugs: moved ? formerSlugs(article, next.slug) : article.former_slugs,
    },
    event,
  )
}

/** @throws ApiError 409 if another article holds the slug, in its draft or published version */
export async function refuseHeldSlug(change: Change, article: Article): Promise<void> {
  const holder = await findSlugHolder(change.db, change.tenantId, slugKeyOf(article))
  if (holder && holder.id !== article.id)
    throw new ApiError('already_exists', { id: typeId('kba', holder.id), field: 'slug' })
}

/** Rejects a second article of a family in a locale, original included. */
export function refuseTakenLocale(change: Change, article: Article): void {
  change.onDuplicate(async () => {
    const owner = await findInFamily(change.db, change.tenantId, familyOf(article), article.locale)
    if (owner && owner.id !== article.id)
      throw new ApiError('already_exists', { id: typeId('kba', owner.id), field: 'locale' })
  })
}

/** The published part of the draft besides texts. */
export const particularsOf = (article: Article): Particulars => ({
  collection_id: article.collection_id,
  slug: article.slug,
  locale: article.locale,
  title: article.title,
  excerpt: article.excerpt,
  author_id: article.author_id,
  metadata: article.metadata,
  former_slugs: article.former_slugs,
})

/** Changed former slugs, or another order of the members of `metadata`, are not an edit. */
const isEdited = (article: Article): boolean =>
  article.body !== article.published_body ||
  asCompared(particularsOf(article), article.tags) !== asCompared(article.published!, article.published_tags)

const asCompared = ({ former_slugs: _, ...particulars }: Particulars, tags: Article['tags']): string =>
  canonicalJson([particulars, tags.map(({ id }) => id)])

function formerSlugs({ slug, former_slugs }: Article, next: string): string[] {
  const keep = (each: string) => nameKey(each) !== nameKey(next)
  return [...new Set([slug, ...former_slugs])].filter(keep).slice(0, maxFormerSlugs)
}
