import { defineResource, on } from '../../../platform/resource/resource.ts'
import { endUsers } from '../end-users/entity.ts'
import { endSessionsOf } from './actions.ts'
import { sessions } from './entity.ts'
import { routes } from './routes.ts'
import { sessionExample } from './schema.ts'

export default defineResource({
  name: 'sessions',
  title: 'Sessions of end users',
  group: { title: 'People', place: 19 },
  scopes: { family: 'end_user_sessions', roles: { agent: 'none', lead: 'none' } },
  description:
    'A session gives a web page or app an end-user token: for one end user, for a limited time, revocable at once.',
  routes,
  entities: [sessions],
  reactions: [on(endUsers, (change, before, after) => (after ? undefined : endSessionsOf(change, before!)))],
  events: [
    {
      type: 'end_user_session.created',
      description: 'A session of an end user was created: by a secret key, a JWT, a visitor, or a renewal.',
      example: sessionExample,
    },
    {
      type: 'end_user_session.revoked',
      description: 'A session of an end user was revoked.',
      example: { ...sessionExample, revoked_at: sessionExample.updated_at },
    },
  ],
})
