import type { Json } from '../../api/client.ts'
import { asOperator, asSystem, idsOf, othersOf, prefixed, timeOf } from '../ids.ts'
import type { Author, Cursor, Draft, RemoteFile, Source, Stage } from '../source.ts'

/** The status for each type of state: the names of states can be changed. */
const statuses: Record<string, string> = {
  new: 'new',
  open: 'open',
  'pending reminder': 'pending',
  'pending action': 'pending',
  closed: 'closed',
  merged: 'closed',
}

const channels: Record<string, string> = {
  email: 'email',
  phone: 'phone',
  web: 'web',
  chat: 'chat',
  sms: 'phone',
  note: 'other',
  'twitter status': 'social',
  'twitter direct-message': 'social',
  'facebook feed post': 'social',
  'telegram personal-message': 'social',
  'whatsapp message': 'social',
}

const perPage = 100

export const zammad: Source = {
  name: 'zammad',
  title: 'Zammad',
  hostsImage: (url, base) =>
    url.origin === new URL(base).origin && url.pathname.startsWith('/api/v1/ticket_attachment/'),
  stages: (walk) => {
    const { client, out, since } = walk
    const ids = idsOf('zammad', walk)

    /** Pages in the order of ids. There are no totals: the walk ends at an empty page, as pages can be short. */
    const paged = (name: string, path: string, take: (item: Json) => unknown): Stage => ({
      name,
      async *walk(cursor: Cursor) {
        for (let page = cursor?.page ?? 1; ; page++) {
          const items = await client.get(`/api/v1/${path}`, { expand: 'true', page, per_page: perPage })
          if (items.length === 0) break
          for (const item of items) await take(item)
          yield { page: page + 1 }
        }
        yield null
      },
    })

    return [
      paged('ticket_states', 'ticket_states', ({ id, name, state_type }) =>
        out.remember(`state ${id}`, typeof state_type === 'string' ? state_type : name),
      ),
      paged('groups', 'groups', ({ id, name, active }) =>
        out.put({
          type: 'department',
          external_id: String(id),
          name: name || `Group ${id}`,
          archived: active === false,
        }),
      ),
      paged('organizations', 'organizations', ({ id, name, domain, note }) =>
        out.put({
          type: 'company',
          external_id: ids.of(id),
          name: name || `Organization ${id}`,
          domains: domain ? [domain] : [],
          metadata: prefixed('zammad', { note }),
        }),
      ),
      paged('users', 'users', takeUser),
      paged('tickets', 'tickets', (ticket) => takeTicket(ticket, false)),
      // After the tickets into which they were merged.
      paged('merged tickets', 'tickets', (ticket) => takeTicket(ticket, true)),
    ]

    function takeUser(user: Json): void {
      const { id, firstname, lastname, email, active } = user
      if (id === 1) return // the system itself
      const roles: string[] = user.roles ?? []
      const isOperator = roles.includes('Agent') || roles.includes('Admin')
      if (isOperator) {
        out.remember(
          `operator ${id}`,
          JSON.stringify({ id, firstname, lastname, email, created_at: user.created_at }),
        )
        const role = roles.includes('Admin') ? 'admin' : 'agent'
        const named = nameOf(user) || email || `User ${id}`
        out.put({
          type: 'operator',
          external_id: String(id),
          name: named,
          email,
          role,
          archived: active === false,
        })
      }
      if (!isOperator || roles.includes('Customer')) out.put(personOf(user))
    }

    function personOf(user: Json) {
      const { id, email, phone, mobile, web, note, vip, organization_id } = user
      return {
        type: 'end_user',
        external_id: ids.endUser(id, null),
        name: nameOf(user),
        emails: email ? [{ address: email, verified: user.verified ?? false }] : [],
        phones: [mobile, phone],
        language: user.preferences?.locale,
        company_external_ids: organization_id ? [ids.of(organization_id)] : [],
        metadata: prefixed('zammad', { id, login: user.login, web, note, vip: vip || null }),
        created_at: timeOf(user.created_at),
      }
    }

    async function takeTicket(ticket: Json, wantsMerged: boolean): Promise<void> {
      const { id, updated_at } = ticket
      const type = out.recall(`state ${ticket.state_id}`) ?? ticket.state
      if ((type === 'merged') !== wantsMerged) return
      if (since !== null && timeOf(updated_at)! < since) return
      if (type === 'removed') return out.lose('conversation', ids.of(id), 'deleted', 'the ticket is removed')
      if (out.isCurrent(ids.of(id), updated_at)) return
      const articles = await client.find(`/api/v1/ticket_articles/by_ticket/${id}`)
      if (!articles)
        return out.lose('conversation', ids.of(id), 'not_readable', 'the articles cannot be read')
      const { tags = [] } = (await client.find('/api/v1/tags', { object: 'Ticket', o_id: id })) ?? {}
      const operator = out.recall(`operator ${ticket.customer_id}`)
      if (operator && !out.has('end_user', ids.endUserOf(ticket.customer_id)))
        out.put(personOf(JSON.parse(operator)))
      const messages = articles.map((article: Json) => messageOf(article, ticket))
      const target = wantsMerged ? await targetOf(id) : null
      await out.conversation(conversationOf(ticket, type, tags, messages, target), messages)
      out.setCurrent(ids.of(id), updated_at)
    }

    /** The ticket into which this one was merged. Merging moves all other links away. */
    async function targetOf(id: number): Promise<number | null> {
      const query = { link_object: 'Ticket', link_object_value: id }
      const { links = [] } = (await client.find('/api/v1/links', query)) ?? {}
      const link = links.find((each: Json) => each.link_object === 'Ticket' && each.link_type !== 'normal')
      const target = link?.link_object_value ?? null
      if (target === null)
        out.lose(
          'conversation',
          ids.of(id),
          'reference_missing',
          'the ticket into which it was merged is not known',
        )
      return target
    }

    function authorOf(article: Json, ticket: Json): Author {
      const author = article.origin_by_id ?? article.created_by_id
      if (article.sender === 'System') return asSystem
      if (article.sender === 'Customer') {
        const isOperator = out.recall(`operator ${author}`) !== null
        return ids.asEndUser(author === 1 || isOperator ? ticket.customer_id : author)
      }
      return author === 1 ? asSystem : asOperator(author)
    }

    function messageOf(article: Json, ticket: Json): Draft {
      const isHtml = article.content_type === 'text/html'
      return {
        id: `zammad:article:${article.id}`,
        created_at: timeOf(article.created_at)!,
        author: authorOf(article, ticket),
        isInternal: article.internal === true,
        ...(isHtml ? { html: article.body } : { text: article.body }),
        files: (article.attachments ?? []).flatMap((file: Json) => fileOf(file, ticket, article)),
      }
    }

    function fileOf({ id, filename, preferences = {} }: Json, ticket: Json, article: Json): RemoteFile[] {
      if (preferences['original-format'] === true) return [] // the HTML that the body shows
      const contentId = preferences['Content-ID']?.replace(/^<|>$/g, '')
      return [
        {
          id,
          url: `/api/v1/ticket_attachment/${ticket.id}/${article.id}/${id}`,
          filename,
          contentType: preferences['Mime-Type'] ?? preferences['Content-Type'],
          contentId,
          isInline: preferences['Content-Disposition'] === 'inline' && Boolean(contentId),
        },
      ]
    }

    function conversationOf(
      ticket: Json,
      type: string,
      tags: string[],
      messages: Draft[],
      target: number | null,
    ) {
      const { id, priority, group_id, owner_id, organization_id, customer_id } = ticket
      const user = ids.endUserOf(customer_id)
      const closedAt = timeOf(ticket.close_at)
      const isClosed = statuses[type] === 'closed'
      return {
        type: 'conversation',
        external_id: ids.of(id),
        end_user_external_id: user,
        subject: ticket.title,
        status: statuses[type] ?? 'open',
        initiated_by_side: messages[0]?.author.author_side ?? 'end_user',
        channel: channels[ticket.create_article_type] ?? 'other',
        priority: /low/.test(priority) ? 'low' : /high/.test(priority) ? 'high' : 'normal',
        department_external_id: group_id ? String(group_id) : null,
        // The first user owns what nobody does.
        assignee_external_id: owner_id && owner_id !== 1 ? String(owner_id) : null,
        company_external_id: organization_id ? ids.of(organization_id) : null,
        participant_external_ids: othersOf(messages, user),
        merged_into_external_id: target === null ? null : ids.of(target),
        tags,
        metadata: prefixed('zammad', {
          number: ticket.number,
          state: ticket.state,
          note: ticket.note,
          pending_time: ticket.pending_time,
        }),
        created_at: timeOf(ticket.created_at),
        updated_at: timeOf(ticket.updated_at),
        resolved_at: isClosed ? (closedAt ?? timeOf(ticket.updated_at)) : null,
        closed_at: isClosed ? (closedAt ?? timeOf(ticket.updated_at)) : null,
        first_response_at: timeOf(ticket.first_response_at),
      }
    }
  },
}

/** Zammad writes a dash for a name that is missing. */
const nameOf = ({ firstname, lastname }: Json): string =>
  [firstname, lastname].filter((part) => part && part !== '-').join(' ')
