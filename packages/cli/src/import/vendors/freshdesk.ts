import type { Json } from '../../api/client.ts'
import { asOperator, idsOf, othersOf, prefixed, timeOf } from '../ids.ts'
import type { Author, Cursor, Draft, Source, Stage } from '../source.ts'

const statuses: Record<number, string> = { 2: 'open', 3: 'pending', 4: 'resolved', 5: 'closed' }
const priorities: Record<number, string> = { 1: 'low', 2: 'normal', 3: 'high', 4: 'urgent' }
const channels: Record<number, string> = {
  1: 'email',
  2: 'web',
  3: 'phone',
  5: 'social',
  6: 'social',
  7: 'chat',
  9: 'web',
  10: 'email',
  13: 'social',
  15: 'chat',
}
/** The sources of a ticket whose first message an agent wrote, and the one that repeats its first message. */
const [outboundMail, outboundMessage, webChat] = [10, 14, 15]

/** Freshdesk refuses later pages of a list of tickets: those that changed in one second can be more. */
const mostPages = 300
const perPage = 100

export const freshdesk: Source = {
  name: 'freshdesk',
  title: 'Freshdesk',
  hostsImage: (url, base) =>
    /(?:^|\.)(?:freshdesk|freshworks|freshworksapi)\.com$/.test(url.hostname) ||
    url.origin === new URL(base).origin,
  stages: (walk) => freshdeskStages(walk, perPage),
}

/** @param size the length of pages, at most 100 */
export function freshdeskStages(walk: Parameters<Source['stages']>[0], size: number): Stage[] {
  const { client, out, since } = walk
  const ids = idsOf('freshdesk', walk)

  /** A list in pages; a short one is the last. The next fetch reads it anew. */
  const paged = (name: string, take: (item: Json) => void): Stage => ({
    name,
    async *walk(cursor: Cursor) {
      for (let page = cursor?.page ?? 1; ; page++) {
        const items = await client.get(`/api/v2/${name}`, { page, per_page: size })
        for (const item of items) take(item)
        if (items.length < size) break
        yield { page: page + 1 }
      }
      yield null
    },
  })

  /**
   * Tickets in the order of changes. A ticket that changes meanwhile moves to the end, and all pages after it shift: so
   * the window begins again at the last change after each page. Tickets at the seam come twice and are written once.
   */
  const tickets: Stage = {
    name: 'tickets',
    async *walk(cursor: Cursor) {
      let from: string = cursor?.from ?? since ?? '1970-01-01T00:00:00Z'
      let page: number = cursor?.page ?? 1
      for (;;) {
        const items = await client.get('/api/v2/tickets', {
          updated_since: from,
          order_by: 'updated_at',
          order_type: 'asc',
          include: 'stats',
          page,
          per_page: size,
        })
        for (const item of items) await takeTicket(item)
        const last: string = items.at(-1)?.updated_at ?? from
        const next = secondsAfter(last, -1)
        if (Date.parse(next) > Date.parse(from)) [from, page] = [next, 1]
        else if (items.length === size && page < mostPages) page++
        else if (items.length === size) {
          out.lose(
            'conversation',
            'freshdesk',
            'truncated',
            `more than ${mostPages * size} tickets changed at ${last}`,
          )
          ;[from, page] = [secondsAfter(last, 1), 1]
        } else page = 1
        yield { from, page }
        if (items.length < size) return
      }
    },
  }

  return [
    {
      name: 'ticket_fields',
      async *walk() {
        const fields = await client.find('/api/v2/ticket_fields')
        for (const { name, label } of fields ?? []) out.remember(`field ${name}`, label)
        yield null
      },
    },
    paged('groups', ({ id, name }) =>
      out.put({ type: 'department', external_id: String(id), name: name || `Group ${id}` }),
    ),
    paged('agents', ({ id, contact }) =>
      out.put({
        type: 'operator',
        external_id: String(id),
        name: contact?.name || contact?.email || `Agent ${id}`,
        email: contact?.email,
        archived: contact?.active === false,
      }),
    ),
    paged(
      'companies',
      ({ id, name, domains, description, note, health_score, account_tier, industry, custom_fields }) =>
        out.put({
          type: 'company',
          external_id: ids.of(id),
          name: name || `Company ${id}`,
          domains: domains ?? [],
          metadata: prefixed('freshdesk', {
            description,
            note,
            health_score,
            account_tier,
            industry,
            ...custom_fields,
          }),
        }),
    ),
    paged('contacts', (contact) => out.put(personOf(contact))),
    tickets,
  ]

  function secondsAfter(time: string, seconds: number): string {
    return new Date(Date.parse(time) + seconds * 1000).toISOString().replace('.000', '')
  }

  function personOf(contact: Json) {
    const { id, name, email, other_emails, phone, mobile, company_id, other_companies, unique_external_id } =
      contact
    const companies = [company_id, ...(other_companies ?? []).map((each: Json) => each.company_id)].filter(
      Boolean,
    )
    const { job_title, description, address, twitter_id, tags, custom_fields } = contact
    return {
      type: 'end_user',
      external_id: ids.endUser(id, unique_external_id),
      name,
      emails: [email, ...(other_emails ?? [])]
        .filter(Boolean)
        .map((each) => ({ address: each, verified: false })),
      phones: [mobile, phone],
      language: contact.language,
      timezone: contact.time_zone,
      company_external_ids: [...new Set(companies.map(ids.of))],
      metadata: prefixed('freshdesk', {
        id,
        unique_external_id,
        job_title,
        description,
        address,
        twitter_id,
        tags,
        ...custom_fields,
      }),
      created_at: timeOf(contact.created_at),
    }
  }

  async function takeTicket(listed: Json): Promise<void> {
    const id = ids.of(listed.id)
    if (listed.deleted) return out.lose('conversation', id, 'deleted', 'the ticket is in the trash')
    if (out.isCurrent(id, listed.updated_at)) return
    // The list has neither descriptions nor files.
    const ticket = await client.find(`/api/v2/tickets/${listed.id}`, { include: 'requester,stats' })
    const replies = ticket && (await repliesOf(listed.id))
    if (!replies) return out.lose('conversation', id, 'not_readable', 'the ticket cannot be read')
    const user = requesterOf(ticket)
    const messages = [...firstOf(ticket, replies), ...replies.map((reply: Json) => messageOf(reply, ticket))]
    await out.conversation(conversationOf(ticket, messages, user), messages)
    out.setCurrent(id, listed.updated_at)
  }

  /** The list of contacts lacks those that are blocked or deleted, so a requester is written here, too. */
  function requesterOf({ requester, requester_id }: Json): string {
    const user = ids.endUserOf(requester_id)
    if (requester?.id && !out.has('end_user', user)) out.put(personOf(requester))
    return user
  }

  async function repliesOf(id: number): Promise<Json[] | null> {
    const found: Json[] = []
    for (let page = 1; ; page++) {
      const items = await client.find(`/api/v2/tickets/${id}/conversations`, { page, per_page: size })
      if (!items) return null
      found.push(...items)
      if (items.length < size) return found
    }
  }

  /** None for a chat, whose replies repeat it. */
  function firstOf(ticket: Json, replies: Json[]): Draft[] {
    const { id, source, requester_id, responder_id } = ticket
    if (source === webChat && replies.length > 0) return []
    const isOutbound = (source === outboundMail || source === outboundMessage) && responder_id
    return [
      {
        id: `freshdesk:description:${id}`,
        created_at: timeOf(ticket.created_at)!,
        author: isOutbound ? asOperator(responder_id) : ids.asEndUser(requester_id),
        isInternal: false,
        html: ticket.description,
        text: ticket.description_text,
        files: filesOf(ticket),
      },
    ]
  }

  function messageOf(reply: Json, ticket: Json): Draft {
    const author: Author = reply.incoming
      ? ids.asEndUser(reply.user_id ?? ticket.requester_id)
      : reply.user_id
        ? asOperator(reply.user_id)
        : { author_side: 'system' }
    return {
      id: `freshdesk:reply:${reply.id}`,
      created_at: timeOf(reply.created_at)!,
      author,
      isInternal: reply.private === true,
      html: reply.body,
      text: reply.body_text,
      files: filesOf(reply),
    }
  }

  function filesOf({ attachments }: Json) {
    return (attachments ?? []).map((file: Json) => ({
      id: file.id,
      url: file.attachment_url,
      filename: file.name,
      contentType: file.content_type,
    }))
  }

  function conversationOf(ticket: Json, messages: Draft[], user: string) {
    const {
      id,
      status,
      stats = {},
      group_id,
      responder_id,
      company_id,
      custom_fields = {},
      type,
      due_by,
      spam,
    } = ticket
    const fields = Object.entries(custom_fields).map(([name, value]) => [
      out.recall(`field ${name}`) ?? name,
      value,
    ])
    const isOver = status === 4 || status === 5
    return {
      type: 'conversation',
      external_id: ids.of(id),
      end_user_external_id: user,
      subject: ticket.subject,
      status: statuses[status] ?? 'pending',
      initiated_by_side: messages[0]?.author.author_side ?? 'end_user',
      channel: channels[ticket.source] ?? 'other',
      priority: priorities[ticket.priority] ?? null,
      department_external_id: group_id ? String(group_id) : null,
      assignee_external_id: responder_id ? String(responder_id) : null,
      company_external_id: company_id ? ids.of(company_id) : null,
      participant_external_ids: othersOf(messages, user),
      tags: ticket.tags ?? [],
      metadata: prefixed('freshdesk', {
        status: statuses[status] ? null : status,
        type,
        due_by: isOver ? null : due_by,
        spam: spam || null,
        ...Object.fromEntries(fields),
      }),
      created_at: timeOf(ticket.created_at),
      updated_at: timeOf(ticket.updated_at),
      resolved_at: isOver ? timeOf(stats?.resolved_at ?? stats?.closed_at ?? ticket.updated_at) : null,
      closed_at: status === 5 ? timeOf(stats?.closed_at ?? ticket.updated_at) : null,
      first_response_at: timeOf(stats?.first_responded_at),
    }
  }
}
