import { typeId } from '../../../platform/kernel/ids.ts'
import { FilterTree } from '../../../platform/lists/parameters.ts'
import {
  Enum,
  Id,
  Int,
  List,
  type Members,
  Metadata,
  MetadataPatch,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
  Type,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { faultOfUrl } from './destination.ts'
import { faultsInNames, hidden, maxHeaders } from './headers.ts'
import type { WebhookEndpoint } from './queries.ts'

export const maxGraceSeconds = 604_800
export const defaultGraceSeconds = 86_400

/** A token (RFC 9110 section 5.6.2). */
const headerName = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
}
/** Visible characters, with spaces and tabs between (RFC 9110 section 5.5). */
const headerValue = {
  maxLength: 1000,
  pattern: '^[!-~]([ -~\\t]*[!-~])?$',
  examples: ['Bearer 8c1f0e'],
}
const headersNote =
  'Headers to send with each request, such as a token that the receiver requires. Names are case-insensitive. `webhook-*`, `content-*`, `proxy-*`, `host` and connection headers are not allowed.'

const NewHeaders = () =>
  WithCheck(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: maxHeaders,
      propertyNames: headerName,
      additionalProperties: { type: 'string', ...headerValue },
      description: headersNote,
    }),
    faultsInNames,
  )

const HeadersPatch = () =>
  WithCheck(
    Type.Unsafe<Record<string, string | null> | null>({
      type: ['object', 'null'],
      maxProperties: 2 * maxHeaders, // a patch may remove all and add as many
      propertyNames: headerName,
      additionalProperties: { type: ['string', 'null'], ...headerValue },
      description: `${headersNote} Merged by name: a \`null\` value removes that header and \`${hidden}\` keeps its value; \`null\` for the whole object removes all headers.`,
    }),
    faultsInNames,
  )

const fields = {
  url: WithCheck(
    Text(1, 2048, {
      description:
        'The URL to send events to, `https` only. Private, local and other non-global addresses are rejected unless the server configuration allows their network.',
      examples: ['https://example.com/backline'],
    }),
    (url, { services }) => {
      const fault = faultOfUrl(url, services.webhookNetworks)
      return fault ? [fault] : []
    },
  ),
  description: Nullable(Text(1, 500), { description: 'What the endpoint is for.' }),
}

type Default = { default?: unknown }

const payload = (notes: Default = {}) =>
  Enum(['full', 'thin'], {
    description: 'The request body: `thin` omits `data`, so that no personal data is sent.',
    ...notes,
  })

const settableStatus = (notes: Default = {}) =>
  Enum(['enabled', 'paused'], {
    description:
      'A paused endpoint receives no events; use `recover` to send the events it has missed. Setting `enabled` also enables a disabled endpoint.',
    ...notes,
  })

/** @param names names of events in the catalogue */
const enabledEvents = (names: string[], notes: Default = {}) =>
  List(Enum(names as [string, ...string[]]), 200, {
    minItems: 1,
    description:
      'The event types to send. `conversation.*` selects all events of a resource, `*` selects all events.',
    ...notes,
  })

const Filter = () =>
  Nullable(
    FilterTree(
      'Send events of conversations and of their messages only if the conversation matches this filter at that moment. Events of other resources are sent regardless. `me` is not allowed. If a custom field in the filter is deleted, all events are sent until the filter is replaced. Null for no filter.',
      (filter, { services }) => services.eventFilters.faultsIn(filter),
    ),
  )

export const newWebhookEndpoint = (names: string[]) =>
  Shape({
    url: fields.url,
    description: Optional(fields.description),
    enabled_events: Optional(enabledEvents(names, { default: ['*'] })),
    filter: Optional(Filter()),
    status: Optional(settableStatus({ default: 'enabled' })),
    payload: Optional(payload({ default: 'full' })),
    headers: Optional(NewHeaders()),
    metadata: Optional(Metadata()),
  })
export type NewWebhookEndpoint = Members<ReturnType<typeof newWebhookEndpoint>>

export const webhookEndpointPatch = (names: string[]) =>
  PartialShape({
    ...fields,
    enabled_events: enabledEvents(names),
    filter: Filter(),
    status: settableStatus(),
    payload: payload(),
    headers: HeadersPatch(),
    metadata: MetadataPatch(),
  })
export type WebhookEndpointPatch = Members<ReturnType<typeof webhookEndpointPatch>>

export const WebhookEndpointFilters = Shape({
  status: Optional(
    Enum(['enabled', 'paused', 'disabled'], { description: 'Return only endpoints with this status.' }),
  ),
})

export const SecretRotation = Shape({
  grace_seconds: Optional(
    Int(0, maxGraceSeconds, {
      default: defaultGraceSeconds,
      description: 'Seconds for which requests are also signed with the previous secret; 0 ends it at once.',
    }),
  ),
})

const shown = {
  id: Id('whe'),
  object: Enum(['webhook_endpoint']),
  url: fields.url,
  description: fields.description,
  enabled_events: List(Text(1, 100), 200, {
    minItems: 1,
    description: 'The event types to send, as they were set: names, `conversation.*` or `*`.',
  }),
  filter: Filter(),
  status: Enum(['enabled', 'paused', 'disabled'], {
    description:
      'Only `enabled` endpoints receive events. Clients set `paused`; the server sets `disabled` after failures.',
  }),
  disabled_reason: Nullable(Enum(['gone', 'failing']), {
    description:
      'The reason for which the server disabled the endpoint: `gone` if it returned 410, `failing` if no delivery has succeeded for days.',
  }),
  payload: payload(),
  headers: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', enum: [hidden] },
    description: 'The headers by name. Values are never shown.',
  }),
  secret_hint: Text(1, 64, { description: 'The beginning and end of the secret, to tell secrets apart.' }),
  consecutive_failures: Int(0, 2147483647, {
    description:
      'The number of failed attempts since the last success. Does not increase `version`, so read it without `If-None-Match`.',
  }),
  metadata: Metadata(),
  ...revision,
}

export const webhookEndpointExample = {
  id: 'whe_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'webhook_endpoint',
  url: 'https://example.com/backline',
  description: 'Shows the state of support cases in the shop',
  enabled_events: ['conversation.*', 'message.created'],
  filter: { field: 'tags', op: 'contains', value: 'vip' },
  status: 'enabled',
  disabled_reason: null,
  payload: 'full',
  headers: { 'X-Shop-Token': hidden },
  secret_hint: 'whsec_…b3Jk',
  consecutive_failures: 0,
  metadata: {},
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

/** Lists each field, because events contain the result and must not contain an encrypted column. */
const present = (row: WebhookEndpoint) => ({
  id: typeId('whe', row.id),
  object: 'webhook_endpoint',
  url: row.url,
  description: row.description,
  enabled_events: row.enabled_events,
  filter: row.filter,
  status: row.status,
  disabled_reason: row.disabled_reason,
  payload: row.payload,
  headers: Object.fromEntries(row.header_names.map((name) => [name, hidden])),
  secret_hint: row.secret_hint,
  consecutive_failures: row.consecutive_failures,
  metadata: row.metadata,
  created_at: row.created_at,
  updated_at: row.updated_at,
  version: row.version,
})

export const webhookEndpointWire = defineWire<WebhookEndpoint>({
  name: 'WebhookEndpoint',
  schema: Shape(shown),
  example: webhookEndpointExample,
  present,
})

export type WebhookEndpointWithSecret = WebhookEndpoint & { secret: string }

/** The wire of responses that contain the secret. */
export const webhookEndpointWithSecretWire = defineWire<WebhookEndpointWithSecret>({
  name: 'WebhookEndpointWithSecret',
  schema: Shape({
    ...shown,
    secret: Text(50, 50, {
      description: 'The secret for verifying signatures according to Standard Webhooks 1.0. Shown only once.',
    }),
  }),
  example: { ...webhookEndpointExample, secret: 'whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=' },
  present: (row) => ({ ...present(row), secret: row.secret }),
})
