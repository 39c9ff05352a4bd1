import { ApiError } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { list, read, write } from '../../../platform/resource/resource.ts'
import type { Members } from '../../../platform/resource/schema.ts'
import { byCreation, unlessArchived } from '../../../platform/tables/table.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import {
  countPeriods,
  listPeriods,
  memberOf,
  operatorConditions,
  operatorStatusTable,
  operatorTable,
  periodSorts,
} from './queries.ts'
import { heartbeat, setOperatorStatus } from './status.ts'
import {
  Heartbeat,
  NewStatus,
  periodWire,
  StatusFilters,
  SummaryWindow,
  statusEntryWire,
  statusWire,
  summaryWire,
} from './status-schema.ts'
import { summariseStatus } from './summary.ts'

const params = { id: 'op' }

async function requireOperator(ctx: Ctx, id: string): Promise<void> {
  if (!(await operatorTable.find(ctx.db, ctx.env.tenantId, id))) throw new ApiError('not_found')
}

/** A department that does not exist has no members. */
function presentOperators(tenantId: string, { status, department_id }: Members<typeof StatusFilters>): Sql[] {
  const department = department_id === undefined ? null : uuidOf('dept', department_id)
  return [
    ...unlessArchived('false'),
    ...operatorConditions(status ? { status } : {}),
    ...(department ? [memberOf(tenantId, department)] : []),
  ]
}

export const statusRoutes = [
  read({
    path: '/operators/{id}/status',
    name: 'getOperatorStatus',
    summary: "Get an operator's status",
    description:
      'Returns the current status, its reason and until when it lasts. The `ETag` is the version of the operator.',
    scope: 'operators:read',
    params,
    reply: statusWire,
    handle: (ctx, { params }) => operatorTable.find(ctx.db, ctx.env.tenantId, params.id),
  }),
  write({
    method: 'PUT',
    path: '/operators/{id}/status',
    name: 'setOperatorStatus',
    summary: "Set an operator's status",
    description:
      'Replaces the whole status; omitted fields become null. An operator set offline stays offline until another status is set; heartbeats do not bring it back.',
    scope: 'operators:write',
    params,
    ownParam: 'id',
    errors: ['invalid_transition'],
    body: NewStatus,
    bodyExample: { status: 'busy', reason: 'Training' },
    replyExample: { ...(statusWire.example as object), until: null, then: null },
    reply: statusWire,
    handle: (change, { params, body }) => setOperatorStatus(change, params.id, body),
  }),
  write({
    method: 'POST',
    path: '/operators/{id}/heartbeat',
    name: 'sendOperatorHeartbeat',
    summary: 'Send an operator heartbeat',
    description:
      'The operator goes offline if no further heartbeat arrives within `ttl_seconds`; the next heartbeat brings it back online. A heartbeat does not bring back an operator that was set offline.',
    scope: 'operators:write',
    params,
    ownParam: 'id',
    body: Heartbeat,
    bodyOptional: true,
    bodyExample: { ttl_seconds: 60 },
    replyExample: {
      ...(statusWire.example as object),
      status: 'online',
      reason: null,
      until: null,
      then: null,
    },
    reply: statusWire,
    handle: (change, { params, body }) => heartbeat(change, params.id, body),
  }),
  list({
    path: '/operators/{id}/status_history',
    name: 'listOperatorStatusHistory',
    summary: 'List operator status history',
    description:
      'Lists the periods since the operator was created. Each ends where the next one begins, without gaps or overlaps.',
    scope: 'operators:read',
    params,
    item: periodWire,
    sorts: periodSorts,
    sortNotes: { '-from': 'latest period first', from: 'earliest period first' },
    sortKey: (row) => [row.from],
    handle: async (ctx, { params, page }) => {
      const [periods] = await Promise.all([
        listPeriods(ctx.db, ctx.env.tenantId, params.id, page),
        requireOperator(ctx, params.id),
      ])
      return periods
    },
    count: (ctx, { params }, atMost) => countPeriods(ctx.db, ctx.env.tenantId, params.id, atMost),
  }),
  read({
    path: '/operators/{id}/status_summary',
    name: 'getOperatorStatusSummary',
    summary: 'Summarize operator status history',
    description:
      'Adds up the time that the operator spent in each status between two times. `from` must not be after `to`.',
    scope: 'operators:read',
    params,
    query: SummaryWindow,
    reply: summaryWire,
    versioned: false,
    handle: (ctx, { params, query }) => summariseStatus(ctx, params.id, query),
  }),
  list({
    path: '/operator_statuses',
    name: 'listOperatorStatuses',
    summary: 'List current operator statuses',
    description:
      'Lists who is there now: the status and load of all operators that are not archived. An unknown `department_id` gives an empty list.',
    scope: 'operators:read',
    query: StatusFilters,
    item: statusEntryWire,
    sorts: ['created_at', '-created_at'],
    sortKey: (row, sort) => byCreation[sort].key(row),
    handle: (ctx, { query, page }) =>
      operatorStatusTable.list(
        ctx.db,
        ctx.env.tenantId,
        presentOperators(ctx.env.tenantId, query),
        byCreation[page.sort],
        page,
        { slow: false }, // operators are few
      ),
    count: (ctx, { query }, atMost) =>
      operatorStatusTable.count(ctx.db, ctx.env.tenantId, presentOperators(ctx.env.tenantId, query), atMost),
  }),
]
