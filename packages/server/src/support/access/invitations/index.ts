import { defineResource, on } from '../../../platform/resource/resource.ts'
import { operators } from '../../team/operators/entity.ts'
import { followOperator, invitationJobs } from './actions.ts'
import { invitations } from './entity.ts'
import { routes } from './routes.ts'
import { invitationExample } from './schema.ts'

const event = (verb: string, description: string, changed = {}) => ({
  type: `invitation.${verb}`,
  description,
  example: { ...invitationExample, ...changed },
})

export default defineResource({
  name: 'invitations',
  title: 'Invitations',
  group: { title: 'Team', place: 24 },
  description:
    'An invitation is a link that signs in to the console as an operator, once. An operator has at most one pending invitation.',
  routes,
  entities: [invitations],
  reactions: [on(operators, followOperator)],
  jobs: invitationJobs,
  eventsScope: 'operators:write', // the routes show nothing without it
  events: [
    event('created', 'An operator was invited.'),
    event('accepted', 'An operator signed in to the console by the link of an invitation.', {
      status: 'accepted',
      accepted_at: invitationExample.updated_at,
      version: 2,
    }),
    event(
      'revoked',
      'An invitation was revoked, or its operator was invited again, was archived or deleted, or got another `email` or a higher `role`.',
      { status: 'revoked', revoked_at: invitationExample.updated_at, version: 2 },
    ),
  ],
})
