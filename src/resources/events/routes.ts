import { Optional, Shape, Type } from '../../http/schema.ts'
import { eventNames, parseTypes } from '../../lib/event-names.ts'
import { idPrefixes, typeIdSuffixPattern } from '../../lib/ids.ts'
import type { EventType, Route } from '../../resource.ts'
import { feed, list, stream } from '../../resource.ts'
import { resourceFilter } from './actions.ts'
import { countFeed, feedPage } from './feed.ts'
import { liveEvents } from './live.ts'
import { eventTypeWire, eventWire } from './schema.ts'

const prefixes = Object.values(idPrefixes).toSorted()

const Filters = Shape({
  types: Optional(
    Type.String({
      maxLength: 2000,
      pattern: '^[a-z_.*]+(,[a-z_.*]+)*$',
      examples: ['conversation.*,message.created'],
      description:
        'Names of event types with commas between; `conversation.*` stands for all of a resource, `*` for all.',
    }),
  ),
  resource_id: Optional(
    Type.String({
      maxLength: 40,
      pattern: `^(${prefixes.join('|')})_${typeIdSuffixPattern}$`,
      examples: ['conv_01kah1vgm0e1tbm5ye8n2m9q7c'],
      description: 'The events of this resource alone.',
    }),
  ),
})

/** @param eventTypes all that there are */
export function routes(eventTypes: EventType[]): Route[] {
  const names = eventNames(eventTypes.map(({ type }) => type))
  return [
    feed({
      path: '/events',
      name: 'listEvents',
      summary: 'Follow the events',
      description:
        'In the order in which they were committed, oldest first, for as long as the workspace keeps them (`event_retention_days`). The last page has a cursor as well: come back with it for what has happened since. Nobody who follows it misses an event or sees one twice: an event is shown only when none can appear before it any more, as a rule some milliseconds after its commit. A page may hold few events although `has_more` is true: with `types`, and where events are long (some 8 MB in all).',
      scope: 'events:read',
      query: Filters,
      item: eventWire,
      sorts: ['commit'],
      handle: async (ctx, { query, page }) => {
        const types = parseTypes(query.types, names)
        return feedPage(ctx, { types, resource: await resourceFilter(ctx, query.resource_id) }, page)
      },
      count: async (ctx, { query }, atMost) => {
        const types = parseTypes(query.types, names)
        return countFeed(ctx, { types, resource: await resourceFilter(ctx, query.resource_id) }, atMost)
      },
    }),
    stream({
      path: '/events/stream',
      name: 'streamEvents',
      summary: 'Follow the events live',
      description:
        "The same feed as Server-Sent Events: each event is the `data` of a message whose `id` is its cursor. It begins with what happens from now on; `Last-Event-ID` (which browsers' `EventSource` sends by itself when it connects again) or `cursor` goes on after the event with that cursor, be it of this stream or of `GET /v1/events` with the same filters. A comment at least every 15 seconds keeps the connection open. A reader that takes nothing for 30 seconds is let go, and whose key is revoked, too.",
      scope: 'events:read',
      query: Filters,
      mediaType: 'text/event-stream',
      piece: eventWire,
      replyExample: `id: nwx51ecnH0cG9HbsPB3N3w\ndata: ${JSON.stringify(eventWire.example)}\n\n`,
      cursorsOf: { path: '/events', sort: 'commit' },
      async *handle(ctx, { query }, streaming) {
        const types = parseTypes(query.types, names)
        yield* liveEvents(ctx, { types, resource: await resourceFilter(ctx, query.resource_id) }, streaming)
      },
    }),
    list({
      path: '/event_types',
      name: 'listEventTypes',
      summary: 'List the types of events',
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
