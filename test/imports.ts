import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { file } from './files.ts'
import type { Client, Service } from './harness.ts'
import { ended, resultsOf, started } from './jobs.ts'

/* Fixtures of the tests of imports. */

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Body = any

export type Line = object | string

const textOf = (lines: Line[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')

/** A file with these lines that is ready. */
export async function sourceOf(
  api: Pick<Service, 'url'>,
  client: Client,
  lines: Line[],
  { gzip = false } = {},
): Promise<string> {
  const bytes = Buffer.from(textOf(lines))
  const given = gzip
    ? { bytes: gzipSync(bytes), filename: 'lines.ndjson.gz', content_type: 'application/gzip' }
    : { bytes, filename: 'lines.ndjson', content_type: 'application/x-ndjson' }
  return (await file(api, client, given)).id
}

/** Starts an import of these lines. */
export async function startImport(
  api: Pick<Service, 'url'>,
  client: Client,
  lines: Line[],
  { gzip = false, headers = {}, ...input }: { gzip?: boolean; headers?: object } & Body = {},
): Promise<Body> {
  const file_id = await sourceOf(api, client, lines, { gzip })
  return started(client, '/v1/imports', { file_id, source: 'zendesk', ...input }, headers as never)
}

/** Imports lines. Returns the job as it has ended, with its results. */
export async function imported(
  api: Pick<Service, 'url'>,
  client: Client,
  lines: Line[],
  input: Body = {},
): Promise<{ job: Body; results: Body[] }> {
  return endOf(client, await startImport(api, client, lines, input), lines)
}

/** Waits for the end of an import of these lines, each of which has one result. */
export async function endOf(
  client: Client,
  started: Body,
  lines: Line[],
): Promise<{ job: Body; results: Body[] }> {
  const job = await ended(client, started)
  const results = await resultsOf(client, job)
  assert.deepEqual(
    results.map(({ line }) => line),
    lines.flatMap((line, i) => (line === '' ? [] : [i + 1])),
    `the lines of the results of ${JSON.stringify(job)}`,
  )
  return { job, results }
}

/** The pointers and codes of each line that failed. */
export const faultsIn = (results: Body[]) =>
  results
    .filter(({ status }) => status === 'failed')
    .map(({ line, errors }) => [line, errors.map(({ pointer, code }: Body) => `${pointer} ${code}`).sort()])

/** The line of a conversation. */
export const conversationLine = (external_id: string, given: object = {}) => ({
  type: 'conversation',
  external_id,
  end_user_external_id: 'user_1',
  status: 'closed',
  created_at: '2020-03-01T08:00:00Z',
  ...given,
})

/** The line of a message. */
export const messageLine = (external_id: string, conversation: string, given: object = {}) => ({
  type: 'message',
  external_id,
  conversation_external_id: conversation,
  author_side: 'end_user',
  body: `Text of ${external_id}`,
  created_at: '2020-03-01T08:00:00Z',
  ...given,
})

/** A server of one file, which waits before it sends it: an import that fetches the file waits as well. */
export async function slowServer(
  t: TestContext,
): Promise<{ url: string; asked: Promise<void>; answer(): void }> {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = createServer(async (_, response) => {
    asked.resolve()
    await answered.promise
    response.end('A file')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/file.txt`, asked: asked.promise, answer: answered.resolve }
}
