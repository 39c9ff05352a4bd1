import type { Ctx } from '../../context.ts'
import { toSortKey } from '../../db/positions.ts'
import type { Members } from '../../http/schema.ts'
import { parseInstant } from '../../lib/clock.ts'
import { eventNames, parseTypes } from '../../lib/event-names.ts'
import type { EventType, Route } from '../../resource.ts'
import { list, read, stream } from '../../resource.ts'
import { resourceFilter } from '../events/actions.ts'
import { auditSorts, countEntries, entriesPage, exportedEntries, findEntry } from './log.ts'
import type { AuditFilter } from './queries.ts'
import { AuditFilters, auditEntryWire, headWire, VerificationQuery, verificationWire } from './schema.ts'
import { headOfLog, verifyLog } from './verification.ts'

const scope = 'audit_log:read'

/** @param eventTypes all that there are */
export function routes(eventTypes: EventType[]): Route[] {
  const names = eventNames(eventTypes.map(({ type }) => type))
  const toFilter = async (ctx: Ctx, query: Members<typeof AuditFilters>): Promise<AuditFilter> => ({
    id: null,
    actorId: query.actor_id ?? null,
    types: parseTypes(query.action, names, 'action'),
    target: await resourceFilter(ctx, query.target_id),
    createdAfter: query.created_after === undefined ? null : parseInstant(query.created_after),
    createdBefore: query.created_before === undefined ? null : parseInstant(query.created_before),
  })
  return [
    list({
      path: '/audit_log',
      name: 'listAuditLog',
      summary: 'List what was done',
      description:
        'An entry for every change there has been, newest first; nothing changes or deletes one, and they stay when the events are gone. `created_after` and `created_before` are exclusive. With a filter that lets few entries through, a page may hold few although `has_more` is true.',
      scope,
      query: AuditFilters,
      item: auditEntryWire,
      sorts: auditSorts,
      sortKey: toSortKey,
      handle: async (ctx, { query, page }) => entriesPage(ctx, await toFilter(ctx, query), page),
      count: async (ctx, { query }, atMost) => countEntries(ctx, await toFilter(ctx, query), atMost),
    }),
    read({
      path: '/audit_log/{id}',
      name: 'getAuditEntry',
      summary: 'Get an entry',
      scope,
      params: { id: 'aud' },
      reply: auditEntryWire,
      versioned: false,
      handle: (ctx, { params }) => findEntry(ctx, params.id),
    }),
    read({
      path: '/audit_log/head',
      name: 'getAuditHead',
      summary: 'Get the head of the chain',
      description:
        'Keep it where nobody who can reach the database can: `GET /v1/audit_log/verify?since=` then tells whether the log up to here is still the one that it was.',
      scope,
      reply: headWire,
      versioned: false,
      handle: headOfLog,
    }),
    read({
      path: '/audit_log/verify',
      name: 'verifyAuditLog',
      summary: 'Verify the log',
      description:
        'Recomputes the hash chain from the first entry on, from what the entries say now; a hundred thousand take some seconds.',
      scope,
      query: VerificationQuery,
      reply: verificationWire,
      versioned: false,
      handle: (ctx, { query }) => verifyLog(ctx, query.since ?? null),
    }),
    stream({
      path: '/audit_log/export',
      name: 'exportAuditLog',
      summary: 'Export the log',
      description:
        'As it is at this moment, oldest first, one entry a line. An answer whose end is missing was cut off.',
      scope,
      query: AuditFilters,
      mediaType: 'application/x-ndjson',
      piece: auditEntryWire,
      replyExample: `${JSON.stringify(auditEntryWire.example)}\n`,
      async *handle(ctx, { query }) {
        yield* exportedEntries(ctx, await toFilter(ctx, query))
      },
    }),
  ]
}
