import { declareIds } from '../../platform/kernel/ids.ts'
import type { Entity } from '../../platform/unit-of-work/entity.ts'
import { type Job, jobTable } from './queries.ts'
import { jobWire } from './schema.ts'

const events = ['job.created', 'job.started', 'job.ended'] as const

export const jobs: Entity<Job, (typeof events)[number]> = {
  type: 'job',
  prefix: declareIds('job', 'job'),
  events,
  table: jobTable,
  wire: jobWire,
  unshown: ['state', 'attempts'],
  audited: ['type', 'dry_run', 'status'],
  precedence: ['job.ended', 'job.started'],
}
