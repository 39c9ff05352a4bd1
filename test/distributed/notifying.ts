import { touchConsumer } from '@backline/server/platform/journal/positions.ts'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import {
  environmentsToNotice,
  noticingLag,
} from '@backline/server/support/desk/notifications/noticing/queries.ts'
import {
  environmentsWithExpiredNotifications,
  sweepNotifications,
} from '@backline/server/support/desk/notifications/queries.ts'
import { act, conversation, department, operators, say, succeeded } from '../desk.ts'
import type { Client, Service } from '../harness.ts'
import { until } from '../processes.ts'

const as = (id: string) => ({ 'backline-operator': id })

/** Notifies operators of everything there is, and reads, moves and removes their notifications. */
export async function notifyOperators(api: Service, client: Client, tenantId: string): Promise<void> {
  const [ada, grace, alan] = (await operators(client, 3)) as [string, string, string]
  const dept = await department(client, [ada, grace], { assignment: { strategy: 'manual' } })
  const { id } = await conversation(client)
  const { id: target } = await conversation(client)
  const path = (one: string, who: string) => `/v1/conversations/${one}/followers/${who}`
  const preferences = { kinds: { answered: { desktop: false } } }
  for (const key of ['first', 'again']) {
    const headers = { ...as(ada), 'idempotency-key': `${key} ${ada}` }
    succeeded(await client.patch('/v1/notification_preferences', preferences, headers))
  }
  succeeded(await client.get('/v1/notification_preferences', as(ada)))
  for (const one of [id, target]) {
    for (const who of [alan, grace]) succeeded(await client.put(path(one, who)))
    await act(client, one, 'assign', { assignee_id: ada })
    await say(client, one, 'operator', { operator_id: grace, visibility: 'internal', mentions: [ada] })
    await say(client, one, 'end_user')
  }
  succeeded(await client.delete(path(id, alan)))
  succeeded(await client.put(path(id, alan)))
  succeeded(await client.delete(path(id, alan)))
  succeeded(await client.delete(path(id, ada)))
  succeeded(await client.get(`/v1/conversations/${id}/followers?include=total`))
  await act(client, id, 'assign', { assignee_id: null, department_id: dept })
  succeeded(await client.post('/v1/notifications/read_all', {}, as(alan)))
  const list = async (query: string) =>
    succeeded(await client.get(`/v1/notifications?include=total,conversation,message${query}`, as(ada))).data
  await until('they are notified', async () => (await list('')).length >= 4)
  for (const query of [
    '&sort=created_at',
    '&sort=-created_at',
    `&read=false&kind=answered&conversation_id=${id}`,
  ])
    await list(`${query}&notified_after=2020-01-01T00:00:00Z`)
  const [first] = await list('&read=false')
  for (const action of ['read', 'unread'])
    succeeded(await client.post(`/v1/notifications/${first.id}/${action}`, {}, as(ada)))
  succeeded(await client.get(`/v1/notifications/${first.id}`, as(ada)))
  succeeded(await client.get('/v1/notifications/unread_count', as(ada)))
  succeeded(await client.get(`/v1/conversations?include=followers&follower_id=${grace}`))
  const filter = encodeURIComponent(JSON.stringify({ field: 'follower_ids', op: 'exists', value: true }))
  succeeded(await client.get(`/v1/conversations?filter=${filter}`))
  await act(client, id, 'merge', { into_id: target })
  const { id: gone } = await conversation(client, { follow_up_of_id: target })
  await act(client, gone, 'assign', { assignee_id: ada })
  succeeded(await client.delete(`/v1/conversations/${gone}`))
  const read = { conversation_id: target, kinds: ['answered'], up_to: new Date(api.now()).toISOString() }
  succeeded(await client.post('/v1/notifications/read_all', read, as(ada)))
  const [passing] = (await operators(client, 1)) as [string]
  succeeded(await client.delete(`/v1/operators/${passing}`))
  await until('all is noticed', async () => (await environmentsToNotice(api.db)).length === 0)
  await api.db.home(tenantId).write(touchConsumer(tenantId, [{ consumer: 'nobody', at: null }]))
  await noticingLag(api.db, api.now())
  await environmentsWithExpiredNotifications(api.db, api.now())
  await sweepNotifications(api.db.home(tenantId), tenantId, toInstant(api.now() - 40 * 86_400_000), 10)
}
