import type { Entity } from '../../../../platform/unit-of-work/entity.ts'
import { type Follower, putFollowers, removeFollowers } from './queries.ts'
import { followerWire } from './schema.ts'

const unused = (): never => {
  throw new Error('Followers are read by their conversation')
}

/** Its rows have the ids of conversations: a change adds or removes one follower of each. */
export const followers: Entity<Follower, 'conversation.follower_added' | 'conversation.follower_removed'> = {
  type: 'follower',
  resource: 'conversation',
  prefix: 'conv',
  events: ['conversation.follower_added', 'conversation.follower_removed'],
  table: {
    find: async () => null,
    findMany: async () => [],
    insert: putFollowers,
    update: unused,
    unchanged: unused,
    remove: removeFollowers,
  },
  wire: followerWire,
}
