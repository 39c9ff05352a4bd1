import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import {
  environmentsWithExpiredSearches,
  searchOrders,
  sweepSearches,
  trimSearches,
} from '@backline/server/support/knowledge/kb/searches/queries.ts'
import { succeeded } from '../desk.ts'
import type { Client, Service } from '../harness.ts'

/** Searches as readers do, lists their queries in each order and by each filter, and removes them. */
export async function searchAsReaders(api: Service, client: Client, tenantId: string): Promise<void> {
  const time = encodeURIComponent(toInstant(api.now() - 60_000))
  const filters = ['last_found_nothing=true', 'last_found_nothing=false', 'locale=de']
  for (const queries of [['one'], ['two', 'three']]) {
    for (const query of queries) succeeded(await client.get(`/v1/kb/search?locale=de&q=sought+${query}`))
    succeeded(await client.get(`/v1/kb/searches?last_searched_after=${time}`))
  }
  for (const filter of [...filters, `last_searched_after=${time}`, `last_searched_before=${time}`])
    succeeded(await client.get(`/v1/kb/searches?include=total&${filter}`))
  for (const sort of Object.keys(searchOrders)) {
    const path = `/v1/kb/searches?limit=1&sort=${sort}`
    const { next_cursor } = succeeded(await client.get(path))
    succeeded(await client.get(`${path}&cursor=${encodeURIComponent(next_cursor)}`))
  }
  const home = api.db.home(tenantId)
  await trimSearches(home, tenantId, 1)
  await environmentsWithExpiredSearches(api.db, api.now())
  await sweepSearches(home, tenantId, toInstant(api.now()), 1)
}
