import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../api/client.ts'
import { CommandError } from '../errors.ts'
import { create, update } from './create.ts'
import { examples } from './examples.generated.ts'
import type { Requests } from './requests.ts'

/** Makes an event happen and returns the id of its resource. */
export type Fixture = (api: Requests) => Promise<string>

/** Makes an object. */
type Make = (api: Requests) => Promise<Json>
const one =
  (type: string): Make =>
  (api) =>
    create(api, type)

/** Makes an object, and does something with it. */
const making =
  (make: Make, act: (api: Requests, object: Json) => unknown = () => undefined): Fixture =>
  async (api) => {
    const object = await make(api)
    await act(api, object)
    return object.id
  }

const usual = Object.entries(examples).flatMap(([type, { path }]): [string, Fixture][] => [
  [`${type}.created`, making(one(type))],
  [`${type}.updated`, making(one(type), (api, { id }) => update(api, type, id))],
  [`${type}.deleted`, making(one(type), (api, { id }) => api.delete(`${path}/${id}`))],
])

const conversation = (api: Requests, more: object = {}): Promise<Json> =>
  api.post('/v1/conversations', {
    external_user_id: `user_${api.unique}`,
    subject: 'My card was declined',
    message: { body: 'My card was declined twice, although there is money on the account.' },
    ...more,
  })

/** A new conversation, and then `POST /v1/conversations/{id}/<verb>`. */
const onConversation = (verb: string, body?: (api: Requests) => object | Promise<object>): Fixture =>
  making(conversation, async (api, { id }) => api.post(`/v1/conversations/${id}/${verb}`, await body?.(api)))

/** Lets a new operator follow a conversation; returns the path of the follower. */
async function follow(api: Requests, { id }: Json): Promise<string> {
  const operator = await create(api, 'operator')
  const path = `/v1/conversations/${id}/followers/${operator.id}`
  await api.put(path)
  return path
}

/** A file without its bytes. */
const file = (api: Requests): Promise<Json> =>
  api.post('/v1/files', { filename: 'receipt.png', content_type: 'image/png', size_bytes: 48213 })

const message = async (api: Requests): Promise<Json> => {
  const { id } = await conversation(api)
  return api.post(`/v1/conversations/${id}/messages`, {
    author_side: 'end_user',
    body: 'It worked last week with the same card.',
  })
}

/** A message whose mail the client is to send. */
const emailed = async (api: Requests): Promise<Json> => {
  const { id: mailbox_id } = await api.post('/v1/mailboxes', { address: `${api.unique}@example.com` })
  const { id } = await conversation(api, { mailbox_id })
  return api.post(`/v1/conversations/${id}/messages`, {
    author_side: 'operator',
    body: 'Does your card work again?',
    email: { to: [`${api.unique}@example.net`] },
  })
}

const scheduled = async (api: Requests): Promise<Json> => {
  const { id } = await conversation(api)
  const { now } = await api.get('/v1/test_clock')
  return api.post(`/v1/conversations/${id}/messages`, {
    author_side: 'operator',
    body: 'Good morning! Does your card work again?',
    send_at: new Date(Date.parse(now) + 86_400_000).toISOString(),
  })
}

const held = async (api: Requests): Promise<Json> => {
  const { id } = await conversation(api)
  const { id: hold_reason_id } = await create(api, 'hold_reason')
  return api.post(`/v1/conversations/${id}/hold`, { hold_reason_id })
}

const onArticle = (...verbs: string[]): Fixture =>
  making(one('kb_article'), async (api, { id }) => {
    for (const verb of verbs) await api.post(`/v1/kb/articles/${id}/${verb}`)
  })

/** Two objects of a type, of which the first is merged into the second. */
const merge =
  (type: string, path: string, more: object = {}): Fixture =>
  async (api) => {
    const [{ id }, into] = [await create(api, type, '-1'), await create(api, type, '-2')]
    await api.post(`${path}/${id}/merge`, { into_id: into.id, ...more })
    return id
  }

const apiKey = (api: Requests): Promise<Json> =>
  api.post('/v1/api_keys', { name: `Trigger ${api.unique}`, scopes: ['events:read'] })

const invitation = async (api: Requests): Promise<Json> =>
  api.post(`/v1/operators/${(await create(api, 'operator')).id}/invite`)

const session = (api: Requests): Promise<Json> =>
  api.post('/v1/end_user_sessions', { external_user_id: `user_${api.unique}` })

const suppression = (api: Requests): Promise<Json> =>
  api.post('/v1/email_suppressions', { address: `${api.unique}.bounces@example.com` })

/** Moves a new object to the beginning of its list, and returns an object whose position has changed. */
const reorder =
  (name: string, path: string): Fixture =>
  async (api) => {
    await create(api, name, '-1')
    const { id } = await create(api, name, '-2')
    const before = await positions(api, path)
    await api.post(`${path}/reorder`, { ids: [id, ...[...before.keys()].filter((each) => each !== id)] })
    const after = await positions(api, path)
    return [...after.keys()].find((each) => after.get(each) !== before.get(each))!
  }

async function positions(api: Requests, path: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for await (const { id, position } of api.items(path)) found.set(id, position)
  return found
}

const slaSeconds = 2
const patienceMs = 30_000

/** A conversation with a clock of two seconds, and nobody who replies. */
const missedDeadline =
  (type: string): Fixture =>
  async (api) => {
    const tag = `contract-${api.unique}`
    await api.post('/v1/tags', { name: tag })
    const config = await api.post('/v1/sla_configs', {
      name: `Two seconds ${api.unique}`,
      position: 0, // before those that match every conversation
      conditions: { tags_any: [tag] },
      targets: [{ first_response_seconds: slaSeconds }],
      warn_at_percent: 50,
    })
    const { id } = await conversation(api, { tags: [tag] })
    await happened(api, type, id)
    await api.patch(`/v1/sla_configs/${config.id}`, { archived: true })
    return id
  }

async function happened(api: Requests, types: string, resource_id: string): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < patienceMs; await sleep(250)) {
    const { data } = await api.get('/v1/events', { types, resource_id })
    if (data.length > 0) return
  }
  const message = `${types} did not happen within ${patienceMs / 1000} s; does a server with BACKLINE_ROLE all or worker run?`
  throw new CommandError('unavailable', message)
}

/** A job that changes one conversation. */
const job = async (api: Requests): Promise<Json> => {
  const { id } = await conversation(api)
  return api.post('/v1/bulk', { selection: { ids: [id] }, actions: [{ type: 'add_tags', tags: ['refund'] }] })
}

const workedOn = (type: string): Fixture => making(job, async (api, { id }) => happened(api, type, id))

const particular: Record<string, Fixture> = {
  'api_key.created': making(apiKey),
  'api_key.revoked': making(apiKey, (api, { id }) => api.delete(`/v1/api_keys/${id}`)),
  'api_key.rotated': making(apiKey, (api, { id }) => api.post(`/v1/api_keys/${id}/rotate`)),
  'conversation.assigned': onConversation('assign', async (api) => ({
    assignee_id: (await create(api, 'operator')).id,
  })),
  'conversation.closed': onConversation('close'),
  'conversation.created': making(conversation),
  'conversation.follower_added': making(conversation, follow),
  'conversation.follower_removed': making(conversation, async (api, object) => {
    await api.delete(await follow(api, object))
  }),
  'conversation.held': making(held),
  'conversation.merged': async (api) => {
    const into = await conversation(api)
    const { id } = await conversation(api, { subject: 'Card again' })
    await api.post(`/v1/conversations/${id}/merge`, { into_id: into.id })
    return id
  },
  'conversation.read': onConversation('read', () => ({ side: 'operator' })),
  'conversation.reopened': making(conversation, async (api, { id }) => {
    await api.post(`/v1/conversations/${id}/resolve`)
    await api.post(`/v1/conversations/${id}/reopen`)
  }),
  'conversation.resolved': onConversation('resolve'),
  'conversation.resumed': making(held, (api, { id }) => api.post(`/v1/conversations/${id}/resume`)),
  'conversation.sla_breached': missedDeadline('conversation.sla_breached'),
  'conversation.sla_warning': missedDeadline('conversation.sla_warning'),
  'conversation.tags_changed': onConversation('tags', () => ({ add: ['refund'] })),
  'conversation.updated': making(conversation, (api, { id }) =>
    api.patch(`/v1/conversations/${id}`, { priority: 'high' }),
  ),
  'department.members_changed': making(one('department'), async (api, { id }) =>
    api.put(`/v1/departments/${id}/operators/${(await create(api, 'operator')).id}`),
  ),
  'email_suppression.created': making(suppression),
  'email_suppression.deleted': making(suppression, (api, { id }) =>
    api.delete(`/v1/email_suppressions/${id}`),
  ),
  'end_user_session.created': making(session),
  'end_user_session.revoked': making(session, (api, { id }) => api.delete(`/v1/end_user_sessions/${id}`)),
  'faq.reordered': reorder('faq', '/v1/faqs'),
  'invitation.created': making(invitation),
  'invitation.revoked': making(invitation, (api, { id }) => api.delete(`/v1/invitations/${id}`)),
  'job.created': making(job),
  'job.ended': workedOn('job.ended'),
  'job.started': workedOn('job.started'),
  'kb_article.archived': onArticle('archive'),
  'kb_article.published': onArticle('publish'),
  'kb_article.unpublished': onArticle('publish', 'unpublish'),
  'file.created': making(file),
  'file.deleted': making(file, (api, { id }) => api.delete(`/v1/files/${id}`)),
  'message.created': making(message),
  'message.delivery_changed': making(emailed, (api, { id }) =>
    api.post(`/v1/messages/${id}/delivery`, { status: 'delivered' }),
  ),
  'message.redacted': making(message, (api, { id }) => api.post(`/v1/messages/${id}/redact`)),
  'message.schedule_cancelled': making(scheduled, (api, { id }) => api.delete(`/v1/messages/${id}`)),
  'message.schedule_dropped': making(scheduled, (api, { conversation_id }) =>
    api.post(`/v1/conversations/${conversation_id}/close`),
  ),
  'message.scheduled': making(scheduled),
  'message.updated': making(message, (api, { id }) =>
    api.patch(`/v1/messages/${id}`, { body: 'It worked yesterday with the same card.' }),
  ),
  'operator.status_changed': making(one('operator'), (api, { id }) =>
    api.put(`/v1/operators/${id}/status`, { status: 'online', reason: 'Morning shift' }),
  ),
  'sla_config.reordered': reorder('sla_config', '/v1/sla_configs'),
  'view.reordered': reorder('view', '/v1/views'),
  'end_user.blocked': making(one('end_user'), (api, { id }) =>
    api.post(`/v1/end_users/${id}/block`, { reason: 'Spam' }),
  ),
  'end_user.erased': making(one('end_user'), async (api, { id }) => {
    await api.post(`/v1/end_users/${id}/erase`)
    await happened(api, 'end_user.erased', id)
  }),
  'end_user.merged': merge('end_user', '/v1/end_users', { keep_alias: true }),
  'end_user.unblocked': making(one('end_user'), async (api, { id }) => {
    await api.post(`/v1/end_users/${id}/block`)
    await api.post(`/v1/end_users/${id}/unblock`)
  }),
  'tag.merged': merge('tag', '/v1/tags'),
  'webhook_endpoint.secret_rotated': making(one('webhook_endpoint'), (api, { id }) =>
    api.post(`/v1/webhook_endpoints/${id}/rotate_secret`),
  ),
  'workspace.updated': async (api) => {
    const { id, auto_close_after_seconds: before } = await api.get('/v1/workspace')
    // By one second: a shorter time could close resolved conversations meanwhile.
    const other = before < 31_536_000 ? before + 1 : before - 1
    await api.patch('/v1/workspace', { auto_close_after_seconds: other })
    await api.patch('/v1/workspace', { auto_close_after_seconds: before })
    return id
  },
}

/** Why the other event types have no fixture. */
export const beyondRequests = {
  'console_session.created': 'cannot be triggered: it happens when an operator signs in to the console',
  'console_session.revoked': 'cannot be triggered: it happens when an operator signs out of the console',
  'invitation.accepted':
    'cannot be triggered: it happens when an operator signs in by the link of an invitation',
  'conversation.imported': 'cannot be triggered: it happens when an import writes a conversation of the past',
  'file.ready': 'cannot be triggered: it happens when the bytes of a file have been uploaded (docs/files.md)',
  'file.rejected': 'cannot be triggered: it happens when the bytes of a file are refused (docs/files.md)',
  'inbound_email.processed':
    'cannot be triggered: it happens when a mail that arrived was processed (docs/mail.md)',
  'notification.created':
    'cannot be triggered: it happens behind what an operator is notified of, such as an assignment',
  'notification_preferences.updated':
    'cannot be triggered: it happens when an operator changes what they are notified of',
  'webhook_endpoint.disabled':
    'cannot be triggered: the server disables an endpoint whose receiver answers 410, or fails for five days',
}

/** Event types with their fixtures. */
export const fixtures = new Map(
  [...usual, ...Object.entries(particular)].sort(([a], [b]) => (a < b ? -1 : 1)),
)
