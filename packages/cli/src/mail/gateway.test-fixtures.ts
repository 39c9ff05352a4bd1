import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { mail } from '@backline/test/mails.ts'
import { temporaryDirectory } from '@backline/test/processes.ts'

/* Things that tests of `mail fetch` put before the API, and into files and folders. */

/** A mail in a folder, by its subject. */
export const letter = (subject: string, body = 'Hello'): string => mail({ subject, body })

export function fileWith(text: string, mode = 0o600): string {
  const file = join(temporaryDirectory(), 'password')
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

export type Around = {
  /** True if it has answered itself. */
  before?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Runs before the command has the answer. */
  after?: (request: IncomingMessage, status: number) => Promise<unknown>
}

/** A server before the API, until the test ends. @returns its URL */
export async function gatewayTo(api: string, t: TestContext, around: Around): Promise<string> {
  const server = createServer(async (request, response) => {
    if (around.before?.(request, response)) return
    const body = isPost(request) ? await buffer(request) : undefined
    const { host, connection, 'transfer-encoding': _, ...headers } = request.headers
    const answer = await fetch(api + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(body ? { body: new Uint8Array(body) } : {}),
    })
    const text = await answer.text()
    await around.after?.(request, answer.status)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! }).end(text)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export const isPost = ({ method }: IncomingMessage): boolean => method === 'POST'
