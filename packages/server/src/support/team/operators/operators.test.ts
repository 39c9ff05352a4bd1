import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

const ada = { name: 'Ada', email: 'ada@example.com' }

async function create(client: Client, fields: object = {}) {
  const { status, body } = await client.post('/v1/operators', { ...ada, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const events = ({ environments }: World) =>
  api.db.rows<{ type: string; operator_id: string | null }>(sql`select type, operator_id from events
    where tenant_id = ${environments.test.tenantId} order by epoch, events.position, ordinal`)

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
const faults = (body: any) =>
  body.errors.map(({ pointer, header, code }: Record<string, string>) => [pointer ?? header, code])

test('a new operator is an offline agent of no department', async () => {
  const { test } = await api.world()
  const operator = await create(test)
  assert.partialDeepStrictEqual(operator, {
    object: 'operator',
    ...ada,
    external_id: null,
    role: 'agent',
    capacity: null,
    timezone: null,
    status: 'offline',
    department_ids: [],
    open_conversations: 0,
    archived: false,
    metadata: {},
    version: 1,
  })
})

test('409 when another operator has the address or the external id, in any letter case', async () => {
  const { test } = await api.world()
  const first = await create(test, { external_id: 'u1' })
  const twin = await test.post('/v1/operators', { ...ada, email: 'ADA@Example.com' })
  assert.deepEqual(
    [twin.status, twin.body.code, twin.body.params],
    [409, 'already_exists', { id: first.id, field: 'email' }],
  )
  const other = await create(test, { email: 'ada@example.org' })
  const taken = await test.patch(`/v1/operators/${other.id}`, { external_id: 'u1' })
  assert.deepEqual([taken.status, taken.body.params], [409, { id: first.id, field: 'external_id' }])
  const same = await test.patch(`/v1/operators/${first.id}`, { email: 'Ada@example.com' })
  assert.equal(same.status, 200, 'its own address may be written otherwise')
})

test('names need not be unique, and order the list', async () => {
  const { test } = await api.world()
  for (const [i, name] of ['bob', 'Ada', 'ada'].entries()) await create(test, { name, email: `o${i}@x.org` })
  const { body } = await test.get('/v1/operators')
  assert.deepEqual(
    body.data.map((each: { name: string }) => each.name),
    ['Ada', 'ada', 'bob'],
  )
})

test('operators are found by address, external id, role and status', async () => {
  const { test } = await api.world()
  const one = await create(test, { external_id: 'u1', role: 'lead' })
  await create(test, { email: 'bob@example.com' })
  await test.post(`/v1/operators/${one.id}/heartbeat`)
  for (const query of ['email=ADA@example.com', 'external_id=u1', 'role=lead', 'status=online']) {
    const { body } = await test.get(`/v1/operators?${query}`)
    assert.deepEqual(
      body.data.map((each: { id: string }) => each.id),
      [one.id],
      query,
    )
  }
})

test('422 for what is no address', async () => {
  const { test } = await api.world()
  for (const email of ['', 'ada', '@x.org', 'ada@', 'a b@x.org', 'a@b@c', 'a@.org', 'a@x.', 'a@x..org']) {
    const { status, body } = await test.post('/v1/operators', { ...ada, email })
    assert.equal(status, 422, email)
    assert.deepEqual(faults(body), [['/email', 'bad_format']], email)
  }
})

test('a time zone is one of the IANA database, not an offset', async () => {
  const { test } = await api.world()
  const operator = await create(test, { timezone: 'Europe/Berlin' })
  for (const timezone of ['Mars/Olympus', '+01:00', 'GMT+1', 'local']) {
    const { status, body } = await test.patch(`/v1/operators/${operator.id}`, { timezone })
    assert.equal(status, 422, timezone)
    assert.deepEqual(faults(body), [['/timezone', 'bad_format']])
  }
  const { body } = await test.patch(`/v1/operators/${operator.id}`, { timezone: null })
  assert.equal(body.timezone, null)
})

test('an archived operator is offline, takes no status, and no heartbeat brings it back', async () => {
  const { test } = await api.world()
  const { id } = await create(test)
  await test.post(`/v1/operators/${id}/heartbeat`)
  const archived = await test.patch(`/v1/operators/${id}`, { archived: true })
  assert.partialDeepStrictEqual(archived.body, { archived: true, status: 'offline', version: 3 })
  const beat = await test.post(`/v1/operators/${id}/heartbeat`)
  assert.deepEqual([beat.status, beat.body.status], [200, 'offline'])
  const put = await test.put(`/v1/operators/${id}/status`, { status: 'online' })
  assert.deepEqual(
    [put.status, put.body.params],
    [409, { from: 'archived', action: 'set_status', allowed: [] }],
  )
  assert.equal((await test.get('/v1/operator_statuses')).body.data.length, 0)
  await test.patch(`/v1/operators/${id}`, { archived: false })
  assert.equal((await test.get(`/v1/operators/${id}`)).body.status, 'offline')
})

test('what belongs to an operator goes with it: memberships, periods, appointments', async () => {
  const world = await api.world()
  const { test, environments } = world
  const { id } = await create(test)
  const { body: department } = await test.post('/v1/departments', { name: 'Billing' })
  await test.put(`/v1/departments/${department.id}/operators/${id}`)
  const until = new Date(api.now() + 3_600_000).toISOString()
  await test.put(`/v1/operators/${id}/status`, { status: 'online', until })
  await test.post(`/v1/operators/${id}/heartbeat`)
  assert.equal((await test.delete(`/v1/operators/${id}`)).status, 204)
  for (const table of [
    sql`operators`,
    sql`operator_status_periods`,
    sql`department_members`,
    sql`due_work`,
  ]) {
    const left = await api.db.rows(
      sql`select 1 from ${table} where tenant_id = ${environments.test.tenantId}`,
    )
    assert.equal(left.length, 0, table.strings[0]!)
  }
  assert.deepEqual(
    (await events(world))
      .slice(-2)
      .map(({ type }) => type)
      .sort(),
    ['department.members_changed', 'operator.deleted'],
  )
})

test('events name the operator that the client acts for', async () => {
  const world = await api.world()
  const { id } = await create(world.test)
  const { status } = await world.test.post('/v1/tags', { name: 'vip' }, { 'backline-operator': id })
  assert.equal(status, 201)
  assert.deepEqual((await events(world)).at(-1), { type: 'tag.created', operator_id: id })
  assert.equal((await world.test.get('/v1/tags', { 'backline-operator': id })).status, 200)
})

test('422 when the client acts for an operator that is unknown, foreign, archived or no operator', async () => {
  const { live, test } = await api.world()
  const foreign = await create(live)
  const archived = await create(test)
  await test.patch(`/v1/operators/${archived.id}`, { archived: true })
  for (const [value = '', code] of [
    ['op_00000000000000000000000000', 'not_found'],
    [foreign.id, 'not_found'],
    [archived.id, 'not_allowed'],
    ['me', 'bad_format'],
    [`${archived.id}, ${archived.id}`, 'bad_format'],
  ]) {
    const headers = { 'backline-operator': value }
    const answers = [
      await test.get('/v1/tags', headers),
      await test.get('/v1/workspace', headers),
      await test.post('/v1/tags', { name: 'vip' }, headers),
      await test.delete(`/v1/operators/${archived.id}`, headers),
    ]
    for (const { status, body } of answers) {
      assert.equal(status, 422, value)
      assert.deepEqual(faults(body), [['Backline-Operator', code]])
    }
    const both = await test.post('/v1/tags', { name: '' }, headers)
    assert.deepEqual(faults(both.body), [
      ['/name', 'too_short'],
      ['Backline-Operator', code],
    ])
  }
})

test('the last administrator cannot be archived, demoted or deleted, also if two archive each other', async () => {
  const { test } = await api.world()
  const ada = await create(test, { role: 'admin' })
  await create(test, { role: 'lead', email: 'lead@example.com' })
  const path = ({ id }: { id: string }) => `/v1/operators/${id}`
  const refusal = ({ status, body }: Awaited<ReturnType<Client['patch']>>) => [status, body.code, body.params]
  const last = (action: string) => [409, 'invalid_transition', { from: 'last_admin', action, allowed: [] }]
  assert.deepEqual(refusal(await test.patch(path(ada), { archived: true })), last('archive'))
  assert.deepEqual(refusal(await test.patch(path(ada), { role: 'lead' })), last('demote'))
  assert.deepEqual(refusal(await test.delete(path(ada))), last('delete'))
  assert.equal((await test.patch(path(ada), { name: 'Ada L.', role: 'admin' })).status, 200)

  const grace = await create(test, { role: 'admin', email: 'grace@example.com' })
  const both = await Promise.all([ada, grace].map((each) => test.patch(path(each), { archived: true })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
  const { body } = await test.get('/v1/operators?role=admin')
  assert.equal(body.data.length, 1)
})
