import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import { lastPosition } from '../../../platform/unit-of-work/events.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type EndpointStatus = 'enabled' | 'paused' | 'disabled'

export type WebhookEndpoint = RowOf<
  'webhook_endpoints',
  {
    /** Names of the catalogue of events: types, `conversation.*`, `*`. */
    enabled_events: string[]
    status: EndpointStatus
    /** The reason why the server has disabled the endpoint. */
    disabled_reason: DisabledReason | null
    payload: 'full' | 'thin'
    /** Encrypted; `openHeaders` decrypts them. */
    headers_sealed: Buffer | null
    metadata: Record<string, string>
    /** Encrypted; `secretsOf` decrypts it and the former one. */
    secret_sealed: Buffer
    consecutive_failures: number
  }
>

/** `gone`: the receiver responded with 410. `failing`: it has failed for too long. */
export type DisabledReason = 'gone' | 'failing'

export const webhookEndpointTable = defineTable<WebhookEndpoint>({
  name: 'webhook_endpoints',
  columns: tables.webhook_endpoints,
  joined: {
    consecutive_failures: (
      tenantId,
    ) => sql`coalesce((select state.consecutive_failures from webhook_endpoint_states state
      where state.tenant_id = ${tenantId} and state.endpoint_id = webhook_endpoints.id), 0)`,
  },
})

export const webhookEndpointOrders = byCreation

export const withStatus = (status: EndpointStatus): Sql => sql`status = ${status}`

/** Lets endpoints receive the events after those of this change, and resets their counts of failures. */
export const activate = (tenantId: string, endpointIds: string[]): Sql =>
  sql`insert into webhook_endpoint_states (tenant_id, endpoint_id, active_position)
    select ${tenantId}::uuid, endpoint_id, ${lastPosition}::text::xid8 from unnest(${endpointIds}::uuid[]) endpoint_id
    on conflict (tenant_id, endpoint_id) do update set active_epoch = excluded.active_epoch, active_position = excluded.active_position,
      consecutive_failures = 0, failing_since = null`

export const deleteState = (tenantId: string, endpointId: string): Sql =>
  sql`delete from webhook_endpoint_states where tenant_id = ${tenantId} and endpoint_id = ${endpointId}`
