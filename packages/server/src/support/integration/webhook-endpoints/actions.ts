import { plusSeconds } from '../../../platform/kernel/clock.ts'
import { type FieldError, invalidBody } from '../../../platform/kernel/errors.ts'
import { mergeMetadata } from '../../../platform/kernel/merge-patch.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { webhookEndpoints } from './entity.ts'
import { mergedHeaders } from './headers.ts'
import type { DisabledReason, WebhookEndpoint } from './queries.ts'
import type { NewWebhookEndpoint, WebhookEndpointPatch, WebhookEndpointWithSecret } from './schema.ts'
import { newWebhookSecret, webhookSecretHint } from './signature.ts'

/** Creates an endpoint. Only the result contains its secret; the database stores it encrypted. */
export async function createWebhookEndpoint(
  change: Change,
  input: NewWebhookEndpoint,
): Promise<WebhookEndpointWithSecret> {
  requireEvents(change)
  const stamp = change.stamp()
  const headers = await checked(change, { id: stamp.id, header_names: [], headers_sealed: null }, input)
  const { secret, ...sealed } = await newSecret(change, stamp.id)
  const endpoint = change.rows.create(webhookEndpoints, {
    ...stamp,
    url: input.url,
    description: input.description ?? null,
    enabled_events: distinct(input.enabled_events ?? ['*']),
    status: input.status ?? 'enabled',
    disabled_reason: null,
    payload: input.payload ?? 'full',
    ...headers,
    metadata: input.metadata ?? {},
    ...sealed,
    former_secret_sealed: null,
    former_secret_until: null,
    filter: input.filter ?? null,
    consecutive_failures: 0,
  })
  return { ...endpoint, secret }
}

export async function updateWebhookEndpoint(
  change: Change,
  id: string,
  patch: WebhookEndpointPatch,
): Promise<WebhookEndpoint> {
  if (patch.enabled_events !== undefined || patch.url !== undefined) requireEvents(change)
  const endpoint = await change.rows.load(webhookEndpoints, id)
  const { headers: _, metadata, enabled_events, status, ...fields } = patch
  return change.rows.update(webhookEndpoints, endpoint, {
    ...fields,
    ...(await checked(change, endpoint, patch)),
    ...(enabled_events ? { enabled_events: distinct(enabled_events) } : {}),
    ...(status ? { status, disabled_reason: null } : {}),
    // `activate` resets the same counter in the database.
    ...(status === 'enabled' && endpoint.status !== 'enabled' ? { consecutive_failures: 0 } : {}),
    metadata: mergeMetadata(endpoint.metadata, metadata),
  })
}

/** An endpoint receives events, so its key must be able to read them. */
function requireEvents({ ctx }: Change): void {
  requireScopes(ctx.principal.allows, 'events:read')
}

const distinct = (names: string[]) => [...new Set(names)]

/** @throws ApiError 422 for invalid headers and filters */
async function checked(
  change: Change,
  endpoint: Parameters<typeof mergedHeaders>[0],
  { headers: patch, filter }: Pick<WebhookEndpointPatch, 'headers' | 'filter'>,
) {
  const { secretBox, eventFilters } = change.ctx.services
  const { headers, faults } = await mergedHeaders(endpoint, patch, secretBox)
  const { faults: filterFaults, scopes } =
    filter == null ? { faults: [], scopes: [] } : await eventFilters.check(change.db, change.tenantId, filter)
  requireScopes(change.ctx.principal.allows, ...scopes)
  const all: FieldError[] = [
    ...faults,
    ...filterFaults.map(({ pointer, ...fault }) => ({ pointer: `/filter${pointer}`, ...fault })),
  ]
  if (all.length > 0) throw invalidBody(...all)
  return headers
}

async function newSecret(change: Change, endpointId: string) {
  const secret = newWebhookSecret()
  const secret_sealed = await change.ctx.services.secretBox.seal(secret, endpointId)
  return { secret, secret_hint: webhookSecretHint(secret), secret_sealed }
}

/** Replaces the endpoint's secret. The former one also signs for `graceSeconds`; any earlier one no longer does. */
export async function rotateWebhookSecret(
  change: Change,
  id: string,
  graceSeconds: number,
): Promise<WebhookEndpointWithSecret> {
  const endpoint = await change.rows.load(webhookEndpoints, id)
  const { secret, ...sealed } = await newSecret(change, id)
  const former =
    graceSeconds === 0
      ? { former_secret_sealed: null, former_secret_until: null }
      : {
          former_secret_sealed: endpoint.secret_sealed,
          former_secret_until: plusSeconds(change.now, graceSeconds),
        }
  const event = 'webhook_endpoint.secret_rotated'
  return { ...change.rows.update(webhookEndpoints, endpoint, { ...sealed, ...former }, event), secret }
}

/** Deletes an endpoint. Its deliveries are no longer shown or sent; a sweep removes them later. */
export async function deleteWebhookEndpoint(change: Change, id: string): Promise<void> {
  change.rows.remove(webhookEndpoints, await change.rows.load(webhookEndpoints, id))
}

/**
 * Disables an endpoint after the sender's attempts at its URL. Does nothing if the endpoint is deleted, has another
 * URL, or is not enabled.
 */
export async function disableEndpoint(
  change: Change,
  id: string,
  url: string,
  reason: DisabledReason,
): Promise<void> {
  const endpoint = await change.rows.find(webhookEndpoints, id)
  if (endpoint?.status !== 'enabled' || endpoint.url !== url) return
  change.startAfter(endpoint)
  const patch = { status: 'disabled', disabled_reason: reason } as const
  change.rows.update(webhookEndpoints, endpoint, patch, 'webhook_endpoint.disabled')
}
