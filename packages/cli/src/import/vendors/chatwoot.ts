import type { Json } from '../../api/client.ts'
import { asOperator, asSystem, idsOf, nameIn, othersOf, prefixed, timeOf } from '../ids.ts'
import type { Author, Cursor, Draft, Source, Stage } from '../source.ts'

const statuses: Record<string, string> = {
  open: 'open',
  resolved: 'resolved',
  snoozed: 'pending',
  pending: 'new',
}
const [incoming, outgoing, activity] = [0, 1, 2]

const channels: Record<string, string> = {
  WebWidget: 'chat',
  Email: 'email',
  Api: 'api',
  FacebookPage: 'social',
  Instagram: 'social',
  TwitterProfile: 'social',
  Whatsapp: 'social',
  Telegram: 'social',
  Line: 'social',
  Sms: 'phone',
  TwilioSms: 'phone',
}

/** The base of the API ends with the number of the account. */
export const chatwoot: Source = {
  name: 'chatwoot',
  title: 'Chatwoot',
  hostsImage: (url, base) =>
    url.origin === new URL(base).origin && url.pathname.startsWith('/rails/active_storage/'),
  stages: (walk) => {
    const { client, out, since } = walk
    const ids = idsOf('chatwoot', walk)

    const list = (name: string, take: (item: Json) => void): Stage => ({
      name,
      async *walk() {
        const response = await client.get(`/${name}`)
        for (const item of response.payload ?? response) take(item)
        yield null
      },
    })

    /** Pages have no totals to rely on: the walk ends at an empty one. */
    const paged = (name: string, query: object, take: (item: Json) => unknown): Stage => ({
      name,
      async *walk(cursor: Cursor) {
        for (let page = cursor?.page ?? 1; ; page++) {
          const response = await client.get(`/${name}`, { ...query, page })
          const items = response.payload ?? response.data.payload
          if (items.length === 0) break
          for (const item of items) await take(item)
          yield { page: page + 1 }
        }
        yield null
      },
    })

    return [
      list('agents', ({ id, name, available_name, email, role }) =>
        out.put({
          type: 'operator',
          external_id: String(id),
          name: name || available_name || email || `Agent ${id}`,
          email,
          role: role === 'administrator' ? 'admin' : 'agent',
        }),
      ),
      list('labels', ({ id, title, description, color }) =>
        out.put({ type: 'tag', external_id: String(id), name: title, description, color }),
      ),
      list('inboxes', ({ id, name }) =>
        out.put({ type: 'department', external_id: `inbox:${id}`, name: name || `Inbox ${id}` }),
      ),
      list('teams', ({ id, name }) =>
        out.put({ type: 'department', external_id: `team:${id}`, name: name || `Team ${id}` }),
      ),
      paged('contacts', { sort: 'created_at' }, (contact) => out.put(personOf(contact))),
      paged(
        'conversations',
        { status: 'all', assignee_type: 'all', sort_by: 'created_at_asc' },
        takeConversation,
      ),
    ]

    function personOf(contact: Json) {
      const {
        id,
        identifier,
        name,
        email,
        phone_number,
        thumbnail,
        custom_attributes,
        additional_attributes,
      } = contact
      const { company_name, city, country, social_profiles } = additional_attributes ?? {}
      return {
        type: 'end_user',
        external_id: ids.endUser(id, identifier),
        name,
        emails: email ? [{ address: email, verified: false }] : [],
        phones: [phone_number],
        avatar_url: thumbnail,
        metadata: prefixed('chatwoot', {
          id,
          identifier,
          company_name,
          city,
          country,
          ...social_profiles,
          ...custom_attributes,
        }),
        created_at: timeOf(contact.created_at),
      }
    }

    async function takeConversation(listed: Json): Promise<void> {
      const id = ids.of(listed.id)
      const { status, labels, priority, meta, last_activity_at, updated_at, custom_attributes } = listed
      const changedAt = timeOf(updated_at ?? last_activity_at ?? listed.timestamp)
      if (since !== null && changedAt !== null && changedAt < since) return
      const state = [
        status,
        labels,
        priority,
        meta?.assignee?.id,
        meta?.team?.id,
        last_activity_at,
        updated_at,
        custom_attributes,
      ]
      if (out.isCurrent(id, state)) return
      const read = await messagesOf(listed.id)
      if (!read) return out.lose('conversation', id, 'not_readable', 'the messages cannot be read')
      // The list of contacts lacks those without an address, a number or an identifier.
      if (meta?.sender && !out.has('end_user', ids.endUserOf(meta.sender.id))) out.put(personOf(meta.sender))
      const user = meta?.sender ? ids.endUserOf(meta.sender.id) : ids.of(`nobody:${listed.id}`)
      const isDeleted = (message: Json): boolean => message.content_attributes?.deleted === true
      for (const message of read.filter(isDeleted))
        out.lose('message', `chatwoot:message:${message.id}`, 'deleted', 'the message was deleted')
      const messages = read
        .filter((message) => message.message_type !== activity && !isDeleted(message))
        .map((message) => messageOf(message, user))
      await out.conversation(conversationOf(listed, messages, user), messages)
      out.setCurrent(id, state)
    }

    /** All messages by id, read from the newest 20 back to the first. Their times need not be in that order. */
    async function messagesOf(conversation: number): Promise<Json[] | null> {
      const found = new Map<number, Json>()
      for (let before: number | null = null; ; ) {
        const page: Json = await client.find(`/conversations/${conversation}/messages`, { before })
        if (!page) return null
        const fresh: Json[] = page.payload.filter((message: Json) => !found.has(message.id))
        if (fresh.length === 0) return [...found.values()].sort((a, b) => a.id - b.id)
        for (const message of fresh) found.set(message.id, message)
        before = Math.min(...fresh.map((message) => message.id))
      }
    }

    function authorOf({ message_type, sender }: Json, user: string): Author {
      const type = sender?.type
      if (message_type === incoming)
        return type === 'contact' && sender.id
          ? ids.asEndUser(sender.id)
          : { author_side: 'end_user', author_end_user_external_id: user }
      return message_type === outgoing && type === 'user' && sender.id ? asOperator(sender.id) : asSystem
    }

    function messageOf(message: Json, user: string): Draft {
      const { content_attributes: attributes, content } = message
      // A mail has its HTML beside the text that Chatwoot shows.
      const html = attributes?.email?.html_content?.full
      return {
        id: `chatwoot:message:${message.id}`,
        created_at: timeOf(message.created_at)!,
        author: authorOf(message, user),
        isInternal: message.private === true,
        ...(html ? { html } : { text: content }),
        files: (message.attachments ?? []).flatMap((file: Json) => fileOf(file, message)),
      }
    }

    function fileOf(file: Json, message: Json) {
      const { id, data_url, extension, file_type } = file
      if (data_url) {
        return [
          {
            id,
            url: data_url,
            filename: nameIn(data_url) || `${file_type}${extension ? `.${extension}` : ''}`,
          },
        ]
      }
      out.lose(
        'message',
        `chatwoot:message:${message.id}`,
        'field_unmapped',
        `an attachment of type ${file_type}`,
      )
      return []
    }

    function conversationOf(listed: Json, messages: Draft[], user: string) {
      const { meta, inbox_id, status, last_activity_at, custom_attributes, additional_attributes } = listed
      return {
        type: 'conversation',
        external_id: ids.of(listed.id),
        end_user_external_id: user,
        subject: additional_attributes?.mail_subject,
        status: statuses[status] ?? 'open',
        initiated_by_side: messages[0]?.author.author_side ?? 'end_user',
        channel: channels[meta?.channel?.replace('Channel::', '')] ?? 'other',
        priority: listed.priority === 'medium' ? 'normal' : listed.priority,
        language: additional_attributes?.conversation_language,
        department_external_id: meta?.team ? `team:${meta.team.id}` : `inbox:${inbox_id}`,
        assignee_external_id: meta?.assignee ? String(meta.assignee.id) : null,
        participant_external_ids: othersOf(messages, user),
        tags: listed.labels ?? [],
        metadata: prefixed('chatwoot', {
          inbox_id: meta?.team ? inbox_id : null,
          snoozed_until: timeOf(listed.snoozed_until),
          ...custom_attributes,
        }),
        created_at: timeOf(listed.created_at),
        updated_at: timeOf(listed.updated_at ?? last_activity_at),
        resolved_at: status === 'resolved' ? timeOf(last_activity_at) : null,
        first_response_at: timeOf(listed.first_reply_created_at),
      }
    }
  },
}
