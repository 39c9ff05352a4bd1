import assert from 'node:assert/strict'
import { lagOfAll } from '@backline/server/platform/journal/lag.ts'
import { addMissingHeads, beginning } from '@backline/server/platform/journal/positions.ts'
import {
  consumedUpTo,
  moveFloor,
  nextEvents,
  thinEvents,
} from '@backline/server/platform/journal/retention.ts'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import { newUuid } from '@backline/server/platform/kernel/ids.ts'
import type { Db } from '@backline/server/platform/postgres/database.ts'
import { findDatabaseFacts, readClock } from '@backline/server/platform/postgres/server-facts.ts'
import { type Sql, sql } from '@backline/server/platform/postgres/sql.ts'
import { findHome, isDistributed } from '@backline/server/platform/postgres/workers.ts'
import { backOff, scheduleUnlessDue } from '@backline/server/platform/unit-of-work/due.ts'
import { keepBodies, sweepKeys, takenKeys } from '@backline/server/platform/unit-of-work/idempotency-keys.ts'
import { compilePlans, type Part, type WritePlan } from '@backline/server/platform/unit-of-work/plan.ts'
import { findEnvironmentOfKey } from '@backline/server/support/admin/api-keys/queries.ts'
import {
  allEnvironments,
  findWorkspaceByName,
  listWorkspaces,
  workspaceTable,
} from '@backline/server/support/admin/workspace/queries.ts'
import { deleteUses, tagTable } from '@backline/server/support/catalogue/tags/queries.ts'
import {
  countConversations,
  listConversations,
} from '@backline/server/support/desk/conversations/search/queries.ts'
import {
  countIds,
  findBlockNumber,
  findBlocks,
} from '@backline/server/support/integration/audit-log/queries.ts'
import { sealing } from '@backline/server/support/integration/audit-log/sealing.ts'
import { sweepDeliveries } from '@backline/server/support/integration/webhook-endpoints/deliveries/queries.ts'
import { moveRecovery } from '@backline/server/support/integration/webhook-endpoints/recovery/queries.ts'
import { fanOutLag } from '@backline/server/support/integration/webhook-endpoints/sending/queries.ts'
import { findInFamily, findTranslation } from '@backline/server/support/knowledge/kb/articles/queries.ts'
import { findNamesake } from '@backline/server/support/knowledge/kb/collections/queries.ts'
import { Fixtures, listRoutes, routes, writeRoutes } from '../contract/fixtures.ts'
import { send } from '../contract/http.ts'
import { idPrefixOf, querySchemaOf, sample } from '../contract/schemas.ts'
import { act, type Body, conversation, department, operator, say, setStatus, succeeded } from '../desk.ts'
import type { Client, Service, World } from '../harness.ts'
import { made } from '../macro-fixtures.ts'

/*
 * Causes the service to send every statement that it has. Calls by HTTP come from the declarations of the routes, as in
 * the suites. Statements that need a certain state are reached below. Those that only follow from a race, a failure or
 * weeks of time are called directly, as the service would.
 */

/** Calls each route once, and each create a second time with the same body, which looks up the owner of the name. */
async function callEveryRoute(api: Service, client: Client): Promise<void> {
  const fixtures = new Fixtures(api, client)
  for (const route of routes) {
    if (route.kind === 'stream' || route.kind === 'live') continue
    const call = await fixtures.call(route)
    await fixtures.run(call)
    if (writeRoutes.includes(route) && route.method === 'POST') await send(api, call.request)
  }
}

/** Reads each list in each order, in two pages, with a total, and with each filter. */
async function readEveryList(api: Service, client: Client): Promise<void> {
  const fixtures = new Fixtures(api, client)
  for (const route of listRoutes) {
    const { path, add } = await fixtures.list(route)
    for (let i = 0; add && i < 2; i++) await add()
    const get = async (query: Record<string, string>) =>
      succeeded(await client.get(`${path}?${new URLSearchParams(query)}`))
    for (const sort of [undefined, ...(route.sorts ?? [])]) {
      const order = sort === undefined ? {} : { sort }
      const { next_cursor: cursor } = await get({ ...order, limit: '1', include: 'total' })
      if (cursor) await get({ ...order, limit: '1', cursor })
    }
    for (const [name, schema] of Object.entries(querySchemaOf(route).properties!)) {
      if (['cursor', 'limit', 'sort'].includes(name)) continue
      const prefix = idPrefixOf(schema)
      const values = schema.enum ?? [prefix ? await fixtures.create(prefix) : sample(schema)]
      for (const value of values) await get({ [name]: String(value), include: 'total' })
    }
  }
}

/** Assigns, answers, merges and transfers conversations, adds an SLA later, and repeats external ids. */
async function workAtTheDesk(client: Client): Promise<void> {
  const [one, other] = [
    await operator(client, { external_id: 'crm_1' }),
    await operator(client, { capacity: 5 }),
  ]
  await client.post('/v1/operators', { name: 'Again', email: 'again@example.com', external_id: 'crm_1' })
  for (const strategy of ['round_robin', 'least_busy']) {
    const assignment = { strategy, max_open_per_operator: strategy === 'least_busy' ? null : 3 }
    const department_id = await department(client, [one, other], { assignment })
    const subject = { department_id, subject: 'Card declined', tags: ['urgent'], external_id: strategy }
    const { id } = await conversation(client, subject)
    await client.post('/v1/conversations', { external_user_id: 'user_42', ...subject })
    await say(client, id, 'end_user', { body: 'It was declined again', external_id: `${strategy} message` })
    await client.post(`/v1/conversations/${id}/messages`, {
      author_side: 'end_user',
      body: 'Twice',
      external_id: `${strategy} message`,
    })
    await say(client, id, 'operator', { operator_id: one })
    await act(client, id, 'read', { side: 'end_user', up_to_sequence: 1 })
    await made(client, 'sla_configs', {
      name: `Late ${strategy}`,
      position: 1,
      conditions: { department_ids: [department_id] },
      targets: [
        { priority: null, first_response_seconds: 60, next_response_seconds: 60, resolution_seconds: 3600 },
      ],
    })
    succeeded(await client.patch(`/v1/conversations/${id}`, { priority: 'high' }))
    succeeded(await client.get(`/v1/conversations/${id}/sla`))
    const { id: twin } = await conversation(client, { department_id })
    await act(client, twin, 'merge', { into_id: id })
    succeeded(await client.get(`/v1/conversations/${id}/messages?include=merged`))
    await act(client, id, 'resolve')
    succeeded(await client.get(`/v1/conversations?department_id=${department_id}&assignee_id=${one}`))
    const claimer = { 'backline-operator': one }
    succeeded(await client.post('/v1/conversations/claim_next', { department_id }, claimer))
  }
  succeeded(await client.get('/v1/conversations?q=declined&status=resolved'))
  for (const due of ['tag=urgent', 'q=declined', 'status=resolved']) {
    const path = `/v1/conversations?sort=sla_due_at&limit=1&${due}`
    const { next_cursor } = succeeded(await client.get(path))
    if (next_cursor) succeeded(await client.get(`${path}&cursor=${next_cursor}`))
  }
  succeeded(await client.get('/v1/conversations?tag=urgent'))
  const pressing = await made(client, 'tags', { name: 'pressing' })
  const { id: urgent } = succeeded(await client.get('/v1/tags')).data.find(
    ({ name }: Body) => name === 'urgent',
  )
  succeeded(await client.post(`/v1/tags/${pressing.id}/merge`, { into_id: urgent }))
  succeeded(await client.get('/v1/conversations?tag=urgent'))
  await setStatus(client, other, 'away')
  await setStatus(client, other, 'online')
}

/** Runs searches with matches, with typos, with a second page, and within one collection. */
async function search(api: Service, client: Client): Promise<void> {
  const fixtures = new Fixtures(api, client)
  const { id: collection_id } = succeeded(await client.post('/v1/kb/collections', { name: 'Billing' }))
  for (const title of ['Refund of a payment', 'Refund of a payment again', 'Refund of a card']) {
    const { id } = succeeded(
      await client.post('/v1/kb/articles', {
        title,
        body: `${title} takes days`,
        locale: 'en',
        collection_id,
      }),
    )
    succeeded(await client.post(`/v1/kb/articles/${id}/publish`))
    succeeded(
      await client.post(`/v1/kb/articles/${id}/feedback`, { external_user_id: 'user_1', helpful: true }),
    )
    succeeded(
      await client.post(`/v1/kb/articles/${id}/feedback`, { external_user_id: 'user_1', helpful: false }),
    )
    succeeded(await client.patch(`/v1/kb/articles/${id}`, { slug: `renamed-${id.slice(-6)}` }))
    succeeded(await client.post(`/v1/kb/articles/${id}/publish`))
  }
  const question = await fixtures.body(routes.find(({ name }) => name === 'createFaq')!)
  for (const text of ['How long does a refund take?', 'Who gets a refund?']) {
    const faq = { ...(question as object), question: text, locale: 'en', status: 'published' }
    succeeded(await client.post('/v1/faqs', faq))
  }
  for (const query of [
    'q=refund',
    'q=refund&locale=en',
    `q=refund&collection_id=${collection_id}`,
    'q=refnud+paymnet',
    'q=refund+zebra',
  ]) {
    for (const path of ['/v1/kb/search', '/v1/faqs']) {
      if (path === '/v1/faqs' && query.includes('collection_id')) continue
      const found = succeeded(await client.get(`${path}?limit=1&include=total&${query}`))
      if (found.next_cursor)
        succeeded(
          await client.get(`${path}?limit=1&${query}&cursor=${encodeURIComponent(found.next_cursor)}`),
        )
    }
  }
}

/** Searches for words outside the newest conversations, and for ones with more matches than are examined. */
async function searchAmongMany({ db }: Service, { test, environments }: World): Promise<void> {
  const { tenantId } = environments.test
  for (let i = 0; i < 3; i++) await conversation(test, { message: { body: 'Giraffes' } })
  const limits = { few: 1, lookedThrough: [1, 2, 3], counted: 1 }
  const page = { limit: 10, after: null, sort: '-created_at' } as const
  for (const q of ['giraffe', 'zebra']) {
    await listConversations(db, tenantId, { q }, page, limits)
    await countConversations(db, tenantId, { q }, 10, limits)
  }
}

/** Changes settings with effects on other rows, moves a clock while webhooks are sent, and opens a stream. */
async function liveOn(api: Service, client: Client): Promise<void> {
  const name = `Renamed ${newUuid(Date.now())}`
  succeeded(await client.patch('/v1/workspace', { name, auto_close_after_seconds: 7200 }))
  await made(client, 'webhook_endpoints', {
    url: 'https://hooks.invalid/backline',
    enabled_events: ['kb_article.published'], // no endpoint matches, so that the clock does not wait
  })
  await conversation(client)
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 60 }))
  const ended = new AbortController()
  const headers = { authorization: `Bearer ${client.key}` }
  await fetch(`${api.url}/v1/events/stream`, { headers, signal: ended.signal })
  ended.abort()
  await fetch(`${api.url}/metrics`)
}

/** Calls the statements that follow from a race, a failure, a restart or months of time. */
async function meetTheRare(api: Service, { environments }: World): Promise<void> {
  const { db } = api
  const { tenantId, workspaceId } = environments.live
  const [id, now] = [newUuid(api.now()), toInstant(api.now())]
  const due = { job: 'nothing', subjectId: id, dueAt: now }
  await takenKeys(db, tenantId, ['a', 'b'])
  await backOff(db, tenantId, due, now)
  await lagOfAll(db, 'nobody', api.now()) // who has read nothing
  await fanOutLag(db, 'nobody', api.now())
  await findDatabaseFacts(db)
  await readClock(db)
  await findEnvironmentOfKey(db, id)
  await findWorkspaceByName(db, workspaceId)
  await listWorkspaces(db)
  await countIds(db, tenantId, { after: null, before: null }, [id])
  await findBlockNumber(db, tenantId, Buffer.alloc(32))
  await findBlocks(db, tenantId, 0, 1, 1)
  await findTranslation(db, tenantId, id)
  await findInFamily(db, tenantId, id, 'en')
  await findNamesake(db, tenantId, { id, parent_id: null, name: 'a', slug: 'a' } as never)
  const place = { epoch: 1, position: 1, ordinal: 0 }
  const rows = [
    { id, version: 1 },
    { id: newUuid(api.now()), version: 1 },
  ]
  const writes: Sql[] = [
    scheduleUnlessDue(tenantId, [due]),
    moveFloor(tenantId, [{ from: null, to: place }]),
    moveFloor(tenantId, [{ from: place, to: { ...place, ordinal: 1 } }]),
    keepBodies(tenantId, [{ from: null, to: place }]),
    thinEvents(tenantId, [{ from: null, to: place }]),
    moveRecovery(tenantId, id, place),
    deleteUses(tenantId, [{ tag_id: id, conversation_id: id }]),
    workspaceTable.unchanged(tenantId, [{ version: 1 } as never]),
    tagTable.unchanged(tenantId, rows as never),
    tagTable.remove(tenantId, rows as never),
  ]
  for (const statement of writes) await db.write(statement)
  await sweepDeliveries(db, tenantId, now, 1) // the feed has a floor now
  await allEnvironments(db) // those with something to remove
  await sweepKeys(db, tenantId, now, 1)
  const through = await consumedUpTo(db, tenantId, sealing)
  await nextEvents(db, tenantId, null, through ?? beginning, 1)
  await askTheCluster(db, tenantId)
  await forgetHead(api, tenantId)
}

/** Removes the head of a journal, which a start adds again. */
async function forgetHead({ db }: Service, tenantId: string): Promise<void> {
  const [former] = await db.write<{ position: number }>(
    sql`/* test */ delete from journal_heads where tenant_id = ${tenantId} returning position`,
  )
  await addMissingHeads(db)
  await db.write(
    sql`/* test */ update journal_heads set position = ${former!.position} where tenant_id = ${tenantId}`,
  )
}

/** Writes two changes with one transaction, as group commit does. */
async function writeTogether({ db }: Service, tenantId: string): Promise<void> {
  const planOf = (): WritePlan => {
    const item = { job: 'nothing', subjectId: newUuid(Date.now()), dueAt: '2999-01-01T00:00:00.000Z' }
    const part = scheduleUnlessDue as Part<unknown>
    return { tenantId, parts: [{ part, item, mode: 'exact' }], events: [], key: null }
  }
  const compiled = compilePlans([[planOf()], [planOf()]])
  await db.transaction(compiled.map(({ statement }) => statement))
}

/** Sends the statements to the catalog of Citus, which fail here. */
async function askTheCluster(db: Db, tenantId: string): Promise<void> {
  let asked = 0
  const rows: Db['rows'] = async <Row>(query: Sql) => {
    const found = await db.rows<Row>(query)
    return asked++ === 0 ? [{} as Row] : found
  }
  await assert.rejects(isDistributed({ ...db, rows }), /pg_dist_partition/)
  await assert.rejects(findHome(db, tenantId), /pg_dist_placement/)
}

/** Sends every statement of the source. */
export async function doEverything(api: Service): Promise<void> {
  const world = await api.world()
  await callEveryRoute(api, world.test)
  await readEveryList(api, world.test)
  await workAtTheDesk(world.test)
  await writeTogether(api, world.environments.test.tenantId)
  await search(api, world.test)
  await searchAmongMany(api, world)
  await liveOn(api, (await api.world()).test)
  await meetTheRare(api, world)
}
