import type { CreateWebhookEndpointBody, FilterTree, WebhookEndpoint } from '@backline/sdk'
import { asFilter, asGroup } from '../../filters/tree.ts'
import { isEqual } from '../../forms/changes.ts'
import type { Change } from '../shared/differences.ts'

/** An endpoint as a person edits it: headers are lines. */
export type Draft = {
  url: string
  description: string
  events: string[]
  payload: 'full' | 'thin'
  filter: FilterTree | null
  headers: string
}

export const draftOf = (endpoint: WebhookEndpoint | null): Draft => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  events: endpoint?.enabled_events ?? ['*'],
  payload: endpoint?.payload ?? 'full',
  filter: endpoint?.filter ? asGroup(endpoint.filter) : null,
  headers: Object.entries(endpoint?.headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
})

/** Undefined if a line is not `Name: value`. */
export function headersIn(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^([^:]+):(.+)$/.exec(line.trim()))
  if (pairs.includes(null)) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair![1]!.trim(), pair![2]!.trim()]))
}

/** The body of a request: for an endpoint that exists, headers that are gone are removed. */
export function bodyOf(draft: Draft, endpoint: WebhookEndpoint | null) {
  const headers = headersIn(draft.headers)!
  const kept = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const removed = Object.keys(endpoint?.headers ?? {}).filter((name) => !kept.has(name.toLowerCase()))
  return {
    url: draft.url.trim(),
    description: draft.description.trim() || null,
    enabled_events: draft.events as NonNullable<CreateWebhookEndpointBody['enabled_events']>,
    payload: draft.payload,
    filter: draft.filter && asFilter(draft.filter),
    headers: { ...headers, ...Object.fromEntries(removed.map((name) => [name, null])) } as Record<
      string,
      string
    >,
  }
}

const edited = ['url', 'description', 'enabled_events', 'payload', 'filter', 'headers', 'status'] as const

/** The differences between two versions of an endpoint. */
export const differences = (before: WebhookEndpoint, now: WebhookEndpoint): Record<string, Change> =>
  Object.fromEntries(
    edited
      .filter((field) => !isEqual(before[field], now[field]))
      .map((field) => [field, { from: before[field], to: now[field] }]),
  )
