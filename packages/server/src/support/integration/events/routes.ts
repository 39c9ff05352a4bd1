import { eventNames, parseTypes } from '../../../platform/journal/event-names.ts'
import { anyTypeIdPattern } from '../../../platform/kernel/ids.ts'
import type { EventAccess, EventType, ResourceLimits, Route } from '../../../platform/resource/resource.ts'
import { feed, list, read } from '../../../platform/resource/resource.ts'
import { Enum, Id, Optional, Shape, Type } from '../../../platform/resource/schema.ts'
import { live } from '../../../platform/resource/streams.ts'
import { exampleCursor } from '../../../platform/resource/wire.ts'
import { eventById, filterOf, readable } from './actions.ts'
import { countFeed, endOfFeed, feedPage } from './feed.ts'
import { liveEvents } from './live.ts'
import { passes } from './queries.ts'
import { eventTypeWire, eventWire } from './schema.ts'

/** Made once all types of resources are declared. */
const filters = () =>
  Shape({
    types: Optional(
      Type.String({
        maxLength: 2000,
        pattern: '^[a-z_.*]+(,[a-z_.*]+)*$',
        examples: ['conversation.*,message.created'],
        description:
          'Return only events of these types, comma-separated. `conversation.*` matches all events of a resource, `*` matches all events.',
      }),
    ),
    resource_id: Optional(
      Type.String({
        maxLength: 40,
        pattern: anyTypeIdPattern(),
        examples: ['conv_01kah1vgm0e1tbm5ye8n2m9q7c'],
        description: 'Return only events of the resource with this id.',
      }),
    ),
    conversation_id: Optional(
      Id('conv', { description: 'Return only events of this conversation and of its messages.' }),
    ),
  })

const EphemeralToo = () =>
  Enum(['true', 'false'], {
    default: 'false',
    description:
      'With `true`, also send what is not stored, as messages with an `event` and without an `id`: `typing`, whose `data` is `{"conversation_id", "side", "typing", "expires_at"}`, and `presence`, whose `data` is `{"conversation_id", "operator_id", "state", "expires_at"}`. Streams with `Backline-Operator`, and those of the console, also receive what is for the operator alone: `read_state` when the operator has marked messages as read or unread, the object of `POST /v1/conversations/{id}/mark_read`; and, with the scope `notifications:read`, `notification` when one is made, gets a further fact or is read, whose `data` is `{"notification", "desktop", "unread"}` (null if several changed; whether a client may show it outside its page; the number of unread ones). Each conversation and each notification is told at most once a second, the last state always. A request with the scope `views:read` also receives `view_counts`, whose `data` is `{"as_of": {"at", "feed_cursor"}}`: conversations or end users have changed, so ask for counts of views again. It comes at most once in two seconds, and within two seconds after the last change. A client that is slow misses some of them, but not the last `view_counts`. `types` does not apply to them; `expires_at` is in real time, whatever the test clock.',
  })

/** @param eventTypes all event types */
export function routes(eventTypes: EventType[], _: ResourceLimits, access: EventAccess): Route[] {
  const query = filters()
  const names = eventNames(eventTypes.map(({ type }) => type))
  return [
    feed({
      path: '/events',
      name: 'listEvents',
      summary: 'List events',
      description:
        'Lists the events that are kept, which the `event_retention_days` of the workspace sets. Every page has a `resume_cursor`, also the last one, with which to ask for newer events later; a cursor can be used with any filters, and in the stream. A client that follows it receives every event exactly once: an event is listed only once no earlier event can still arrive, usually a few milliseconds after its commit. A page can have few events although `has_more` is true, because of `types` or of the limit of 4 MB per page. In the console, events of resources that the role of the operator cannot read are left out, and those of personal views of others.',
      scope: 'events:read',
      query: Shape({
        ...query.properties,
        from: Optional(
          Enum(['now'], {
            description:
              'With `now`, an empty page whose `resume_cursor` is the present end of the feed. Not with a `cursor`.',
          }),
        ),
      }),
      item: eventWire,
      sorts: ['commit'],
      sortNotes: { commit: 'in commit order, oldest first' },
      handle: async (ctx, { query, page }) => {
        const filter = await filterOf(ctx, readable(ctx, parseTypes(query.types, names), access), query)
        return query.from === 'now' ? endOfFeed(ctx, page) : feedPage(ctx, filter, page)
      },
      count: async (ctx, { query }, atMost) => {
        const filter = await filterOf(ctx, readable(ctx, parseTypes(query.types, names), access), query)
        return countFeed(ctx, filter, atMost)
      },
    }),
    live({
      path: '/events/stream',
      name: 'streamEvents',
      summary: 'Stream events',
      description:
        'Streams new events as server-sent events: the `data` of each message is one event, its `id` the cursor of the event. To resume, send a cursor of this stream or of `GET /v1/events` as `Last-Event-ID` or `cursor`, with any filters. A comment is sent at least every 15 seconds to keep the connection open. A connection that reads nothing for 30 seconds, or whose key is revoked, is closed.',
      scope: 'events:read',
      query: Shape({ ...query.properties, ephemeral: Optional(EphemeralToo()) }),
      piece: eventWire,
      replyExample: `id: ${exampleCursor}\ndata: ${JSON.stringify(eventWire.example)}\n\n`,
      cursorsOf: { path: '/events', sort: 'commit' },
      handle: async (ctx, { query }, resuming, reader) => {
        const filter = await filterOf(ctx, readable(ctx, parseTypes(query.types, names), access), query)
        return liveEvents(ctx, filter, resuming, reader, query.ephemeral === 'true')
      },
    }),
    read({
      path: '/events/{id}',
      name: 'getEvent',
      summary: 'Get an event',
      description:
        'Returns an event by its id, which is the `webhook-id` of its deliveries: use it to complete a thin webhook. 404 once its retention is over.',
      scope: 'events:read',
      params: { id: 'evt' },
      reply: eventWire,
      versioned: false,
      handle: async (ctx, { params }) => {
        const event = await eventById(ctx, params.id)
        const filter = await filterOf(ctx, readable(ctx, null, access), {})
        return event && passes(filter, event) ? event : null
      },
    }),
    list({
      path: '/event_types',
      name: 'listEventTypes',
      summary: 'List event types',
      description: 'Lists all types of events, each with an example of the whole event.',
      scope: 'events:read',
      item: eventTypeWire,
      sorts: ['type'],
      sortNotes: { type: 'by name' },
      sortKey: ({ type }) => [type],
      handle: async (_, { page }) =>
        eventTypes.filter(({ type }) => page.after === null || type > page.after[0]!).slice(0, page.limit),
      count: async () => eventTypes.length,
    }),
  ]
}
