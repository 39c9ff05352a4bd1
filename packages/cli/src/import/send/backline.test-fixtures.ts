import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import type { Access } from '../../access/access.ts'
import { openClient } from '../../api/client.ts'
import { type Answer, type Asked, type Recorded, serve } from '../recorded.test-fixtures.ts'
import type { SendOptions } from './send.ts'

/* A server with the routes that an import uses, as the contract describes them, and a send to it. */

type StoredFile = { id: string; filename: string; content_type: string; bytes: Buffer | null; status: string }

export type Faults = {
  /** Answers before all others. */
  first?: (asked: Asked) => Answer | null
  /** The end of each job; default: all lines succeed. */
  end?: (lines: Recorded[], dryRun: boolean) => { status?: string; failed?: Recorded[]; error?: Recorded }
}

export async function backline(t: TestContext, faults: Faults = {}) {
  const key = newKeySecret('test')
  const files = new Map<string, StoredFile>()
  const jobs = new Map<string, Recorded>()
  const replies = new Map<string, { request: string; reply: Answer }>()
  const imports: { lines: Recorded[]; body: Recorded }[] = []
  /** The answers to requests that a server carries out once for each key. */
  const once = ({ method, path, headers, body }: Asked, carryOut: () => Answer): Answer => {
    const idempotencyKey = headers['idempotency-key'] as string
    const request = `${method} ${path} ${body}`
    const known = replies.get(idempotencyKey)
    if (known && known.request !== request) return problem(409, 'idempotency_key_reused', 'other request')
    const reply = known?.reply ?? carryOut()
    replies.set(idempotencyKey, { request, reply })
    return reply
  }
  const shown = ({ bytes: _, ...file }: StoredFile) => ({ object: 'file', upload: null, ...file })

  function answer(asked: Asked): Answer | null {
    const { method, path, body, headers } = asked
    if (method === 'PUT') {
      const file = files.get(path.split('/').at(-1)!)!
      if (file.status !== 'awaiting_upload') return problem(409, 'invalid_transition', 'is complete')
      file.bytes = Buffer.from(body, 'latin1')
      return { status: 204, body: '' }
    }
    if (headers.authorization !== `Bearer ${key}`) return problem(401, 'api_key_invalid', 'no such key')
    if (path === '/v1/workspace') return { body: { id: 'ws_1', object: 'workspace', name: 'Acme' } }
    if (path === '/v1/files')
      return once(asked, () => {
        const { filename, content_type, size_bytes } = JSON.parse(body)
        if (/\.exe$/.test(filename)) return problem(422, 'validation_failed', 'is denied', '/filename')
        if (size_bytes > 1_000_000)
          return problem(422, 'validation_failed', 'must be at most 1000000', '/size_bytes')
        const file = {
          id: `file_${files.size + 1}`,
          filename,
          content_type,
          bytes: null,
          status: 'awaiting_upload',
        }
        files.set(file.id, file)
        const url = `${server.url}/v1/uploads/${file.id}`
        return {
          status: 201,
          body: { ...shown(file), upload: { method: 'PUT', url, headers: { 'content-type': content_type } } },
        }
      })
    const [, completed] = /^\/v1\/files\/(\w+)\/complete$/.exec(path) ?? []
    if (completed) {
      const file = files.get(completed)!
      file.status = 'ready'
      return { body: shown(file) }
    }
    if (path === '/v1/imports')
      return once(asked, () => {
        const given = JSON.parse(body)
        const lines = gunzipSync(files.get(given.file_id)!.bytes!).toString().trimEnd().split('\n')
        imports.push({ lines: lines.map(parsed), body: given })
        const {
          status,
          failed = [],
          error = null,
        } = faults.end?.(lines.map(parsed), given.dry_run === true) ?? {}
        const job = {
          id: `job_${jobs.size + 1}`,
          object: 'job',
          type: 'import',
          status: status ?? (failed.length > 0 ? 'completed_with_errors' : 'succeeded'),
          progress: { done: lines.length, total: lines.length, failed: failed.length },
          dry_run: given.dry_run ?? false,
          result: {},
          error,
          failed,
          polls: 0,
        }
        jobs.set(job.id, job)
        return { status: 202, body: { ...job, status: 'queued' } }
      })
    const [, id, results] = /^\/v1\/jobs\/(\w+)(\/results)?$/.exec(path) ?? []
    const job = id && jobs.get(id)
    if (!job) return null
    if (results) return { body: { object: 'list', data: job.failed, has_more: false, next_cursor: null } }
    // Two answers before the end.
    const isRunning = ++job.polls < 3
    return { body: isRunning ? { ...job, status: 'running' } : job }
  }

  const server = await serve(t, (asked) => faults.first?.(asked) ?? answer(asked))
  const access: Access = { url: server.url, key, environment: 'test', listenSecret: '' }
  const options = (file: string, folder: string, signal = new AbortController().signal): SendOptions => ({
    access,
    client: openClient(access, signal),
    signal,
    file,
    to: null,
    root: folder,
    folder,
    source: 'zendesk',
    onConflict: undefined,
    pollMs: 0,
  })
  const environment = { BACKLINE_URL: server.url, BACKLINE_API_KEY: key, XDG_CONFIG_HOME: '/nonexistent' }
  return { ...server, files, jobs, imports, options, environment }
}

function parsed(line: string): Recorded {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

const problem = (status: number, code: string, detail: string, pointer?: string): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    type: `https://x.test/${code}`,
    title: code,
    status,
    code,
    detail,
    request_id: 'req_1',
    errors: pointer === undefined ? [] : [{ pointer, code: 'not_allowed', detail }],
    params: {},
  },
})
