import type { Json } from '../../api/client.ts'
import { asOperator, asSystem, idsOf, othersOf, prefixed, timeOf } from '../ids.ts'
import type { Author, Cursor, Draft, Source, Stage } from '../source.ts'

/** Intercom returns so many parts of a conversation, the newest. */
const mostParts = 500

/** Parts that are messages. Others with a text are rare: somebody closes or opens with an answer. */
const messageParts = new Set(['comment', 'note', 'open', 'close'])

const channels: Record<string, string> = {
  conversation: 'chat',
  push: 'mobile',
  email: 'email',
  facebook: 'social',
  instagram: 'social',
  twitter: 'social',
  whatsapp: 'social',
  phone_call: 'phone',
  phone_switch: 'phone',
  sms: 'phone',
}

/** Files of conversations are on these hosts, at signed addresses. */
const fileHost =
  /(?:^|\.)(?:intercomcdn\.(?:com|eu)|intercom-attachments-\d+\.com|intercom-attachments\.(?:com|eu))$/

export const intercom: Source = {
  name: 'intercom',
  title: 'Intercom',
  hostsImage: (url) => fileHost.test(url.hostname),
  stages: (walk) => {
    const { client, out, since } = walk
    const ids = idsOf('intercom', walk)

    /** A list in one response. */
    const list = (name: string, members: string, take: (item: Json) => void): Stage => ({
      name,
      async *walk() {
        for (const item of (await client.get(`/${name}`))[members]) take(item)
        yield null
      },
    })

    /** A list in pages; the next fetch reads it anew. */
    const paged = (name: string, members: string, take: (item: Json) => unknown): Stage => ({
      name,
      async *walk(cursor: Cursor) {
        for (let after = cursor?.after ?? null; ; ) {
          const page = await client.get(`/${name}`, { per_page: 150, starting_after: after })
          for (const item of page[members]) await take(item)
          after = page.pages?.next?.starting_after ?? null
          if (after === null) break
          yield { after }
        }
        yield null
      },
    })

    /** A scroll ends after a minute without a request, so it is read as a whole. */
    const companies: Stage = {
      name: 'companies',
      async *walk() {
        for (let scroll: string | null = null; ; ) {
          const page: Json = await client.find('/companies/scroll', { scroll_param: scroll })
          if (!page || page.data.length === 0) break
          for (const company of page.data) out.put(companyOf(company))
          scroll = page.scroll_param
        }
        yield null
      },
    }

    return [
      list('admins', 'admins', ({ id, name, email }) =>
        out.put({ type: 'operator', external_id: String(id), name: name || email || `Admin ${id}`, email }),
      ),
      list('teams', 'teams', ({ id, name }) =>
        out.put({ type: 'department', external_id: String(id), name: name || `Team ${id}` }),
      ),
      list('tags', 'data', ({ id, name }) => out.put({ type: 'tag', external_id: String(id), name })),
      companies,
      paged('contacts', 'data', (contact) => out.put(personOf(contact))),
      paged('conversations', 'conversations', takeConversation),
    ]

    function companyOf({
      id,
      company_id,
      name,
      website,
      plan,
      industry,
      size,
      monthly_spend,
      custom_attributes,
    }: Json) {
      return {
        type: 'company',
        external_id: ids.of(id),
        name: name || company_id || `Company ${id}`,
        domains: [URL.parse(website ?? '')?.hostname.replace(/^www\./, '') ?? ''],
        metadata: prefixed('intercom', {
          company_id,
          website,
          plan: plan?.name,
          industry,
          size,
          monthly_spend,
          ...custom_attributes,
        }),
      }
    }

    function personOf(contact: Json) {
      const { id, external_id, role, email, name, phone, location, custom_attributes } = contact
      const place = [location?.city, location?.region, location?.country].filter(Boolean).join(', ')
      return {
        type: 'end_user',
        external_id: ids.endUser(id, external_id),
        name,
        emails: email ? [{ address: email, verified: false }] : [],
        phones: [phone],
        language: contact.language_override ?? contact.browser_language,
        avatar_url: typeof contact.avatar === 'string' ? contact.avatar : contact.avatar?.image_url,
        company_external_ids: (contact.companies?.data ?? []).map((company: Json) => ids.of(company.id)),
        metadata: prefixed('intercom', { id, external_id, role, location: place, ...custom_attributes }),
        created_at: timeOf(contact.created_at),
      }
    }

    async function takeConversation(listed: Json): Promise<void> {
      const id = ids.of(listed.id)
      const changedAt = timeOf(listed.updated_at)
      if (since !== null && changedAt !== null && changedAt < since) return
      if (out.isCurrent(id, listed.updated_at)) return
      const conversation = await client.find(`/conversations/${listed.id}`)
      if (!conversation)
        return out.lose('conversation', id, 'not_readable', 'the conversation cannot be read')
      const { conversation_parts: parts = [], total_count: total = 0 } = conversation.conversation_parts ?? {}
      if (total > parts.length) {
        const detail = `${total} parts; Intercom returns the newest ${Math.max(parts.length, mostParts)}`
        out.lose('conversation', id, 'truncated', detail)
      }
      const user = endUserOf(conversation)
      const { id: author, name, email } = conversation.source?.author ?? {}
      // The list of contacts lacks those that are deleted, or archived.
      if (author && user === ids.endUserOf(author) && !out.has('end_user', user))
        out.put({ type: 'end_user', external_id: user, name, emails: email ? [{ address: email }] : [] })
      const messages = [
        first(conversation),
        ...parts.filter(isMessage).map((part: Json) => messageOf(part, conversation)),
      ]
      for (const { id } of messages.filter(({ isRedacted }) => isRedacted))
        out.lose('message', id, 'deleted', 'the message was redacted')
      const kept = messages
        .filter(({ isRedacted }) => !isRedacted)
        .map(({ isRedacted: _, ...draft }) => draft)
      await out.conversation(conversationOf(conversation, messages, user), kept)
      out.setCurrent(id, listed.updated_at)
    }

    /** Events, such as assignments, are left out on purpose. A text of theirs would be lost, and is reported. */
    function isMessage({ part_type, body, attachments, id }: Json): boolean {
      const hasContent = Boolean(body) || (attachments ?? []).length > 0
      if (messageParts.has(part_type)) return hasContent || part_type === 'comment' || part_type === 'note'
      if (hasContent)
        out.lose(
          'message',
          `intercom:part:${id}`,
          'field_unmapped',
          `the text of a part of type ${part_type}`,
        )
      return false
    }

    function endUserOf({ contacts, source, id }: Json): string {
      const contact = contacts?.contacts?.[0]
      if (contact) return ids.endUserOf(contact.id)
      const { type, id: author } = source?.author ?? {}
      return author && (type === 'user' || type === 'lead') ? ids.endUserOf(author) : ids.of(`nobody:${id}`)
    }

    function authorOf(author: Json, conversation: Json): Author {
      const { type, id } = author ?? {}
      if (type === 'user' || type === 'lead' || type === 'contact')
        return {
          author_side: 'end_user',
          author_end_user_external_id: id ? ids.endUserOf(id) : endUserOf(conversation),
        }
      return type === 'admin' && id ? asOperator(id) : asSystem
    }

    type Part = Draft & { isRedacted: boolean }

    function first(conversation: Json): Part {
      const { source = {}, id, created_at } = conversation
      // Several conversations can begin with one message, such as that of a campaign.
      const message = { ...source, part_type: 'comment', created_at }
      return { ...messageOf(message, conversation), id: `intercom:source:${id}` }
    }

    function messageOf(part: Json, conversation: Json): Part {
      return {
        id: `intercom:part:${part.id}`,
        created_at: timeOf(part.created_at)!,
        author: authorOf(part.author, conversation),
        isInternal: part.part_type === 'note',
        isRedacted: part.redacted === true,
        html: part.body,
        files: (part.attachments ?? []).map((file: Json, i: number) => ({
          id: i,
          url: file.url,
          filename: file.name,
          contentType: file.content_type,
        })),
      }
    }

    function conversationOf(conversation: Json, messages: Draft[], user: string) {
      const { source = {}, statistics = {}, custom_attributes = {}, conversation_rating } = conversation
      const { state, admin_assignee_id, team_assignee_id } = conversation
      const isClosed = state === 'closed'
      return {
        type: 'conversation',
        external_id: ids.of(conversation.id),
        end_user_external_id: user,
        subject: conversation.title ?? subjectOf(source.subject),
        status: isClosed ? 'resolved' : state === 'snoozed' ? 'pending' : 'open',
        initiated_by_side: messages[0]!.author.author_side,
        channel: channels[source.type] ?? 'other',
        priority: conversation.priority === 'priority' ? 'high' : null,
        department_external_id: team_assignee_id ? String(team_assignee_id) : null,
        assignee_external_id: admin_assignee_id ? String(admin_assignee_id) : null,
        participant_external_ids: othersOf(messages, user),
        tags: (conversation.tags?.tags ?? []).map((tag: Json) => tag.name),
        metadata: prefixed('intercom', {
          delivered_as: source.delivered_as,
          rating: conversation_rating?.rating,
          rating_remark: conversation_rating?.remark,
          ...custom_attributes,
        }),
        created_at: timeOf(conversation.created_at),
        updated_at: timeOf(conversation.updated_at),
        resolved_at: isClosed ? timeOf(statistics?.last_close_at ?? conversation.updated_at) : null,
        first_response_at: timeOf(statistics?.first_admin_reply_at),
      }
    }
  },
}

/** The subject of a mail is HTML. */
const subjectOf = (html: string | null | undefined): string | null =>
  html
    ? html
        .replace(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
    : null
