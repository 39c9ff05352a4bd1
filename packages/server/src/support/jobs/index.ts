import { defineResource } from '../../platform/resource/resource.ts'
import { jobs } from './entity.ts'
import { routes } from './routes.ts'
import { dueJobs } from './running/due.ts'
import { jobExample } from './schema.ts'

const begun = {
  ...jobExample,
  progress: { done: 0, total: null, failed: 0 },
  ended_at: null,
  expires_at: null,
}

export default defineResource({
  name: 'jobs',
  title: 'Jobs',
  group: { title: 'Data', place: 54 },
  scopes: { family: 'jobs', roles: { agent: 'write', lead: 'write' } },
  description:
    'Work that takes longer than a request: bulk changes, exports, imports, erasure. A job goes on after the end of a process, and does nothing twice.',
  routes,
  entities: [jobs],
  jobs: dueJobs,
  events: [
    {
      type: 'job.created',
      description: 'A job was created, and waits for its start.',
      example: { ...begun, status: 'queued', started_at: null, version: 1 },
    },
    {
      type: 'job.started',
      description: 'The work of a job began.',
      example: { ...begun, status: 'running', version: 2 },
      previous: { status: 'queued', started_at: null },
    },
    {
      type: 'job.ended',
      description: 'A job ended: its work is done, or it failed or was cancelled.',
      example: jobExample,
      previous: { status: 'running', ended_at: null, expires_at: null },
    },
  ],
})
