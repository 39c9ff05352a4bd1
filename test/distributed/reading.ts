import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import {
  environmentsWithOldReadStates,
  sweepReadStates,
} from '@backline/server/support/desk/read-states/queries.ts'
import { operator, succeeded } from '../desk.ts'
import type { Client, Service } from '../harness.ts'
import { as, idsOf, read, readers, stateOf, unread } from '../read-states.ts'

/** Marks messages as read and as unread, lists what is not read, and removes marks. */
export async function readMessages(api: Service, client: Client, tenantId: string): Promise<void> {
  const { ada, id } = await readers(client)
  succeeded(await read(client, ada, id, { up_to_sequence: 1 }))
  succeeded(await read(client, ada, id))
  succeeded(await unread(client, ada, id))
  await stateOf(client, ada, id)
  await idsOf(client, ada, 'unread=me&include=total,last_message,read_state')
  const passing = await operator(client)
  succeeded(await read(client, passing, id))
  succeeded(await client.delete(`/v1/operators/${passing}`, as(ada)))
  await environmentsWithOldReadStates(api.db, api.now())
  await sweepReadStates(api.db.home(tenantId), tenantId, toInstant(api.now() + 40 * 86_400_000), 10)
}
