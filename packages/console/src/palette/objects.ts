import type { Backline } from '@backline/sdk'
import type { Scope } from '../data/environment.tsx'
import type { IconName } from '../design/Icon.tsx'
import { nameOfEndUser, nameOfPerson } from '../inbox/model/people.ts'
import type { pageTexts } from '../texts/pages.ts'

/** An object of the API that has a page. */
export type Found = {
  id: string
  /** Without a name, the id is shown. */
  name: string | null
  detail?: string | undefined
  /** The path below the environment. */
  path: string
}

export type Kind = {
  icon: IconName
  /** The page to which it belongs, the name of its kind. */
  page: keyof typeof pageTexts
  /** The scopes without which it is not searched. */
  scope: Scope
  /** Searches by words. */
  search?(backline: Backline, q: string, signal: AbortSignal): Promise<Found[]>
  /** Reads one by its id. Without it, the page itself says what there is. */
  read?(backline: Backline, id: string, signal: AbortSignal): Promise<Found>
  /** The path of its page, if the page is not called like it. */
  pathOf?(id: string): string
}

const limit = 5

const joined = (...parts: (string | null | undefined)[]): string | undefined =>
  parts.filter(Boolean).join(' · ') || undefined

type Api = Backline
type Conversation = Awaited<ReturnType<Api['conversations']['retrieve']>>
type EndUser = Awaited<ReturnType<Api['endUsers']['retrieve']>>
type Company = Awaited<ReturnType<Api['companies']['retrieve']>>

const ofConversation = (conversation: Conversation): Found => ({
  id: conversation.id,
  name: conversation.subject ?? nameOfPerson(conversation),
  detail: conversation.subject === null ? undefined : (nameOfPerson(conversation) ?? undefined),
  path: `inbox/all/${conversation.id}`,
})

function ofEndUser(person: EndUser): Found {
  const name = nameOfEndUser(person)
  const also = [person.emails[0]?.address, person.external_id].filter((each) => each !== name)
  return { id: person.id, name, detail: joined(...also), path: `people/${person.id}` }
}

const ofCompany = ({ id, name, domains }: Company): Found => ({
  id,
  name,
  detail: joined(...domains),
  path: `companies/${id}`,
})

const ofArticle = ({ id, title }: { id: string; title: string | null }): Found => ({
  id,
  name: title,
  path: `knowledge/articles/${id}`,
})

/** The person belongs to what is shown of a conversation, as far as the role may read it. */
const include = ['end_user'] as const

/** The kinds of objects by the prefix of their ids, in the order in which they are listed. */
export const kinds: Record<string, Kind> = {
  conv: {
    icon: 'inbox',
    page: 'inbox',
    scope: 'conversations:read',
    search: async (backline, q, signal) =>
      (
        await backline.conversations.list({ q, limit, include, sort: '-last_message_at' }, { signal })
      ).data.map(ofConversation),
    read: async (backline, id, signal) =>
      ofConversation(await backline.conversations.retrieve(id, { include }, { signal })),
  },
  msg: {
    icon: 'inbox',
    page: 'inbox',
    scope: 'messages:read',
    async read(backline, id, signal) {
      const { conversation_id } = await backline.messages.retrieve(id, { signal })
      const conversation = await backline.conversations.retrieve(conversation_id, { include }, { signal })
      return { ...ofConversation(conversation), id, path: `inbox/all/${conversation_id}#${id}` }
    },
  },
  eu: {
    icon: 'user',
    page: 'people',
    scope: 'end_users:read',
    search: async (backline, q, signal) =>
      (await backline.endUsers.list({ q, limit, sort: '-last_seen_at' }, { signal })).data.map(ofEndUser),
    read: async (backline, id, signal) => ofEndUser(await backline.endUsers.retrieve(id, { signal })),
  },
  co: {
    icon: 'building',
    page: 'companies',
    scope: 'companies:read',
    search: async (backline, q, signal) =>
      (await backline.companies.list({ q, limit }, { signal })).data.map(ofCompany),
    read: async (backline, id, signal) => ofCompany(await backline.companies.retrieve(id, { signal })),
  },
  kba: {
    icon: 'book',
    page: 'articles',
    scope: 'kb:read',
    search: async (backline, q, signal) =>
      (await backline.kb.search({ q, limit }, { signal })).data.map(({ article }) => ofArticle(article)),
    read: async (backline, id, signal) => ofArticle(await backline.kb.articles.retrieve(id, {}, { signal })),
  },
  whd: {
    icon: 'webhook',
    page: 'webhooks',
    scope: 'webhook_endpoints:read',
    async read(backline, id, signal) {
      const { endpoint_id } = await backline.webhookDeliveries.retrieve(id, { signal })
      return { id, name: null, path: `engineering/webhooks/${endpoint_id}/deliveries/${id}` }
    },
  },
  faq: { icon: 'note', page: 'faqs', scope: 'faqs:read', pathOf: (id) => `knowledge/faqs/${id}` },
  view: { icon: 'view', page: 'views', scope: 'views:read', pathOf: (id) => `inbox/${id}` },
  op: { icon: 'users', page: 'operators', scope: 'operators:write' },
  dept: { icon: 'building', page: 'departments', scope: 'departments:write' },
  tag: { icon: 'tag', page: 'tags', scope: 'tags:write' },
  cat: { icon: 'list', page: 'categories', scope: 'categories:write' },
  hold: { icon: 'pause', page: 'hold_reasons', scope: 'hold_reasons:write' },
  sla: { icon: 'clock', page: 'sla_configs', scope: 'sla_configs:write' },
  mac: { icon: 'bolt', page: 'macros', scope: 'macros:write' },
  tmpl: { icon: 'template', page: 'message_templates', scope: 'message_templates:write' },
  cf: { icon: 'field', page: 'custom_fields', scope: 'custom_fields:write' },
  mbx: { icon: 'mail', page: 'mailboxes', scope: 'mailboxes:read' },
  eml: { icon: 'inbox', page: 'inbound_emails', scope: 'inbound_emails:read' },
  job: { icon: 'history', page: 'jobs', scope: 'jobs:read' },
  ret: { icon: 'trash', page: 'retention_policies', scope: 'erasure:write' },
  era: { icon: 'shield', page: 'erasures', scope: 'erasure:read' },
  evt: { icon: 'list', page: 'events', scope: 'audit_log:read', pathOf: (id) => `engineering/events/${id}` },
  aud: { icon: 'shield', page: 'audit', scope: 'audit_log:read', pathOf: (id) => `engineering/audit/${id}` },
  req: {
    icon: 'external',
    page: 'requests',
    scope: 'request_log:read',
    pathOf: (id) => `engineering/requests/${id}`,
  },
  whe: {
    icon: 'webhook',
    page: 'webhooks',
    scope: 'webhook_endpoints:read',
    pathOf: (id) => `engineering/webhooks/${id}`,
  },
}

/** The prefix of an id of the API; null for other words. */
export function prefixOf(words: string): string | null {
  const prefix = /^([a-z]+)_[0-9a-z]{26}$/.exec(words)?.[1]
  return prefix !== undefined && Object.hasOwn(kinds, prefix) ? prefix : null
}

/** An object by its id. @throws what the server refuses */
export async function readObject(backline: Backline, id: string, signal: AbortSignal): Promise<Found> {
  const { page, pathOf = (each) => `setup/${page}/${each}`, read } = kinds[prefixOf(id)!]!
  return read ? read(backline, id, signal) : { id, name: null, path: pathOf(id) }
}
