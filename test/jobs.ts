import assert from 'node:assert/strict'
import type { Client } from './harness.ts'
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
