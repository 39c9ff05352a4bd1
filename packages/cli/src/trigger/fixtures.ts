import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../api/client.ts'
import { CommandError } from '../errors.ts'
import { create, update } from './create.ts'
import { examples } from './examples.generated.ts'
import type { Requests } from './requests.ts'

/** Makes an event happen and returns the id of its resource. */
export type Fixture = (api: Requests) => Promise<string>

const usual = Object.entries(examples).flatMap(([type, { path }]): [string, Fixture][] => [
  [`${type}.created`, async (api) => (await create(api, type)).id],
  [
    `${type}.updated`,
    async (api) => {
      const { id } = await create(api, type)
      await update(api, type, id)
      return id
    },
  ],
  [
    `${type}.deleted`,
    async (api) => {
      const { id } = await create(api, type)
      await api.delete(`${path}/${id}`)
      return id
    },
  ],
])

const conversation = (api: Requests, more: object = {}): Promise<Json> =>
  api.post('/v1/conversations', {
    external_user_id: `user_${api.unique}`,
    subject: 'My card was declined',
    message: { body: 'My card was declined twice, although there is money on the account.' },
    ...more,
  })

/** A new conversation, and then `POST /v1/conversations/{id}/<verb>`. */
const onConversation =
  (verb: string, body?: (api: Requests) => object | Promise<object>): Fixture =>
  async (api) => {
    const { id } = await conversation(api)
    await api.post(`/v1/conversations/${id}/${verb}`, await body?.(api))
    return id
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

const scheduled = async (api: Requests): Promise<Json> => {
  const { id } = await conversation(api)
  const { now } = await api.get('/v1/test_clock')
  return api.post(`/v1/conversations/${id}/messages`, {
    author_side: 'operator',
    body: 'Good morning! Does your card work again?',
    send_at: new Date(Date.parse(now) + 86_400_000).toISOString(),
  })
}

const hold = async (api: Requests): Promise<string> => {
  const { id } = await conversation(api)
  const { id: hold_reason_id } = await create(api, 'hold_reason')
  await api.post(`/v1/conversations/${id}/hold`, { hold_reason_id })
  return id
}

const onArticle =
  (...verbs: string[]): Fixture =>
  async (api) => {
    const { id } = await create(api, 'kb_article')
    for (const verb of verbs) await api.post(`/v1/kb/articles/${id}/${verb}`)
    return id
  }

const apiKey = (api: Requests): Promise<Json> =>
  api.post('/v1/api_keys', { name: `Trigger ${api.unique}`, scopes: ['events:read'] })

const session = (api: Requests): Promise<Json> =>
  api.post('/v1/end_user_sessions', { external_user_id: `user_${api.unique}` })

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

const particular: Record<string, Fixture> = {
  'api_key.created': async (api) => (await apiKey(api)).id,
  'api_key.revoked': async (api) => {
    const { id } = await apiKey(api)
    await api.delete(`/v1/api_keys/${id}`)
    return id
  },
  'api_key.rotated': async (api) => {
    const { id } = await apiKey(api)
    await api.post(`/v1/api_keys/${id}/rotate`)
    return id
  },
  'conversation.assigned': onConversation('assign', async (api) => ({
    assignee_id: (await create(api, 'operator')).id,
  })),
  'conversation.closed': onConversation('close'),
  'conversation.created': async (api) => (await conversation(api)).id,
  'conversation.held': hold,
  'conversation.merged': async (api) => {
    const into = await conversation(api)
    const { id } = await conversation(api, { subject: 'Card again' })
    await api.post(`/v1/conversations/${id}/merge`, { into_id: into.id })
    return id
  },
  'conversation.read': onConversation('read', () => ({ side: 'operator' })),
  'conversation.reopened': async (api) => {
    const { id } = await conversation(api)
    await api.post(`/v1/conversations/${id}/resolve`)
    await api.post(`/v1/conversations/${id}/reopen`)
    return id
  },
  'conversation.resolved': onConversation('resolve'),
  'conversation.resumed': async (api) => {
    const id = await hold(api)
    await api.post(`/v1/conversations/${id}/resume`)
    return id
  },
  'conversation.sla_breached': missedDeadline('conversation.sla_breached'),
  'conversation.sla_warning': missedDeadline('conversation.sla_warning'),
  'conversation.tags_changed': onConversation('tags', () => ({ add: ['refund'] })),
  'conversation.updated': async (api) => {
    const { id } = await conversation(api)
    await api.patch(`/v1/conversations/${id}`, { priority: 'high' })
    return id
  },
  'department.members_changed': async (api) => {
    const [{ id }, operator] = [await create(api, 'department'), await create(api, 'operator')]
    await api.put(`/v1/departments/${id}/operators/${operator.id}`)
    return id
  },
  'end_user_session.created': async (api) => (await session(api)).id,
  'end_user_session.revoked': async (api) => {
    const { id } = await session(api)
    await api.delete(`/v1/end_user_sessions/${id}`)
    return id
  },
  'faq.reordered': reorder('faq', '/v1/faqs'),
  'kb_article.archived': onArticle('archive'),
  'kb_article.published': onArticle('publish'),
  'kb_article.unpublished': onArticle('publish', 'unpublish'),
  'file.created': async (api) => (await file(api)).id,
  'file.deleted': async (api) => {
    const { id } = await file(api)
    await api.delete(`/v1/files/${id}`)
    return id
  },
  'message.created': async (api) => (await message(api)).id,
  'message.redacted': async (api) => {
    const { id } = await message(api)
    await api.post(`/v1/messages/${id}/redact`)
    return id
  },
  'message.schedule_cancelled': async (api) => {
    const { id } = await scheduled(api)
    await api.delete(`/v1/messages/${id}`)
    return id
  },
  'message.schedule_dropped': async (api) => {
    const { id, conversation_id } = await scheduled(api)
    await api.post(`/v1/conversations/${conversation_id}/close`)
    return id
  },
  'message.scheduled': async (api) => (await scheduled(api)).id,
  'message.updated': async (api) => {
    const { id } = await message(api)
    await api.patch(`/v1/messages/${id}`, { body: 'It worked yesterday with the same card.' })
    return id
  },
  'operator.status_changed': async (api) => {
    const { id } = await create(api, 'operator')
    await api.put(`/v1/operators/${id}/status`, { status: 'online', reason: 'Morning shift' })
    return id
  },
  'sla_config.reordered': reorder('sla_config', '/v1/sla_configs'),
  'view.reordered': reorder('view', '/v1/views'),
  'end_user.blocked': async (api) => {
    const { id } = await create(api, 'end_user')
    await api.post(`/v1/end_users/${id}/block`, { reason: 'Spam' })
    return id
  },
  'end_user.merged': async (api) => {
    const [{ id }, into] = [await create(api, 'end_user', '-1'), await create(api, 'end_user', '-2')]
    await api.post(`/v1/end_users/${id}/merge`, { into_id: into.id, keep_alias: true })
    return id
  },
  'end_user.unblocked': async (api) => {
    const { id } = await create(api, 'end_user')
    await api.post(`/v1/end_users/${id}/block`)
    await api.post(`/v1/end_users/${id}/unblock`)
    return id
  },
  'tag.merged': async (api) => {
    const [{ id }, into] = [await create(api, 'tag', '-1'), await create(api, 'tag', '-2')]
    await api.post(`/v1/tags/${id}/merge`, { into_id: into.id })
    return id
  },
  'webhook_endpoint.secret_rotated': async (api) => {
    const { id } = await create(api, 'webhook_endpoint')
    await api.post(`/v1/webhook_endpoints/${id}/rotate_secret`)
    return id
  },
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
  'file.ready': 'cannot be triggered: it happens when the bytes of a file have been uploaded (docs/files.md)',
  'file.rejected': 'cannot be triggered: it happens when the bytes of a file are refused (docs/files.md)',
  'webhook_endpoint.disabled':
    'cannot be triggered: the server disables an endpoint whose receiver answers 410, or fails for five days',
}

/** Event types with their fixtures. */
export const fixtures = new Map(
  [...usual, ...Object.entries(particular)].sort(([a], [b]) => (a < b ? -1 : 1)),
)
