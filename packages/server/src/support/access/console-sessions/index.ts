import { defineResource, on } from '../../../platform/resource/resource.ts'
import { operators } from '../../team/operators/entity.ts'
import { followOperator } from './actions.ts'
import { consoleSessions } from './entity.ts'
import { routes } from './routes.ts'
import { consoleSessionEventExample } from './schema.ts'

export default defineResource({
  name: 'console-sessions',
  title: 'Console sessions',
  group: { title: 'Team', place: 23 },
  description:
    'A session lets an operator use the console in one environment, with the scopes of its role. A sign-in makes one in each environment that has an operator with the e-mail address.',
  routes,
  entities: [consoleSessions],
  reactions: [on(operators, followOperator)],
  eventsScope: 'operators:write', // the routes show one's own sessions without it
  events: [
    {
      type: 'console_session.created',
      description: 'An operator signed in to the console.',
      example: consoleSessionEventExample,
    },
    {
      type: 'console_session.revoked',
      description:
        'A session in the console was revoked, or its operator signed out, was archived or unarchived, or got another `email`, a higher `role` or a 21st session.',
      example: { ...consoleSessionEventExample, revoked_at: consoleSessionEventExample.updated_at },
    },
  ],
})
