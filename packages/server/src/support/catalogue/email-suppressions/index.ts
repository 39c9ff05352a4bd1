import { defineResource, on } from '../../../platform/resource/resource.ts'
import { expireSuppression } from './actions.ts'
import { emailSuppressions, expiryJob } from './entity.ts'
import { routes } from './routes.ts'
import { suppressionExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `email_suppression.${verb}`,
  description,
  example: suppressionExample,
})

export default defineResource({
  name: 'email-suppressions',
  title: 'E-mail suppressions',
  group: { title: 'E-mail', place: 39 },
  description: 'E-mail addresses that get no mail, because mail came back or somebody complained.',
  routes,
  entities: [emailSuppressions],
  jobs: [{ name: expiryJob, subjects: emailSuppressions, perform: expireSuppression }],
  reactions: [
    on(emailSuppressions, (change, before, after) => {
      if (after?.expires_at) change.jobs.schedule(expiryJob, after.id, after.expires_at)
      else if (before?.expires_at) change.jobs.cancel(expiryJob, before.id)
    }),
  ],
  events: [
    event('created', 'An address was suppressed.'),
    event('deleted', 'A suppression was deleted or has ended: its address gets mail again.'),
  ],
})
