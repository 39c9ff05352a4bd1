import { eventNames, parseTypes } from '../../../platform/journal/event-names.ts'
import { anyTypeIdPattern } from '../../../platform/kernel/ids.ts'
import type { EventType, Route } from '../../../platform/resource/resource.ts'
import { feed, list, live, read } from '../../../platform/resource/resource.ts'
import { Id, Optional, Shape, Type } from '../../../platform/resource/schema.ts'
import { eventById, filterOf } from './actions.ts'
import { countFeed, feedPage } from './feed.ts'
import { liveEvents } from './live.ts'
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

/** @param eventTypes all event types */
export function routes(eventTypes: EventType[]): Route[] {
  const query = filters()
  const names = eventNames(eventTypes.map(({ type }) => type))
  return [
    feed({
      path: '/events',
      name: 'listEvents',
      summary: 'List events',
      description:
        'Lists events in commit order, oldest first. Events are kept for the `event_retention_days` of the workspace. The last page also has a cursor: use it later to continue with newer events. A cursor names a place in the journal: it can be used with any filters, and in the stream. A client that follows the cursor receives every event exactly once, because an event is listed only when no earlier event can still be committed, usually a few milliseconds after its own commit. A page can have few events although `has_more` is true, because of `types` or because of the limit of 4 MB per page.',
      scope: 'events:read',
      query,
      item: eventWire,
      sorts: ['commit'],
      handle: async (ctx, { query, page }) => {
        const types = parseTypes(query.types, names)
        return feedPage(ctx, await filterOf(ctx, types, query), page)
      },
      count: async (ctx, { query }, atMost) => {
        const types = parseTypes(query.types, names)
        return countFeed(ctx, await filterOf(ctx, types, query), atMost)
      },
    }),
    live({
      path: '/events/stream',
      name: 'streamEvents',
      summary: 'Stream events',
      description:
        'Streams the same events as Server-Sent Events. Each event is the `data` of a message whose `id` is its cursor. The stream starts with new events. To resume, send a cursor of this stream or of `GET /v1/events` as `Last-Event-ID` or `cursor`, with any filters; `EventSource` in browsers sends `Last-Event-ID` automatically when it reconnects. A comment is sent at least every 15 seconds to keep the connection open. The server disconnects a client that reads nothing for 30 seconds or whose key is revoked.',
      scope: 'events:read',
      query,
      piece: eventWire,
      replyExample: `id: nwx51ecnH0cG9HbsPB3N3w\ndata: ${JSON.stringify(eventWire.example)}\n\n`,
      cursorsOf: { path: '/events', sort: 'commit' },
      handle: async (ctx, { query }, resuming, reader) => {
        const types = parseTypes(query.types, names)
        return liveEvents(ctx, await filterOf(ctx, types, query), resuming, reader)
      },
    }),
    read({
      path: '/events/{id}',
      name: 'getEvent',
      summary: 'Get an event',
      scope: 'events:read',
      params: { id: 'evt' },
      reply: eventWire,
      versioned: false,
      handle: (ctx, { params }) => eventById(ctx, params.id),
    }),
    list({
      path: '/event_types',
      name: 'listEventTypes',
      summary: 'List event types',
      scope: 'events:read',
      item: eventTypeWire,
      sorts: ['type'],
      sortKey: ({ type }) => [type],
      handle: async (_, { page }) =>
        eventTypes.filter(({ type }) => page.after === null || type > page.after[0]!).slice(0, page.limit),
      count: async () => eventTypes.length,
    }),
  ]
}
