import type { CreateWebhookEndpointBody, FilterTree, WebhookEndpoint } from '@backline/sdk'
import { asFilter, asGroup } from '../../filters/tree.ts'

/** An endpoint as a person edits it: headers are lines. */
export type EndpointDraft = {
  url: string
  description: string
  enabled_events: string[]
  payload: 'full' | 'thin'
  filter: FilterTree | null
  headers: string
}

export const draftOf = (endpoint: WebhookEndpoint | null): EndpointDraft => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  enabled_events: endpoint?.enabled_events ?? ['*'],
  payload: endpoint?.payload ?? 'full',
  filter: endpoint?.filter ? asGroup(endpoint.filter) : null,
  headers: Object.entries(endpoint?.headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
})

/** A line is not `Name: value`. */
export class BadHeadersError extends Error {}

function headersIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:]+):(.+)$/.exec(line.trim()) ?? []
      if (!name || !value) throw new BadHeadersError(line)
      return [name.trim(), value.trim()]
    }),
  )
}

/** The body of a request: for an endpoint that exists, headers that are gone are removed. @throws BadHeadersError */
export function bodyOf(draft: EndpointDraft, endpoint: WebhookEndpoint | null) {
  const headers = headersIn(draft.headers)
  const kept = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const removed = Object.keys(endpoint?.headers ?? {}).filter((name) => !kept.has(name.toLowerCase()))
  return {
    url: draft.url.trim(),
    description: draft.description.trim() || null,
    enabled_events: draft.enabled_events as NonNullable<CreateWebhookEndpointBody['enabled_events']>,
    payload: draft.payload,
    filter: draft.filter && asFilter(draft.filter),
    headers: { ...headers, ...Object.fromEntries(removed.map((name) => [name, null])) },
  }
}
