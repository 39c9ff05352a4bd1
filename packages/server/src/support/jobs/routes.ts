import { ApiError } from '../../platform/kernel/errors.ts'
import { list, read, write } from '../../platform/resource/resource.ts'
import type { Ctx } from '../../platform/unit-of-work/context.ts'
import { cancelJob } from './actions.ts'
import {
  countResults,
  type Job,
  type JobResult,
  jobConditions,
  jobOrders,
  jobTable,
  listResults,
} from './queries.ts'
import { JobFilters, jobExample, jobWire, ResultFilters, resultWire, type ShownResult } from './schema.ts'

export const routes = [
  list({
    path: '/jobs',
    name: 'listJobs',
    summary: 'List jobs',
    description: 'Lists the jobs of all types, also those that retention policies have started.',
    scope: 'jobs:read',
    query: JobFilters,
    item: jobWire,
    sorts: ['-created_at', 'created_at'],
    sortKey: (row, sort) => jobOrders[sort].key(row),
    handle: ({ db, env }, { query, page }) =>
      jobTable.page(db, env.tenantId, jobConditions(query), jobOrders[page.sort], page),
    count: ({ db, env }, { query }, atMost) => jobTable.count(db, env.tenantId, jobConditions(query), atMost),
  }),
  read({
    path: '/jobs/{id}',
    name: 'getJob',
    summary: 'Get a job',
    description: 'Returns a job with its progress. Its version rises with each part that is done.',
    scope: 'jobs:read',
    params: { id: 'job' },
    reply: jobWire,
    handle: ({ db, env }, { params }) => jobTable.find(db, env.tenantId, params.id),
  }),
  write({
    method: 'POST',
    path: '/jobs/{id}/cancel',
    name: 'cancelJob',
    summary: 'Cancel a job',
    description:
      'Ends a job before its work is done. What is done stays done, and has its results. An erasure, or the removal of a custom field, that has begun is completed (409).',
    scope: 'jobs:write',
    params: { id: 'job' },
    errors: ['invalid_transition'],
    reply: jobWire,
    replyExample: {
      ...jobExample,
      status: 'cancelled',
      progress: { done: 100, total: 240, failed: 0 },
    },
    handle: (change, { params }) => cancelJob(change, params.id),
  }),
  list({
    path: '/jobs/{id}/results',
    name: 'listJobResults',
    summary: 'List the results of a job',
    description:
      'Lists what became of each object or line, in their order: while the job runs, of those that are done so far. Results are deleted 30 days after the end of the job. Keys without the scope `conversations:read` see no `changes`.',
    scope: 'jobs:read',
    params: { id: 'job' },
    query: ResultFilters,
    item: resultWire,
    sorts: ['place'],
    sortNotes: { place: 'in the order of the objects or lines' },
    fixedSort: true,
    sortKey: (row: ShownResult) => [row.place],
    async handle(ctx, { params, query, page }) {
      const counts = countsOf(await jobOf(ctx, params.id))
      const found = await listResults(ctx.db, ctx.env.tenantId, params.id, query.status, page)
      return shown(found, counts, ctx.principal.allows('conversations:read'))
    },
    async count(ctx, { params, query }, atMost) {
      const job = await jobOf(ctx, params.id)
      return countResults(ctx.db, ctx.env.tenantId, job.id, query.status, atMost)
    },
  }),
]

async function jobOf({ db, env }: Ctx, id: string): Promise<Job> {
  const job = await jobTable.find(db, env.tenantId, id)
  if (!job) throw new ApiError('not_found')
  return job
}

const countsOf = ({ type }: Job): ShownResult['counts'] => (type === 'import' ? 'line' : 'index')

const shown = (found: JobResult[], counts: ShownResult['counts'], hasChanges: boolean): ShownResult[] =>
  found.map((result) => ({ ...result, counts, changes: hasChanges ? result.changes : null }))
