import { eventNames, parseTypes } from '../../../platform/journal/event-names.ts'
import { toSortKey } from '../../../platform/journal/positions.ts'
import { parseInstant } from '../../../platform/kernel/clock.ts'
import { unavailable } from '../../../platform/kernel/errors.ts'
import { openSemaphore, type Release, type Semaphore } from '../../../platform/kernel/semaphore.ts'
import type { EventType } from '../../../platform/resource/event-type.ts'
import type { ResourceLimits, Route } from '../../../platform/resource/resource.ts'
import { list, read } from '../../../platform/resource/resource.ts'
import type { Members } from '../../../platform/resource/schema.ts'
import { stream } from '../../../platform/resource/streams.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { subjectOf } from '../events/actions.ts'
import { auditSorts, countEntries, entriesPage, exportedEntries, findEntry } from './log.ts'
import type { AuditFilter } from './queries.ts'
import { auditEntryWire, auditFilters, headWire, VerificationQuery, verificationWire } from './schema.ts'
import { headOfLog, verifyLog } from './verification.ts'

const scope = 'audit_log:read'

/** Requests end within 30 seconds; the last block may take some of them. */
const usualVerifyMs = 15_000

/** Short requests complete in this time. A client that is refused at once would only retry. */
const timeoutMs = 500
const retryAfterSeconds = 5

/** @throws ApiError `unavailable` if the environment has no slot in time */
async function acquire(slots: Semaphore, { env }: Ctx): Promise<Release> {
  const release = await slots.acquire(env.tenantId, timeoutMs)
  if (!release) throw unavailable('too_many_at_once', { retryAfterSeconds })
  return release
}

/** @param eventTypes all event types */
export function routes(eventTypes: EventType[], { verifyWithinMs = usualVerifyMs }: ResourceLimits): Route[] {
  // Each usually uses one of the six connections for slow queries, so one always remains for others.
  const verifications = openSemaphore({ limit: 2, limitOfKey: 1 })
  const exports = openSemaphore({ limit: 3, limitOfKey: 2 })
  const names = eventNames(eventTypes.map(({ type }) => type))
  const query = auditFilters()
  const toFilter = async (
    ctx: Ctx,
    query: Members<ReturnType<typeof auditFilters>>,
  ): Promise<AuditFilter> => ({
    id: null,
    actorId: query.actor_id ?? null,
    types: parseTypes(query.action, names, 'action'),
    target: query.target_id === undefined ? null : await subjectOf(ctx, query.target_id),
    createdAfter: query.created_after === undefined ? null : parseInstant(query.created_after),
    createdBefore: query.created_before === undefined ? null : parseInstant(query.created_before),
  })
  return [
    list({
      path: '/audit_log',
      name: 'listAuditLog',
      summary: 'List audit log entries',
      description:
        'Lists one entry for every change, whoever made it. Entries are never changed or deleted, and outlive the events. With a filter that matches few entries, a page can have few entries although `has_more` is true.',
      scope,
      query,
      item: auditEntryWire,
      sorts: auditSorts,
      sortNotes: { '-commit': 'latest commit first', commit: 'earliest commit first' },
      sortKey: toSortKey,
      handle: async (ctx, { query, page }) => entriesPage(ctx, await toFilter(ctx, query), page),
      count: async (ctx, { query }, atMost) => countEntries(ctx, await toFilter(ctx, query), atMost),
    }),
    read({
      path: '/audit_log/{id}',
      name: 'getAuditEntry',
      summary: 'Get an audit log entry',
      description:
        'Returns an entry by its id. The id of an entry and that of its event have the same characters after the prefix.',
      scope,
      params: { id: 'aud' },
      reply: auditEntryWire,
      versioned: false,
      handle: (ctx, { params }) => findEntry(ctx, params.id),
    }),
    read({
      path: '/audit_log/head',
      name: 'getAuditHead',
      summary: 'Get the audit log head',
      description:
        'Returns the head of the hash chain. Store it where users of the database have no access. `GET /v1/audit_log/verify?since=` then shows whether the log up to this head is unchanged.',
      scope,
      reply: headWire,
      versioned: false,
      handle: headOfLog,
    }),
    read({
      path: '/audit_log/verify',
      name: 'verifyAuditLog',
      summary: 'Verify the audit log',
      description:
        'Recomputes the hash chain over the current content of all entries, from the first one on: some seconds for a hundred thousand. A long log takes several requests: one stops after 15 seconds with `complete: false` and `valid: false`, and the next continues with `after` set to its `head`. The log is valid if none of them finds a fault and the last one is `valid`. One verification runs at a time in an environment and few in a process; more are refused with 503.',
      scope,
      query: VerificationQuery,
      reply: verificationWire,
      versioned: false,
      async handle(ctx, { query: { since = null, after = null } }) {
        const release = await acquire(verifications, ctx)
        return verifyLog(ctx, { since, after }, verifyWithinMs).finally(release)
      },
    }),
    stream({
      path: '/audit_log/export',
      name: 'exportAuditLog',
      summary: 'Export the audit log',
      description:
        'Exports a snapshot of the log, oldest first, one entry per line. A response without a proper end is incomplete. Two exports run at a time in an environment and few in a process; more are refused with 503.',
      scope,
      query,
      mediaType: 'application/x-ndjson',
      piece: auditEntryWire,
      replyExample: `${JSON.stringify(auditEntryWire.example)}\n`,
      async *handle(ctx, { query }) {
        const filter = await toFilter(ctx, query)
        const release = await acquire(exports, ctx)
        try {
          yield* exportedEntries(ctx, filter)
        } finally {
          release()
        }
      },
    }),
  ]
}
