import assert from 'node:assert/strict'
import type { Environment } from '@backline/server/platform/kernel/environment.ts'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { transact } from '@backline/server/platform/unit-of-work/transact.ts'
import { dueJobs } from '@backline/server/support/jobs/running/due.ts'
import type { Client, Service } from './harness.ts'
import { until } from './processes.ts'

/* Fixtures of the tests of jobs. */

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Body = any

/** Starts a job by a POST and returns it as it has ended. */
export async function run(client: Client, path: string, input: object, headers = {}): Promise<Body> {
  return ended(client, await started(client, path, input, headers))
}

export async function started(client: Client, path: string, input: object, headers = {}): Promise<Body> {
  const { status, body, text } = await client.post(path, input, headers)
  assert.equal(status, 202, text)
  return body
}

/** Waits for the end of a job. */
export const ended = (client: Client, { id }: { id: string }): Promise<Body> =>
  until(
    `job ${id} has ended`,
    async () => {
      const { body } = await client.get(`/v1/jobs/${id}`)
      return body.ended_at === null ? null : body
    },
    60_000,
  )

/** All results of a job. */
export async function resultsOf(client: Client, { id }: { id: string }, query = ''): Promise<Body[]> {
  const results: Body[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/v1/jobs/${id}/results?limit=100${query}${cursor && `&cursor=${cursor}`}`
    const { status, body, text } = await client.get(path)
    assert.equal(status, 200, text)
    results.push(...body.data)
    cursor = body.next_cursor
  }
  return results
}

/** Takes a job as a server that ends right afterwards, without a trace but its lease, which has ended then. */
export async function takenInVain(
  { context, db }: Pick<Service, 'context' | 'db'>,
  env: Environment,
  { id, created_at }: Body,
): Promise<void> {
  const ctx = context(env)
  const jobs = { ...ctx.services.jobs, hasRoom: () => true, run: () => undefined }
  const [take] = dueJobs
  await transact({ ...ctx, services: { ...ctx.services, jobs } }, (change) =>
    take!.perform(change, uuidOf('job', id)!, created_at),
  )
  await db.write(sql`update due_work set retry_at = now() where tenant_id = ${env.tenantId}
    and duty = 'job' and subject_id = ${uuidOf('job', id)}`)
}
