import { crud } from '../../../platform/resource/crud.ts'
import { write } from '../../../platform/resource/resource.ts'
import { createTag, deleteTag, mergeTag, updateTag } from './actions.ts'
import { tagOrders, tagTable } from './queries.ts'
import { NewTag, TagMerge, TagPatch, tagWire } from './schema.ts'

export const routes = [
  ...crud({
    path: '/tags',
    family: 'tags',
    prefix: 'tag',
    noun: 'tag',
    wire: tagWire,
    table: tagTable,
    orders: tagOrders,
    create: {
      description:
        'Creates a tag that nothing has yet. Unknown tags are also created when they are first set on a conversation, article or FAQ, so this is needed only to set a color or description beforehand.',
      body: NewTag,
      example: { name: 'billing', color: '#2f80ed' },
      handle: createTag,
    },
    list: {
      description: 'Lists the tags of the environment with the number of conversations that have each.',
    },
    read: {
      description: 'Returns a tag by its id. A tag that was merged into another one is gone and returns 404.',
    },
    update: {
      description:
        'A new name appears at once on everything that has the tag. An archived tag stays where it is but cannot be added to anything else.',
      body: TagPatch,
      example: { color: '#eb5757' },
      handle: (change, patch, id) => updateTag(change, id, patch),
    },
    remove: {
      description:
        'A tag that a conversation, article, FAQ or SLA config has cannot be deleted (409). Archive it or merge it into another tag instead.',
      handle: deleteTag,
    },
  }),
  write({
    method: 'POST',
    path: '/tags/{id}/merge',
    name: 'mergeTag',
    summary: 'Merge a tag into another',
    description:
      'Replaces the tag with the other one everywhere and deletes it. The name of the merged tag stays as an alias of the other tag. Returns the other tag.',
    scope: 'tags:write',
    params: { id: 'tag' },
    body: TagMerge,
    bodyExample: { into_id: 'tag_01kah1x2pje4x8ywz5v3k0t6ab' },
    reply: tagWire,
    handle: (change, { params, body }) => mergeTag(change, params.id, body.into_id),
  }),
]
