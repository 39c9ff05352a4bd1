import { declareIds } from '../../../../platform/kernel/ids.ts'
import type { Entity } from '../../../../platform/unit-of-work/entity.ts'
import { type Article, articleTable } from './queries.ts'
import { articleWire } from './schema.ts'

const events = [
  'kb_article.created',
  'kb_article.updated',
  'kb_article.published',
  'kb_article.unpublished',
  'kb_article.archived',
  'kb_article.deleted',
] as const

export type ArticleEvent = (typeof events)[number]

export const articles: Entity<Article, ArticleEvent> = {
  type: 'kb_article',
  prefix: declareIds('kb_article', 'kba'),
  events,
  table: articleTable,
  wire: articleWire,
  unshown: ['published', 'published_body', 'published_tags', 'publish_by'],
  precedence: ['kb_article.published', 'kb_article.unpublished', 'kb_article.archived', 'kb_article.updated'],
}
