import { randomUUID } from 'node:crypto'
import { createLink } from '@backline/server/support/access/console/links.ts'
import { succeeded } from './desk.ts'
import type { Answer, Service, World } from './harness.ts'

/* The console as a browser uses it: a one-time link, a cookie, and the header `Backline-Console`. */

export const consolePath = '/console/api'

/** Sends a request as the console does. `headers` can replace what a browser sends. */
export async function fromConsole(
  { url }: { url: string },
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Answer & { cookie: string | null }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: /\bjson\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null,
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? null,
  }
}

/** A one-time link of a world's workspace. */
export const linkOf = (
  api: Pick<Service, 'db' | 'now'>,
  { environments }: World,
  email: string | null,
): Promise<string> => createLink(api.db, api.now, { workspaceId: environments.test.workspaceId, email })

/** A browser that has signed in, in one environment. */
export type Browser = {
  cookie: string
  email: string
  /** The operator in the environment. */
  operatorId: string
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Signs in as a new operator with this role in both environments. */
export async function signedIn(
  api: Service,
  world: World,
  role: string,
  kind: 'live' | 'test' = 'test',
): Promise<Browser> {
  const email = `${randomUUID()}@example.com`
  const ids: Record<string, string> = {}
  for (const each of ['live', 'test'] as const)
    ids[each] = succeeded(await world[each].post('/v1/operators', { name: 'Ada', email, role })).id
  const token = await linkOf(api, world, email)
  const { cookie } = await fromConsole(
    api,
    'POST',
    `${consolePath}/sign_in/link`,
    { 'backline-console': kind },
    { token },
  )
  return { ...browserOf(api, cookie!, kind), email, operatorId: ids[kind]! }
}

/** A browser with a cookie. */
export const browserOf = (
  server: { url: string },
  cookie: string,
  kind: 'live' | 'test' = 'test',
): Pick<Browser, 'cookie' | 'send'> => ({
  cookie,
  send: (method, path, body, headers = {}) =>
    fromConsole(server, method, path, { cookie, 'backline-console': kind, ...headers }, body),
})
