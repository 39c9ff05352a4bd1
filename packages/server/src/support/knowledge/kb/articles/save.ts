import { canonicalJson } from '../../../../platform/kernel/canonical-json.ts'
import { ApiError } from '../../../../platform/kernel/errors.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import { nameKey } from '../../../../platform/kernel/names.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { articles } from './entity.ts'
import { type Article, familyOf, findInFamily, findSlugHolder, type Particulars } from './queries.ts'
import { slugKeyOf } from './reactions.ts'
import { maxFormerSlugs } from './schema.ts'

/** Changes an article. Every change of one comes by here. */
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

/** @throws ApiError 409 when another article has the slug, in its draft or in what is served */
export async function refuseHeldSlug(change: Change, article: Article): Promise<void> {
  const holder = await findSlugHolder(change.db, change.tenantId, slugKeyOf(article))
  if (holder && holder.id !== article.id)
    throw new ApiError('already_exists', { id: typeId('kba', holder.id), field: 'slug' })
}

/** One article of a family in a locale, translations and original alike. */
export function refuseTakenLocale(change: Change, article: Article): void {
  change.onDuplicate(async () => {
    const owner = await findInFamily(change.db, change.tenantId, familyOf(article), article.locale)
    if (owner && owner.id !== article.id)
      throw new ApiError('already_exists', { id: typeId('kba', owner.id), field: 'locale' })
  })
}

/** What is served of the draft, once it is published. */
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

/** Former slugs follow from edits and are none; nor is another order of the members of `metadata`. */
const isEdited = (article: Article): boolean =>
  article.body !== article.published_body ||
  asCompared(particularsOf(article), article.tags) !== asCompared(article.published!, article.published_tags)

const asCompared = ({ former_slugs: _, ...particulars }: Particulars, tags: Article['tags']): string =>
  canonicalJson([particulars, tags.map(({ id }) => id)])

function formerSlugs({ slug, former_slugs }: Article, next: string): string[] {
  const keep = (each: string) => nameKey(each) !== nameKey(next)
  return [...new Set([slug, ...former_slugs])].filter(keep).slice(0, maxFormerSlugs)
}
