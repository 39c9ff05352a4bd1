import { type Instant, parseInstant } from '../../../../platform/kernel/clock.ts'
import { type FieldError, invalidBody } from '../../../../platform/kernel/errors.ts'
import { renderMarkdown } from '../../../../platform/kernel/markdown.ts'
import type { Job } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import type { Actor } from '../../../../platform/unit-of-work/principal.ts'
import { articles } from './entity.ts'
import { useImages } from './images/using.ts'
import { jobs, transition } from './lifecycle.ts'
import { type Article, findVersion, insertVersion } from './queries.ts'
import { particularsOf, saveArticle } from './save.ts'
import { maxBodyBytes, type Publication, type Restoration } from './schema.ts'

/** Publishes the draft, or schedules its publication. */
export async function publishArticle(
  change: Change,
  id: string,
  { publish_at }: Publication,
): Promise<Article> {
  const article = await change.rows.load(articles, id)
  transition(article.status, 'publish')
  if (publish_at == null) return publish(change, article, change.ctx.principal.actor)
  return saveArticle(change, article, appointment(change, article, publish_at))
}

/** The changes of an article whose publication is scheduled; null cancels it. */
export function appointment(change: Change, draft: Article, at: string | null): Partial<Article> {
  if (at === null) return { publish_at: null, publish_by: null }
  const publishAt = parseInstant(at)!
  if (publishAt === draft.publish_at) return {}
  const past: FieldError = { pointer: '/publish_at', code: 'too_small', detail: 'must be in the future' }
  if (publishAt <= change.now) throw invalidBody(past)
  requireComplete(draft, 'is required to publish the draft')
  return { publish_at: publishAt, publish_by: change.ctx.principal.actor }
}

/** @throws ApiError 422 for a draft without a title or a body */
export function requireComplete({ title, body }: Article, detail: string): void {
  const faults: FieldError[] = []
  if (title === null) faults.push({ pointer: '/title', code: 'required', detail })
  if (body === null || body.trim() === '') faults.push({ pointer: '/body', code: 'required', detail })
  if (faults.length > 0) throw invalidBody(...faults)
}

async function publish(change: Change, draft: Article, by: Actor): Promise<Article> {
  requireComplete(draft, 'is required to publish the draft')
  const version = draft.last_version + 1
  const { title, body, excerpt } = draft
  const published_at = change.now
  change.effects.write(
    insertVersion(change.tenantId, draft.id, {
      version,
      title: title!,
      body: body!,
      excerpt,
      published_at,
      published_by: by,
    }),
  )
  const served: Partial<Article> = {
    status: transition(draft.status, 'publish'),
    published: particularsOf(draft),
    published_body: body,
    published_body_html: draft.body_html,
    published_tags: draft.tags,
    published_version: version,
    published_at,
    last_version: version,
    publish_at: null,
    publish_by: null,
  }
  return saveArticle(change, draft, served, 'kb_article.published')
}

/** The state without a published version and without a scheduled one. */
const withdrawn = {
  published: null,
  published_body: null,
  published_body_html: null,
  published_tags: [],
  published_version: null,
  published_at: null,
  publish_at: null,
  publish_by: null,
} satisfies Partial<Article>

export async function unpublishArticle(change: Change, id: string): Promise<Article> {
  const article = await change.rows.load(articles, id)
  const status = transition(article.status, 'unpublish')
  return saveArticle(change, article, { ...withdrawn, status }, 'kb_article.unpublished')
}

export async function archiveArticle(change: Change, id: string): Promise<Article> {
  const article = await change.rows.load(articles, id)
  const status = transition(article.status, 'archive')
  return saveArticle(change, article, { ...withdrawn, status }, 'kb_article.archived')
}

/** Copies title, excerpt and body of an earlier version into the draft; everything else stays. */
export async function restoreArticle(change: Change, id: string, { version }: Restoration): Promise<Article> {
  const former = await findVersion(change.db, change.tenantId, id, version)
  const html = former && (await renderMarkdown(change.ctx, former.body, '/version', maxBodyBytes, () => true))
  const article = await change.rows.load(articles, id)
  if (!former)
    throw invalidBody({
      pointer: '/version',
      code: 'not_found',
      detail: 'must be an existing version of this article',
    })
  const { title, body, excerpt } = former
  const body_html = body === article.body ? article.body_html : html!
  await useImages(change, id, body_html, '/version')
  return saveArticle(change, article, { title, body, body_html, excerpt })
}

/** Publishes the draft of that time at `publish_at`. */
export const publishing: Job = {
  name: jobs.publish,
  subjects: articles,
  async perform(change: Change, articleId: string, dueAt: Instant) {
    const article = await change.rows.find(articles, articleId)
    if (article?.publish_at === dueAt) await publish(change, article, article.publish_by!)
  },
}
