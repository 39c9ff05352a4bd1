import type { Json } from '../../api/client.ts'
import { asOperator, asSystem, idsOf, othersOf, prefixed, timeOf } from '../ids.ts'
import type { Author, Cursor, Draft, Source, Stage } from '../source.ts'

const statuses: Record<string, string> = {
  new: 'new',
  open: 'open',
  pending: 'pending',
  hold: 'pending',
  solved: 'resolved',
  closed: 'closed',
}

const channels: Record<string, string> = {
  email: 'email',
  web: 'web',
  api: 'api',
  chat: 'chat',
  chat_transcript: 'chat',
  messaging: 'chat',
  native_messaging: 'chat',
  mobile: 'mobile',
  mobile_sdk: 'mobile',
  voice: 'phone',
  phone: 'phone',
  twitter: 'social',
  twitter_dm: 'social',
  facebook: 'social',
  instagram_dm: 'social',
  whatsapp: 'social',
}

export const zendesk: Source = {
  name: 'zendesk',
  title: 'Zendesk',
  hostsImage: (url, base) => url.origin === new URL(base).origin && url.pathname.startsWith('/attachments/'),
  stages: (walk) => {
    const { client, out, since } = walk
    const ids = idsOf('zendesk', walk)

    /** A list with cursors; the next fetch reads it anew. */
    const list = (name: string, take: (item: Json) => void): Stage => ({
      name,
      async *walk(cursor: Cursor) {
        for (let after = cursor?.after ?? null; ; ) {
          const page = await client.get(`/api/v2/${name}`, { 'page[size]': 100, 'page[after]': after })
          for (const item of page[name]) take(item)
          if (!page.meta?.has_more) break
          after = page.meta.after_cursor
          yield { after }
        }
        yield null
      },
    })

    /** An incremental export: with archived and deleted objects, in the order of changes. The cursor stays good. */
    const exported = (name: string, from: number, query: object, take: (item: Json) => unknown): Stage => ({
      name,
      async *walk(cursor: Cursor) {
        for (let at = cursor?.after ?? null; ; ) {
          const page = await client.get(`/api/v2/incremental/${name}/cursor`, {
            ...(at === null ? { start_time: from } : { cursor: at }),
            per_page: 100,
            ...query,
          })
          const metrics = new Map((page.metric_sets ?? []).map((each: Json) => [each.ticket_id, each]))
          for (const item of page[name]) await take({ metric_set: metrics.get(item.id), ...item })
          at = page.after_cursor ?? at
          yield { after: at }
          if (page.end_of_stream || page.after_cursor === null) return
        }
      },
    })

    const startTime = since === null ? 0 : Math.floor(Date.parse(since) / 1000)
    return [
      list('ticket_fields', ({ id, title }) => out.remember(`field ${id}`, title)),
      list('groups', ({ id, name, deleted }) =>
        out.put({
          type: 'department',
          external_id: String(id),
          name: name || `Group ${id}`,
          archived: deleted ?? false,
        }),
      ),
      list('organizations', (organization) => out.put(companyOf(organization))),
      exported('users', 0, {}, (user) => out.put(personOf(user))),
      exported('tickets', startTime, { include: 'metric_sets' }, takeTicket),
    ]

    function companyOf({
      id,
      name,
      domain_names,
      details,
      notes,
      tags,
      external_id,
      organization_fields,
    }: Json) {
      const metadata = prefixed('zendesk', { external_id, details, notes, tags, ...organization_fields })
      return {
        type: 'company',
        external_id: ids.of(id),
        name: name || `Organization ${id}`,
        domains: domain_names ?? [],
        metadata,
      }
    }

    function personOf(user: Json) {
      const { id, name, email, phone, verified, locale, iana_time_zone, organization_id, external_id } = user
      if (user.role !== 'end-user')
        return {
          type: 'operator',
          external_id: String(id),
          name: name || email || `User ${id}`,
          email,
          role: user.role === 'admin' ? 'admin' : 'agent',
          timezone: iana_time_zone,
          archived: user.active === false || user.suspended === true,
        }
      const { details, notes, tags, user_fields } = user
      return {
        type: 'end_user',
        external_id: ids.endUser(id, external_id),
        name,
        emails: email ? [{ address: email, verified: verified ?? false }] : [],
        phones: [phone],
        language: locale,
        timezone: iana_time_zone,
        company_external_ids: organization_id ? [ids.of(organization_id)] : [],
        metadata: prefixed('zendesk', { id, external_id, details, notes, tags, ...user_fields }),
        created_at: timeOf(user.created_at),
      }
    }

    async function takeTicket(ticket: Json): Promise<void> {
      const { id } = ticket
      if (ticket.status === 'deleted')
        return out.lose(
          'conversation',
          ids.of(id),
          'deleted',
          'the ticket is deleted; its comments cannot be read',
        )
      const state = [ticket.updated_at, ticket.generated_timestamp, ticket.status]
      if (out.isCurrent(ids.of(id), state)) return
      const read = await commentsOf(id)
      if (!read) return out.lose('conversation', ids.of(id), 'not_readable', 'the comments cannot be read')
      const { comments, users } = read
      const requester = users.get(ticket.requester_id)
      if (requester && requester.role !== 'end-user') out.put(personOf({ ...requester, role: 'end-user' }))
      const messages = comments.map((comment) => messageOf(comment, ticket, users))
      await out.conversation(conversationOf(ticket, messages), messages)
      out.setCurrent(ids.of(id), state)
    }

    async function commentsOf(id: number): Promise<{ comments: Json[]; users: Map<number, Json> } | null> {
      const comments: Json[] = []
      const users = new Map<number, Json>()
      for (let after: string | null = null; ; ) {
        const query = { include: 'users', 'page[size]': 100, 'page[after]': after }
        const page: Json = await client.find(`/api/v2/tickets/${id}/comments`, query)
        if (!page) return null
        comments.push(...page.comments)
        for (const user of page.users ?? []) users.set(user.id, user)
        if (!page.meta?.has_more) return { comments, users }
        after = page.meta.after_cursor
      }
    }

    function authorOf(id: number, ticket: Json, users: Map<number, Json>): Author {
      if (id < 0) return asSystem
      const role = users.get(id)?.role
      return id === ticket.requester_id || role === 'end-user' ? ids.asEndUser(id) : asOperator(id)
    }

    function messageOf(comment: Json, ticket: Json, users: Map<number, Json>): Draft {
      return {
        id: `zendesk:comment:${comment.id}`,
        created_at: timeOf(comment.created_at)!,
        author: authorOf(comment.author_id, ticket, users),
        isInternal: comment.public === false,
        html: comment.html_body,
        text: comment.plain_body ?? comment.body,
        files: (comment.attachments ?? []).map((file: Json) => ({
          id: file.id,
          url: file.mapped_content_url ?? file.content_url,
          filename: file.file_name,
          contentType: file.content_type,
          isInline: file.inline === true,
        })),
      }
    }

    function conversationOf(ticket: Json, messages: Draft[]) {
      const { id, via, organization_id, group_id, assignee_id, metric_set: metrics } = ticket
      const isOver = ticket.status === 'solved' || ticket.status === 'closed'
      const original = via?.source?.rel === 'follow_up' ? via.source.from?.ticket_id : null
      const answeredMinutes = metrics?.reply_time_in_minutes?.calendar
      return {
        type: 'conversation',
        external_id: ids.of(id),
        end_user_external_id: ids.endUserOf(ticket.requester_id),
        subject: ticket.subject ?? ticket.raw_subject,
        status: statuses[ticket.status] ?? 'open',
        initiated_by_side: messages[0]?.author.author_side ?? 'end_user',
        channel: channels[via?.channel] ?? 'other',
        priority: ticket.priority ?? null,
        department_external_id: group_id ? String(group_id) : null,
        assignee_external_id: assignee_id ? String(assignee_id) : null,
        company_external_id: organization_id ? ids.of(organization_id) : null,
        participant_external_ids: othersOf(messages, ids.endUserOf(ticket.requester_id)),
        follow_up_of_external_id: original ? ids.of(original) : null,
        tags: ticket.tags ?? [],
        metadata: prefixed('zendesk', {
          status: statuses[ticket.status] === ticket.status ? null : ticket.status,
          type: ticket.type,
          external_id: ticket.external_id,
          due_at: ticket.due_at,
          problem_id: ticket.problem_id,
          satisfaction: /^(?:good|bad)/.test(ticket.satisfaction_rating?.score)
            ? ticket.satisfaction_rating.score
            : null,
          ...fieldsOf(ticket.custom_fields ?? []),
        }),
        created_at: timeOf(ticket.created_at),
        updated_at: timeOf(ticket.updated_at),
        resolved_at: isOver ? timeOf(metrics?.solved_at ?? ticket.updated_at) : null,
        closed_at: ticket.status === 'closed' ? timeOf(ticket.updated_at) : null,
        first_response_at:
          typeof answeredMinutes === 'number'
            ? timeOf(Date.parse(ticket.created_at) / 1000 + answeredMinutes * 60)
            : null,
      }
    }

    function fieldsOf(fields: { id: number; value: unknown }[]): Record<string, unknown> {
      return Object.fromEntries(
        fields.map(({ id, value }) => [out.recall(`field ${id}`) ?? `field ${id}`, value]),
      )
    }
  },
}
