import { typeId } from '../../platform/kernel/ids.ts'
import {
  CommaSeparated,
  Enum,
  Flag,
  Id,
  Int,
  List,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
  Type,
} from '../../platform/resource/schema.ts'
import { defineWire } from '../../platform/resource/wire.ts'
import { type Job, type JobResult, jobStatuses, jobTypes } from './queries.ts'

/** An object whose members depend on the type of the job. */
const Details = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

export const jobExample = {
  id: 'job_01kah1x2pje4x8ywz5v3k0t6ab',
  object: 'job',
  type: 'bulk',
  status: 'completed_with_errors',
  dry_run: false,
  progress: { done: 240, total: 240, failed: 2 },
  params: {
    selection: { filter: { field: 'tags', op: 'contains', value: 'outage' } },
    actions: [{ type: 'resolve' }],
  },
  result: null,
  error: null,
  started_at: '2026-11-20T09:31:00.020Z',
  ended_at: '2026-11-20T09:31:01.400Z',
  expires_at: '2026-12-20T09:31:01.400Z',
  created_at: '2026-11-20T09:31:00.000Z',
  updated_at: '2026-11-20T09:31:01.400Z',
  version: 14,
}

/** A job right after the request that starts it. */
export const newJobExample = (type: string, params: Record<string, unknown>) => ({
  ...jobExample,
  type,
  status: 'queued',
  progress: { done: 0, total: null, failed: 0 },
  params,
  started_at: null,
  ended_at: null,
  expires_at: null,
  updated_at: jobExample.created_at,
  version: 1,
})

export const jobWire = defineWire<Job>({
  name: 'Job',
  schema: Shape({
    id: Id('job'),
    object: Enum(['job']),
    type: Enum(jobTypes, { description: 'What the job does.' }),
    status: Enum(jobStatuses, {
      description:
        '`completed_with_errors` if the job has done its work except for some objects or lines, which `GET /v1/jobs/{id}/results?status=failed` lists; `failed` if it ended before its work was done, with the reason in `error`.',
    }),
    dry_run: Flag({ description: 'Whether the job only tells what it would do.' }),
    progress: Shape(
      {
        done: Int(0, 2147483647, {
          description: 'The number of objects or lines so far, failures included.',
        }),
        total: Nullable(Int(0, 2147483647), {
          description: 'The number of all objects or lines; null while it is unknown.',
        }),
        failed: Int(0, 2147483647, { description: 'The number of failures so far.' }),
      },
      { description: 'How far the job has come. It is stored together with the effects of the job.' },
    ),
    params: Details(
      'What was asked for. Long lists of ids are replaced by their number, `count`. Empty if it named a person who was erased.',
    ),
    result: Nullable(Details('What the job made, in a form that depends on its type.'), {
      description: 'What the job made, in a form that depends on its type; null for none.',
    }),
    error: Nullable(
      Shape({
        code: Text(1, 100, { description: 'The reason as a code.' }),
        detail: Text(1, 1000, { description: 'The reason in a sentence.' }),
      }),
      { description: 'Why the job failed as a whole; null unless its status is `failed`.' },
    ),
    started_at: Nullable(Timestamp(), { description: 'The time at which the work began; null before.' }),
    ended_at: Nullable(Timestamp(), { description: 'The time at which the work ended; null before.' }),
    expires_at: Nullable(Timestamp(), {
      description: 'The time at which results and files of the job are deleted; null until it has ended.',
    }),
    ...revision,
  }),
  example: jobExample,
  present: (row) => ({
    id: typeId('job', row.id),
    object: 'job',
    type: row.type,
    status: row.status,
    dry_run: row.dry_run,
    progress: { done: row.done, total: row.total, failed: row.failed },
    params: row.erases_params ? {} : row.params,
    result: row.result,
    error: row.error,
    started_at: row.started_at,
    ended_at: row.ended_at,
    expires_at: row.expires_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const JobFilters = Shape({
  type: Optional(
    CommaSeparated(jobTypes, {
      description: 'Return only jobs of these types, comma-separated.',
      examples: ['import,export'],
    }),
  ),
  status: Optional(
    CommaSeparated(jobStatuses, {
      description: 'Return only jobs with one of these statuses, comma-separated.',
      examples: ['queued,running'],
    }),
  ),
})

const resultStatuses = ['succeeded', 'failed'] as const

export const ResultFilters = Shape({
  status: Optional(Enum(resultStatuses, { description: 'Return only results with this status.' })),
})

/** A result with the type of its job: files have lines, selections have indexes. */
export type ShownResult = JobResult & { counts: 'index' | 'line' }

export const resultWire = defineWire<ShownResult>({
  name: 'JobResult',
  schema: Shape({
    object: Enum(['job_result']),
    index: Nullable(Int(0, 2147483647), {
      description: 'The index of the object in the selection, from 0; null for imports.',
    }),
    line: Nullable(Int(1, 2147483647), {
      description: 'The line of the file, from 1; null except for imports.',
    }),
    id: Nullable(Text(1, 64), { description: 'The id of the object; null if there is none.' }),
    status: Enum(resultStatuses, { description: 'Whether the job has done its work on the object.' }),
    errors: List(
      Shape({
        pointer: Nullable(Text(0, 1000), {
          description: 'The invalid field as a JSON Pointer; null if the object as a whole was refused.',
        }),
        code: Text(1, 100, { description: 'The code of the error.' }),
        detail: Text(1, 1000, { description: 'The error in words.' }),
      }),
      100,
      { description: 'The reasons of a failure; empty otherwise.' },
    ),
    changes: Nullable(Details('The fields that would change.'), {
      description:
        'In dry runs of bulk jobs, the fields of the object that would change, each with `from` and `to`; null otherwise, without the scope `conversations:read`, and after the erasure of any person.',
    }),
  }),
  example: {
    object: 'job_result',
    index: 17,
    line: null,
    id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
    status: 'failed',
    errors: [{ pointer: null, code: 'conversation_closed', detail: 'The conversation is closed.' }],
    changes: null,
  },
  present: (row) => ({
    object: 'job_result',
    index: row.counts === 'index' ? row.place : null,
    line: row.counts === 'line' ? row.place : null,
    id: row.object_id,
    status: row.status,
    errors: row.errors ?? [],
    changes: row.changes,
  }),
})
