import { defineResource } from '../../../platform/resource/resource.ts'
import { articles } from './articles/entity.ts'
import { imageRoutes } from './articles/images/routes.ts'
import { imageReaction } from './articles/images/using.ts'
import { publishing } from './articles/publishing.ts'
import { articleReactions } from './articles/reactions.ts'
import { articleRoutes } from './articles/routes.ts'
import { articleExample } from './articles/schema.ts'
import { collections } from './collections/entity.ts'
import { collectionRoutes } from './collections/routes.ts'
import { collectionExample } from './collections/schema.ts'
import { searchRoutes } from './search/routes.ts'
import { searchesRoutes } from './searches/routes.ts'

const article = (verb: string, description: string, changed = {}) => ({
  type: `kb_article.${verb}`,
  description,
  example: { ...articleExample, ...changed },
})
const collection = (verb: string, description: string) => ({
  type: `kb_collection.${verb}`,
  description,
  example: collectionExample,
})
const unserved = { published_version: null, published_at: null }

export default defineResource({
  name: 'kb',
  title: 'Knowledge base',
  group: { title: 'Knowledge', place: 41 },
  scopes: { family: 'kb', roles: { agent: 'read', lead: 'write' } },
  description:
    'Articles organized in collections, each with a draft and a published version, and search across them.',
  routes: [...collectionRoutes, ...articleRoutes, ...imageRoutes, ...searchRoutes, ...searchesRoutes],
  entities: [articles, collections],
  reactions: [...articleReactions, imageReaction],
  events: [
    article('created', 'An article was created, as a draft.', { ...unserved, status: 'draft' }),
    article('updated', 'The draft of an article or its publication time changed.'),
    article('published', 'The draft of an article was published.'),
    article('unpublished', 'An article was unpublished and is a draft again.', {
      ...unserved,
      status: 'draft',
    }),
    article('archived', 'An article was archived.', { ...unserved, status: 'archived' }),
    article('deleted', 'An article was deleted.'),
    collection('created', 'A collection was created.'),
    collection('updated', 'A collection was renamed, moved or archived.'),
    collection('deleted', 'An empty collection was deleted.'),
  ],
  jobs: [publishing],
})
