import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { countFiltered, filteredPage, filterLimits } from '../../../../platform/lists/page.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { byCreation, type Order } from '../../../../platform/tables/table.ts'
import { type Conversation, conversationTable } from '../queries.ts'

const api = service()

/** Longer than statements may take. */
const endless = sql`(select id from conversations where pg_sleep(60) is not null)`
const limits = { ...filterLimits, firstRows: 1, candidatesMs: 100 }

test('candidates that take too long to find do not hold a page up: its rows are checked in their order', async () => {
  const { test: client, environments } = await api.world()
  const ids = []
  for (let i = 0; i < 4; i++)
    ids.push(((await conversation(client, { subject: `${i}` })) as { id: string }).id)
  const { tenantId } = environments.test
  const db = api.db.home(tenantId)
  const list = (filter: Sql) => ({
    table: conversationTable,
    conditions: [],
    filter,
    candidates: [endless],
    joint: [],
  })
  const page = { limit: 10, after: null }
  const order: Order<Conversation> = byCreation['-created_at']
  const found = await filteredPage(
    db,
    tenantId,
    list(sql`conversations.subject in ('0', '1')`),
    order,
    page,
    limits,
  )
  assert.deepEqual(
    (found as Conversation[]).map(({ subject }) => subject),
    ['1', '0'],
  )
  assert.deepEqual(await filteredPage(db, tenantId, list(sql`false`), order, page, limits), [])
  assert.deepEqual(
    await countFiltered(db, tenantId, list(sql`conversations.subject = '0'`), order, 10, limits),
    {
      count: 1,
      more: false,
    },
  )
})

test('candidates that were cut off at their limit do not count as all: no row is missing', async () => {
  const { test: client, environments } = await api.world()
  const { tenantId } = environments.test
  const ids: string[] = []
  for (let i = 0; i < 6; i++) ids.push(uuidOf('conv', (await conversation(client)).id)!)
  const db = api.db.home(tenantId)
  const list = {
    table: conversationTable,
    conditions: [],
    filter: sql`true`,
    candidates: [sql`(select id from conversations where tenant_id = ${tenantId} order by id)`],
    joint: [],
  }
  for (const mostCandidates of [3, 5, 6, 7]) {
    const few = { ...filterLimits, firstRows: 1, mostCandidates }
    const found = await filteredPage(
      db,
      tenantId,
      list,
      byCreation.created_at,
      { limit: 10, after: null },
      few,
    )
    assert.deepEqual(
      (found as Conversation[]).map(({ id }) => id),
      ids,
      `${mostCandidates} candidates at most`,
    )
    const counted = await countFiltered(db, tenantId, list, byCreation['-created_at'], 10, few)
    assert.deepEqual(counted, { count: 6, more: false })
  }
})

test('a statement that was ended leaves the usual limit behind', async () => {
  const [one, other] = [api.db.home('one'), api.db.home('other')]
  const homes = [one, one, one, other, other, other]
  assert.deepEqual(
    await Promise.all(homes.map((home) => home.rowsWithin(sql`select pg_sleep(60)`, 50))),
    homes.map(() => null),
  )
  const limit = sql`select current_setting('statement_timeout') as limit`
  for (const found of await Promise.all(homes.map((home) => home.slowRows(limit))))
    assert.deepEqual(found, [{ limit: '10s' }])
})
