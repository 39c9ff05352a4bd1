import { defineResource, on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { operators } from '../../team/operators/entity.ts'
import type { Operator } from '../../team/operators/queries.ts'
import { notifications, preferences } from './entity.ts'
import { forgetOperator } from './noticing/consumer.ts'
import { routes } from './routes.ts'
import { notificationExample, preferencesExample } from './schema.ts'

/** Whoever is new, or back, can be notified of what happens from now on. */
function followOperator(change: Change, before: Operator | null, after: Operator | null): void {
  const { ctx, tenantId } = change
  const isBack = after !== null && !after.archived && (before === null || before.archived)
  if (!after) forgetOperator(change, before!.id)
  else if (isBack) change.effects.afterCommit(() => ctx.services.commits.reportFollowers(tenantId))
}

export default defineResource({
  name: 'notifications',
  title: 'Notifications',
  group: { title: 'Team' },
  scopes: { family: 'notifications', roles: { agent: 'write', lead: 'write' } },
  description:
    'What operators are told about: mentions, assignments, answers and the SLA of their conversations.',
  routes,
  entities: [notifications, preferences],
  eventsOnlyFor: ['operator_id'],
  reactions: [on(operators, followOperator)],
  events: [
    {
      type: 'notification.created',
      description:
        'An operator was notified. Further facts that raise its `count` and its reading emit none. Webhook endpoints receive it only if they name it.',
      example: { ...notificationExample, count: 1, version: 1 },
    },
    {
      type: 'notification_preferences.updated',
      description: 'An operator changed what they are notified of.',
      example: preferencesExample,
      previous: {
        kinds: { ...preferencesExample.kinds, answered: { inbox: true, desktop: true, email: false } },
      },
    },
  ],
})
