import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import { newUuid } from '@backline/server/platform/kernel/ids.ts'
import {
  environmentsWithOldRequests,
  insertRequests,
  sweepRequests,
  trimRequests,
} from '@backline/server/support/integration/request-log/queries.ts'
import { succeeded } from '../desk.ts'
import type { Service, World } from '../harness.ts'

/** Writes rows of the request log, some of them twice, reads with all filters, and removes what is too old or too much. */
export async function keepTheRequestLog(api: Service, { test: client, environments }: World): Promise<void> {
  const { tenantId } = environments.test
  const home = api.db.home(tenantId)
  const row = () => ({
    id: newUuid(api.now()),
    created_at: new Date(api.now()),
    duration_ms: 1,
    status: 200,
    method: 'GET',
    route: '/v1/tags',
    path: '/v1/tags',
    code: null,
    key_id: null,
    console_session_id: null,
    end_user_session_id: null,
    operator_id: null,
    is_replay: null,
    original_request_id: null,
    network: null,
  })
  const rows = [row(), row()]
  await insertRequests(home, tenantId, rows)
  for (const some of [rows, rows.slice(1)]) await insertRequests(home, tenantId, some)
  const filters = [
    'method=GET&route=/v1/tags&status=2xx,404&code=not_found&idempotent_replayed=true&slower_than_ms=1',
    'session_id=cse_01kah1vgm0e1tbm5ye8n2m9q7c&key_id=key_01kah1vgm0e1tbm5ye8n2m9q7c',
    'session_id=eus_01kah1vgm0e1tbm5ye8n2m9q7c&operator_id=op_01kah1vgm0e1tbm5ye8n2m9q7c',
    'created_after=2026-01-01T00:00:00Z&created_before=2026-02-01T00:00:00Z',
  ]
  for (const filter of filters) succeeded(await client.get(`/v1/request_log?include=total&${filter}`))
  const { next_cursor } = succeeded(await client.get('/v1/request_log?limit=1'))
  succeeded(await client.get(`/v1/request_log?limit=1&cursor=${next_cursor}`))
  await trimRequests(home, tenantId, 1, 1)
  await environmentsWithOldRequests(api.db, api.now(), 7)
  await sweepRequests(home, tenantId, toInstant(api.now() + 1_000), 1)
}
