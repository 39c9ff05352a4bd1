import { ApiError, ConnectionError, type EndUser, type FilterTree, type Job } from '@backline/sdk'
import { useMemo } from 'react'
import { randomKey } from '../browser/random-key.ts'
import { type EnvironmentName, environmentHeader, serverUrl } from './client.ts'
import { type Scope, useEnvironment } from './environment.tsx'

/*
 * Routes that the SDK does not have yet, in the form of its methods.
 */

export type NewImport = {
  file_id: string
  source: string
  on_conflict?: 'skip' | 'update'
  dry_run?: boolean
}

export type RetentionPolicy = {
  id: string
  name: string
  filter: FilterTree
  after_seconds: number
  action: 'redact' | 'delete_files' | 'delete'
  status: 'paused' | 'enabled'
  version: number
}

export type RetentionPreview = { matched: number; more?: boolean; oldest: string | null }

export type LegalHold = { reason: string; since: string }
/** The end user of servers with legal holds. */
export type Held = EndUser & { legal_hold?: LegalHold | null }

export type ErasureMode = 'anonymise' | 'delete'

/** The certificate of an erasure. */
export type Erasure = {
  id: string
  end_user_id: string
  mode: ErasureMode
  counts: Record<string, number>
  audit_head_before: string | null
  audit_head_after: string | null
  /** Whole exports from before, which have the person until they end. */
  exports?: string[]
  completed_at: string
  sha256: string
}

/** Scopes that the SDK does not know yet. */
export const erasureScopes = {
  read: 'erasure:read' as string as Scope,
  write: 'erasure:write' as string as Scope,
}

type CallOptions = { query?: Record<string, string | undefined>; body?: object; ifMatch?: string }

/** @throws ApiError or ConnectionError */
async function call<Answer>(
  environment: EnvironmentName,
  method: string,
  path: string,
  { query = {}, body, ifMatch }: CallOptions = {},
): Promise<Answer> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : ''
  const response = await fetch(`${serverUrl}v1${path}${search}`, {
    method,
    headers: {
      [environmentHeader]: environment,
      ...(method === 'GET' ? {} : { 'idempotency-key': randomKey() }),
      ...(body && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    credentials: 'same-origin',
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause) => {
    throw new ConnectionError('The server cannot be reached.', { cause })
  })
  const text = await response.text()
  const answer = text === '' ? null : JSON.parse(text)
  if (!response.ok) throw new ApiError(answer, response.headers)
  return answer
}

type Page<Item> = { data: Item[]; next_cursor: string | null }

async function* listOf<Item>(
  environment: EnvironmentName,
  path: string,
  query: Record<string, string | undefined>,
): AsyncGenerator<Item> {
  let cursor: string | undefined
  do {
    const page: Page<Item> = await call(environment, 'GET', path, { query: { ...query, cursor } })
    yield* page.data
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}

type ListQuery = { limit: number; cursor?: string | undefined }
type ErasurePage = { data: Erasure[]; has_more: boolean; next_cursor: string | null }

const person = (id: string, action: string) => `/end_users/${id}/${action}`
const retention = '/retention_policies'

const dataApi = (environment: EnvironmentName) => ({
  imports: {
    start: (body: NewImport) => call<Job>(environment, 'POST', '/imports', { body }),
  },
  endUsers: {
    export: (id: string) => call<Job>(environment, 'POST', person(id, 'export')),
    erase: (id: string, body: { mode: ErasureMode; dry_run?: boolean }) =>
      call<Job>(environment, 'POST', person(id, 'erase'), { body }),
    hold: (id: string, body: { reason: string }) =>
      call<Held>(environment, 'PUT', person(id, 'legal_hold'), { body }),
    release: (id: string) => call<Held>(environment, 'DELETE', person(id, 'legal_hold')),
  },
  erasures: {
    list: ({ limit, cursor }: ListQuery) =>
      call<ErasurePage>(environment, 'GET', '/erasures', { query: { limit: String(limit), cursor } }),
    retrieve: (id: string) => call<Erasure>(environment, 'GET', `/erasures/${id}`),
  },
  retentionPolicies: {
    list: ({ limit }: { limit: number }) =>
      listOf<RetentionPolicy>(environment, retention, { limit: String(limit) }),
    retrieve: (id: string) => call<RetentionPolicy>(environment, 'GET', `${retention}/${id}`),
    create: (body: object) => call<RetentionPolicy>(environment, 'POST', retention, { body }),
    update: (id: string, body: object, options?: { ifMatch: string }) =>
      call<RetentionPolicy>(environment, 'PATCH', `${retention}/${id}`, { body, ...options }),
    delete: (id: string) => call<null>(environment, 'DELETE', `${retention}/${id}`),
    preview: (id: string) => call<RetentionPreview>(environment, 'POST', `${retention}/${id}/preview`),
  },
})

export function useDataApi() {
  const { name } = useEnvironment()
  return useMemo(() => dataApi(name), [name])
}
