import { defineResource } from '../../../platform/resource/resource.ts'
import { endBlock } from './block.ts'
import { endUsers } from './entity.ts'
import { endUserReactions } from './reactions.ts'
import { routes } from './routes.ts'
import { endUserExample } from './schema.ts'

const event = (verb: string, description: string, changed = {}) => ({
  type: `end_user.${verb}`,
  description,
  example: { ...endUserExample, ...changed },
})

export default defineResource({
  name: 'end-users',
  title: 'End users',
  group: { title: 'People', place: 17 },
  scopes: { family: 'end_users', roles: { agent: 'write', lead: 'write' } },
  description: 'The people who write to you: their addresses, companies, sessions and identity.',
  routes,
  entities: [endUsers],
  reactions: endUserReactions,
  events: [
    event('created', 'An end user was created, explicitly or by a first conversation or session.'),
    event('updated', 'An end user was updated, or another one was merged into it.'),
    event('merged', 'An end user was merged into another one, `merged_into_id`.', {
      status: 'merged',
      external_id: null,
      emails: [],
      phones: [],
      company_ids: [],
      merged_into_id: 'eu_01kah1x2pje4x8ywz5v3k0t6ab',
    }),
    event('blocked', 'An end user was blocked.', {
      status: 'blocked',
      block: { reason: 'Spam', since: endUserExample.updated_at, until: null },
    }),
    event('unblocked', 'A block was ended, by a request or at its time.'),
    event('deleted', 'An end user without conversations was deleted.'),
    {
      ...event(
        'erased',
        'The data of an end user is being erased, and is gone soon. The object has the id alone, and the end users that were merged into it have such events, too.',
      ),
      members: endUsers.shownIn!['end_user.erased']!,
    },
  ],
  jobs: [endBlock],
})
