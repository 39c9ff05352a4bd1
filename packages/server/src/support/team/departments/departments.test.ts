import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

let counter = 0
async function operator(client: Client): Promise<string> {
  const email = `o${++counter}@example.com`
  return (await client.post('/v1/operators', { name: 'Ada', email })).body.id
}

async function department(client: Client, fields: object = {}) {
  const { status, body } = await client.post('/v1/departments', { name: `d${++counter}`, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const events = async ({ environments }: World) => {
  const rows = await api.db.rows<{ type: string }>(sql`select type from events
    where tenant_id = ${environments.test.tenantId} order by epoch, events.position, ordinal`)
  return rows.map(({ type }) => type)
}

test('a new department gives conversations out by hand', async () => {
  const { test } = await api.world()
  assert.partialDeepStrictEqual(await department(test, { name: 'Billing' }), {
    object: 'department',
    name: 'Billing',
    description: null,
    email: null,
    default_sla_config_id: null,
    assignment: { strategy: 'manual', max_open_per_operator: null },
    fallback_department_id: null,
    archived: false,
    metadata: {},
    version: 1,
  })
})

test('409 when another department has the name, in any letter case, archived or not', async () => {
  const { test } = await api.world()
  const { id } = await department(test, { name: 'Billing' })
  await test.patch(`/v1/departments/${id}`, { archived: true })
  const { status, body } = await test.post('/v1/departments', { name: 'BILLING' })
  assert.deepEqual([status, body.params], [409, { id, field: 'name' }])
})

test('an assignment is patched member by member, and null resets it', async () => {
  const { test } = await api.world()
  const { id } = await department(test, { assignment: { strategy: 'least_busy' } })
  const patched = async (assignment: unknown) =>
    (await test.patch(`/v1/departments/${id}`, { assignment })).body.assignment
  assert.deepEqual(await patched({ max_open_per_operator: 3 }), {
    strategy: 'least_busy',
    max_open_per_operator: 3,
  })
  assert.deepEqual(await patched({ strategy: null }), { strategy: 'manual', max_open_per_operator: 3 })
  assert.deepEqual(await patched({}), { strategy: 'manual', max_open_per_operator: 3 })
  assert.deepEqual(await patched(null), { strategy: 'manual', max_open_per_operator: null })
  const { body } = await test.get(`/v1/departments/${id}`)
  assert.equal(body.version, 4, 'an empty patch changes nothing')
})

test('422 for a fallback that is unknown, archived or the department itself, and for an SLA config that is unknown', async () => {
  const { live, test } = await api.world()
  const { id } = await department(test)
  const archived = await department(test)
  await test.patch(`/v1/departments/${archived.id}`, { archived: true })
  for (const [fallback_department_id, code] of [
    [id, 'not_allowed'],
    [archived.id, 'not_allowed'],
    [(await department(live)).id, 'not_found'],
    ['dept_00000000000000000000000000', 'not_found'],
  ]) {
    const default_sla_config_id = 'sla_00000000000000000000000000'
    const answer = await test.patch(`/v1/departments/${id}`, {
      fallback_department_id,
      default_sla_config_id,
    })
    assert.equal(answer.status, 422)
    assert.partialDeepStrictEqual(answer.body.errors, [
      { pointer: '/default_sla_config_id', code: 'not_found' },
      { pointer: '/fallback_department_id', code },
    ])
  }
})

test('422 for an SLA config that is archived, unless the department has it already', async () => {
  const { test } = await api.world()
  const { body: config } = await test.post('/v1/sla_configs', {
    name: 'Gold',
    targets: [{ resolution_seconds: 60 }],
  })
  const { id } = await department(test, { default_sla_config_id: config.id })
  await test.patch(`/v1/sla_configs/${config.id}`, { archived: true })
  const naming = (which: string) =>
    test.patch(`/v1/departments/${which}`, { description: 'x', default_sla_config_id: config.id })
  assert.equal((await naming(id)).body.default_sla_config_id, config.id)
  const refused = await naming((await department(test)).id)
  assert.partialDeepStrictEqual(refused.body.errors, [
    {
      pointer: '/default_sla_config_id',
      code: 'not_allowed',
      detail: 'must not refer to an archived SLA config',
    },
  ])
})

test('a fallback stays when it is archived, and cannot be deleted', async () => {
  const { test } = await api.world()
  const fallback = await department(test)
  const { id } = await department(test, { fallback_department_id: fallback.id })
  await test.patch(`/v1/departments/${fallback.id}`, { archived: true })
  const kept = await test.patch(`/v1/departments/${id}`, {
    description: 'x',
    fallback_department_id: fallback.id,
  })
  assert.equal(kept.body.fallback_department_id, fallback.id)
  const refused = await test.delete(`/v1/departments/${fallback.id}`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'resource_in_use'])
  await test.patch(`/v1/departments/${id}`, { fallback_department_id: null })
  assert.equal((await test.delete(`/v1/departments/${fallback.id}`)).status, 204)
})

test('a membership changes the operator and the department, once', async () => {
  const world = await api.world()
  const { test } = world
  const one = await department(test)
  const other = await department(test)
  const id = await operator(test)
  const path = `/v1/departments/${one.id}/operators/${id}`
  const added = await test.put(path)
  assert.deepEqual(
    [added.status, added.body.id, added.body.version, added.headers.get('etag')],
    [200, one.id, 2, '"2"'],
  )
  await test.put(`/v1/departments/${other.id}/operators/${id}`)
  const again = await test.put(path)
  assert.deepEqual([again.status, again.text], [200, added.text])
  assert.partialDeepStrictEqual((await test.get(`/v1/operators/${id}`)).body, {
    department_ids: [one.id, other.id],
    version: 3,
  })
  const { body: members } = await test.get(`/v1/departments/${one.id}/operators?include=total`)
  assert.deepEqual([members.data[0].id, members.total], [id, 1])
  assert.equal((await test.delete(path)).status, 204)
  assert.equal((await test.delete(path)).status, 404)
  assert.deepEqual((await test.get(`/v1/operators/${id}`)).body.department_ids, [other.id])
  const told = (await events(world)).slice(4) // the key, both departments, the operator
  assert.equal(told.filter((type) => type === 'operator.updated').length, 3)
  assert.equal(told.filter((type) => type === 'department.members_changed').length, 3)
  assert.equal(told.length, 6)
})

test('an operator that joins many departments at once is a member of all', async () => {
  const { test } = await api.world()
  const id = await operator(test)
  const departments = await Promise.all(Array.from({ length: 8 }, () => department(test)))
  const answers = await Promise.all(
    departments.map((each) => test.put(`/v1/departments/${each.id}/operators/${id}`)),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { body } = await test.get(`/v1/operators/${id}`)
  assert.deepEqual(body.department_ids, departments.map((each) => each.id).sort())
  assert.equal(body.version, 9)
})

test('409 when an archived operator shall join, or one an archived department', async () => {
  const { test } = await api.world()
  const [open, closed] = [await department(test), await department(test)]
  const [there, gone] = [await operator(test), await operator(test)]
  await test.put(`/v1/departments/${closed.id}/operators/${there}`)
  await test.patch(`/v1/departments/${closed.id}`, { archived: true })
  await test.patch(`/v1/operators/${gone}`, { archived: true })
  const other = await operator(test)
  for (const path of [`${open.id}/operators/${gone}`, `${closed.id}/operators/${other}`]) {
    const { status, body } = await test.put(`/v1/departments/${path}`)
    assert.deepEqual(
      [status, body.code, body.params],
      [409, 'invalid_transition', { from: 'archived', action: 'add_operator', allowed: [] }],
    )
  }
  assert.equal((await test.put(`/v1/departments/${closed.id}/operators/${there}`)).status, 200)
  assert.equal((await test.delete(`/v1/departments/${closed.id}/operators/${there}`)).status, 204)
})

test('availability counts the members that are not archived by their status', async () => {
  const { test } = await api.world()
  const { id } = await department(test)
  const members = [await operator(test), await operator(test), await operator(test)]
  for (const member of members) await test.put(`/v1/departments/${id}/operators/${member}`)
  await test.put(`/v1/operators/${members[0]}/status`, { status: 'online' })
  await test.patch(`/v1/operators/${members[2]}`, { archived: true })
  const { body } = await test.get(`/v1/departments/${id}/availability`)
  assert.deepEqual(body, {
    object: 'department_availability',
    department_id: id,
    operators: { online: 1, away: 0, busy: 0, offline: 1 },
    open_conversations: 0,
    unassigned_conversations: 0,
    oldest_unassigned_at: null,
  })
  assert.equal((await test.get(`/v1/departments/${id}/operators`)).body.data.length, 2)
  assert.equal((await test.get(`/v1/departments/${id}/operators?archived=true`)).body.data.length, 3)
})

test('a department that is deleted is left by its members, each of which tells', async () => {
  const world = await api.world()
  const { test } = world
  const { id } = await department(test)
  const members = [await operator(test), await operator(test)]
  for (const member of members) await test.put(`/v1/departments/${id}/operators/${member}`)
  assert.equal((await test.delete(`/v1/departments/${id}`)).status, 204)
  for (const member of members)
    assert.partialDeepStrictEqual((await test.get(`/v1/operators/${member}`)).body, {
      department_ids: [],
      version: 3,
    })
  assert.deepEqual((await events(world)).slice(-3).sort(), [
    'department.deleted',
    'operator.updated',
    'operator.updated',
  ])
})

test('409 when a department with more than 100 members is deleted', async () => {
  const world = await api.world()
  const { id } = await department(world.test)
  const members = Array.from({ length: 10 }, () => 0)
  for (let i = 0; i < 101; i += members.length) {
    await Promise.all(
      members.slice(0, 101 - i).map(async () => {
        const added = await world.test.put(`/v1/departments/${id}/operators/${await operator(world.test)}`)
        assert.equal(added.status, 200)
      }),
    )
  }
  const { status, body } = await world.test.delete(`/v1/departments/${id}`)
  assert.deepEqual([status, body.code, body.params], [409, 'resource_in_use', { hint: 'archive' }])
  const { body: list } = await world.test.get(`/v1/departments/${id}/operators?limit=1`)
  await world.test.delete(`/v1/departments/${id}/operators/${list.data[0].id}`)
  assert.equal((await world.test.delete(`/v1/departments/${id}`)).status, 204)
})
