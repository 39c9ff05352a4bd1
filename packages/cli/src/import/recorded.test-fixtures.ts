import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { fetchAll } from './fetch.ts'
import type { FetchState } from './folder.ts'
import { openSource } from './http.ts'
import type { Source } from './source.ts'

/* Servers with responses as the products document them, and a fetch from one. */

// biome-ignore lint/suspicious/noExplicitAny: responses of other products
export type Recorded = any

export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}
export type Answer = { status?: number; headers?: Record<string, string>; body?: Recorded }

/** Serves answers: an object is JSON, a text or bytes are sent as they are. A null answer is 404. */
export async function serve(
  t: TestContext,
  answer: (asked: Asked) => Answer | null | Promise<Answer | null>,
) {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    requests.push(`${request.method} ${request.url}`)
    const { method = 'GET', headers } = request
    const body = method === 'PUT' ? await bytesOf(request) : await text(request)
    const found = await answer({
      method,
      path: decodeURIComponent(pathname),
      query: searchParams,
      headers,
      body,
    })
    const {
      status = found ? 200 : 404,
      headers: sent = {},
      body: content = { error: 'not found' },
    } = found ?? {}
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content)
    response.writeHead(status, {
      'content-type': isRaw ? 'application/octet-stream' : 'application/json',
      ...sent,
    })
    response.end(isRaw ? content : JSON.stringify(content))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

async function bytesOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1')
}

export function temporaryFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'backline-import-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export type FetchGiven = {
  folder: string
  base: string
  since?: string
  ownIds?: boolean
  headers?: Record<string, string>
  signal?: AbortSignal
  pauses?: number[]
}

/** Fetches with pauses of no length, which are recorded. */
export async function fetchInto(source: Source, given: FetchGiven): Promise<Copy> {
  const { folder, base, since = null, ownIds = false, headers = {}, pauses = [] } = given
  const signal = given.signal ?? new AbortController().signal
  const pause = async (ms: number) => void pauses.push(ms)
  const client = openSource({ title: source.title, base, headers, signal, pause })
  const state = await fetchAll(source, {
    folder,
    client,
    base,
    since,
    ownIds,
    signal,
    progress: () => undefined,
  })
  return { ...readCopy(folder), state }
}

export type Copy = { lines: Recorded[]; losses: Recorded[]; state: FetchState }

export function readCopy(folder: string) {
  const read = (name: string) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  return { lines: read('lines.ndjson'), losses: read('losses.ndjson') }
}

/** The lines of a type, by external id. */
export const byId = (lines: Recorded[], type: string): Record<string, Recorded> =>
  Object.fromEntries(lines.filter((line) => line.type === type).map((line) => [line.external_id, line]))

/** All files of a folder with their bytes, but for the index, whose bytes depend on its history. */
export function filesOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('known.sqlite')) continue
    const path = join(entry.parentPath, entry.name)
    found[path.slice(folder.length + 1)] = readFileSync(path, 'base64')
  }
  return found
}
