import { localeKey } from '../../../../platform/kernel/locales.ts'
import { textOfHtml } from '../../../../platform/kernel/markdown.ts'
import { nameKey } from '../../../../platform/kernel/names.ts'
import { on } from '../../../../platform/resource/resource.ts'
import { forgetDocument, indexDocument } from '../../../../platform/search/search-index.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { forgetVotes } from '../../../../platform/votes/votes.ts'
import { recordKnowledgeUses } from '../../../catalogue/tags/actions.ts'
import { articles } from './entity.ts'
import { jobs } from './lifecycle.ts'
import {
  type Article,
  deleteSlugs,
  deleteVersions,
  familyOf,
  holdSlugs,
  releaseSlugs,
  type SlugKey,
} from './queries.ts'

/** The reactions to any change of an article. */
function follow(change: Change, before: Article | null, after: Article | null): void {
  moveSlugs(change, before, after)
  recordKnowledgeUses(change, (after ?? before)!.id, tagsOf(before), tagsOf(after))
  index(change, before, after)
  schedulePublishing(change, before, after)
  if (!after) {
    change.effects.write(deleteVersions(change.tenantId, before!.id))
    forgetVotes(change, before!.id)
  }
}

export const slugKeyOf = ({ locale, slug }: { locale: string; slug: string }): SlugKey => ({
  locale_key: localeKey(locale),
  slug_key: nameKey(slug),
})

/** An article holds the slugs of its draft and its published version; released ones become former slugs. */
function moveSlugs(change: Change, before: Article | null, after: Article | null): void {
  if (!after) {
    change.effects.write(deleteSlugs(change.tenantId, before!.id))
    return
  }
  const [former, present] = [heldBy(before), heldBy(after)]
  for (const [name, slug] of present) {
    if (former.has(name)) continue
    change.effects.claim(`kb_slug/${name}`)
    change.effects.writeExpecting(holdSlugs, { ...slug, article_id: after.id })
  }
  for (const [name, slug] of former) {
    if (present.has(name)) continue
    change.effects.claim(`kb_slug/${name}`)
    change.effects.writeBatched(releaseSlugs, { ...slug, article_id: after.id })
  }
}

function heldBy(article: Article | null): Map<string, SlugKey> {
  const slugs = article ? [article, article.published].filter((each) => each !== null).map(slugKeyOf) : []
  return new Map(slugs.map((slug) => [`${slug.locale_key}/${slug.slug_key}`, slug]))
}

/** The tags of the draft and of the published version. */
const tagsOf = (article: Article | null) => [...(article?.tags ?? []), ...(article?.published_tags ?? [])]

/** The published version is searchable. */
function index(change: Change, before: Article | null, after: Article | null): void {
  if (!after?.published) {
    if (before?.published) forgetDocument(change, 'kb_article', before.id)
    return
  }
  const same = before?.published_version === after.published_version && familyOf(before) === familyOf(after)
  if (same) return
  const { title, excerpt, locale, collection_id } = after.published
  indexDocument(change, {
    kind: 'kb_article',
    id: after.id,
    family_id: familyOf(after),
    locale_key: localeKey(locale),
    collection_id,
    title: title!,
    summary: excerpt ?? '',
    text: textOfHtml(after.published_body_html!),
  })
}

function schedulePublishing(change: Change, before: Article | null, after: Article | null): void {
  const [former, present] = [before?.publish_at ?? null, after?.publish_at ?? null]
  if (former === present) return
  if (present) change.jobs.schedule(jobs.publish, after!.id, present)
  else change.jobs.cancel(jobs.publish, before!.id)
}

export const articleReactions = [on(articles, follow)]
