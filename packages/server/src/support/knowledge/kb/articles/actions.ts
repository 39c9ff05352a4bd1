import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { renderMarkdown } from '../../../../platform/kernel/markdown.ts'
import { mergeMetadata } from '../../../../platform/kernel/merge-patch.ts'
import { slugBeside, slugOf, slugOfId } from '../../../../platform/kernel/names.ts'
import { restructure } from '../../../../platform/trees/trees.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { References } from '../../../../platform/unit-of-work/references.ts'
import { defaultLocale } from '../../../admin/workspace/actions.ts'
import { tagsNamed } from '../../../catalogue/tags/actions.ts'
import { actingOperator } from '../../../team/operators/actions.ts'
import { operators } from '../../../team/operators/entity.ts'
import { collections } from '../collections/entity.ts'
import { articles } from './entity.ts'
import { useImages } from './images/using.ts'
import { appointment, requireComplete } from './publishing.ts'
import { type Article, findSlugHolder, findTranslation } from './queries.ts'
import { slugKeyOf } from './reactions.ts'
import { refuseHeldSlug, refuseTakenLocale, saveArticle } from './save.ts'
import { type ArticlePatch, maxBodyBytes, type NewArticle } from './schema.ts'

export { archiveArticle, publishArticle, restoreArticle, unpublishArticle } from './publishing.ts'

export async function createArticle(change: Change, input: NewArticle): Promise<Article> {
  const stamp = change.stamp()
  const { title = null, body = null } = input
  const body_html = await htmlOf(change, body)
  const locale = input.locale ?? (await defaultLocale(change))
  const references = await namedBy(change, null, input)
  const { collection_id = null, author_id, translation_of_id = null } = references
  const article: Article = {
    ...stamp,
    collection_id,
    slug: input.slug ?? (await freeSlug(change, { id: stamp.id, title, locale })),
    locale,
    title,
    body,
    body_html,
    excerpt: input.excerpt ?? null,
    author_id: author_id === undefined ? ((await actingOperator(change))?.id ?? null) : author_id,
    tags: await tagsNamed(change, input.tags ?? [], '/tags', []),
    metadata: input.metadata ?? {},
    translation_of_id,
    status: 'draft',
    published: null,
    published_body: null,
    published_body_html: null,
    published_tags: [],
    published_version: null,
    published_at: null,
    has_unpublished_changes: false,
    last_version: 0,
    publish_at: null,
    publish_by: null,
    former_slugs: [],
    helpful_count: 0,
    unhelpful_count: 0,
  }
  await refuseHeldSlug(change, article)
  refuseTakenLocale(change, article)
  await useImages(change, article.id, body_html, '/body')
  return change.rows.create(articles, article)
}

/** Updates the draft. The published version stays until the draft is published. */
export async function updateArticle(change: Change, id: string, patch: ArticlePatch): Promise<Article> {
  const body_html = patch.body === undefined ? undefined : await htmlOf(change, patch.body)
  const article = await change.rows.load(articles, id)
  const { tags, metadata, publish_at, collection_id, author_id, translation_of_id, ...fields } = patch
  const references = await namedBy(change, article, patch)
  const kept = article.tags.map((tag) => tag.id)
  const rewritten = body_html !== undefined && fields.body !== article.body
  if (rewritten) await useImages(change, id, body_html, '/body')
  const draft: Partial<Article> = {
    ...fields,
    ...references,
    ...(rewritten ? { body_html } : {}),
    ...(tags === undefined ? {} : { tags: await tagsNamed(change, tags, '/tags', kept) }),
    metadata: mergeMetadata(article.metadata, metadata),
  }
  const next = { ...article, ...draft }
  const appointed = publish_at === undefined ? {} : appointment(change, next, publish_at)
  if ({ ...next, ...appointed }.publish_at !== null)
    requireComplete(next, 'is required while a publication is scheduled')
  return saveArticle(change, article, { ...draft, ...appointed })
}

export async function deleteArticle(change: Change, id: string): Promise<void> {
  change.rows.remove(articles, await change.rows.load(articles, id))
}

/** Renders before rows are read: it may be slow, and must not hold the lock of a row. */
export const htmlOf = async (change: Change, body: string | null): Promise<string> =>
  body === null ? '' : renderMarkdown(change.ctx, body, '/body', maxBodyBytes, () => true)

/** A free slug for a title: with a part of the id if the title has none or the slug is in use. */
async function freeSlug(
  change: Change,
  { id, title, locale }: { id: string; title: string | null; locale: string },
): Promise<string> {
  const slug = slugOf(title ?? '')
  if (slug === '') return slugOfId(id)
  const holder = await findSlugHolder(change.db, change.tenantId, slugKeyOf({ slug, locale }))
  return holder ? slugBeside(slug, id) : slug
}

type Named = Partial<Pick<Article, 'collection_id' | 'author_id' | 'translation_of_id'>>

/** Resolves the ids in the request to UUIDs; omits absent ones. */
async function namedBy(
  change: Change,
  article: Article | null,
  { collection_id, author_id, translation_of_id }: Pick<NewArticle, keyof Named>,
): Promise<Named> {
  const references = new References(change)
  const named: Named = {}
  if (translation_of_id !== undefined)
    named.translation_of_id = await original(change, references, article, translation_of_id)
  if (collection_id !== undefined) {
    const kept = article?.collection_id ?? null
    named.collection_id =
      (await references.to(collections, '/collection_id', collection_id, kept))?.id ?? null
  }
  if (author_id !== undefined) {
    const kept = article?.author_id ?? null
    named.author_id = (await references.to(operators, '/author_id', author_id, kept))?.id ?? null
  }
  references.check()
  return named
}

/** A translation refers to an original. `restructure` keeps chains from forming by concurrent requests. */
async function original(
  change: Change,
  references: References,
  article: Article | null,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null
  if (article?.translation_of_id && article.translation_of_id === uuidOf('kba', id))
    return article.translation_of_id
  await restructure(change, 'kb_articles')
  const pointer = '/translation_of_id'
  const found = await references.to(articles, pointer, id)
  const refuse = (detail: string) => references.fault({ pointer, code: 'not_allowed', detail })
  if (found && found.id === article?.id) refuse('must be another article')
  else if (found?.translation_of_id) refuse('must be an original article, not a translation')
  else if (article && (await findTranslation(change.db, change.tenantId, article.id)))
    refuse('cannot be set on an article that has translations')
  return found?.id ?? null
}
