import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, type Client, service } from '@backline/test/harness.ts'
import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

/** Creates a category. */
async function category(client: Client, name: string, input: object = {}) {
  const { status, body, text } = await client.post('/v1/categories', { name, ...input })
  assert.equal(status, 201, text)
  return body
}

/** Creates categories, each below the previous one. */
async function chain(client: Client, names: string[]) {
  const made: { id: string }[] = []
  for (const name of names) made.push(await category(client, name, { parent_id: made.at(-1)?.id ?? null }))
  return made
}

const move = (client: Client, { id }: { id: string }, parent: { id: string } | null) =>
  client.patch(`/v1/categories/${id}`, { parent_id: parent?.id ?? null })

const pathOf = async (client: Client, { id }: { id: string }) =>
  (await client.get(`/v1/categories/${id}`)).body.path

function assertRefused({ status, body, text }: Answer, pointer: string, code: string): void {
  assert.equal(status, 422, text)
  assert.equal(body.code, 'validation_failed')
  assert.partialDeepStrictEqual(body.errors, [{ pointer, code }])
  assert.equal(body.errors.length, 1, text)
}

describe('the tree', () => {
  test('a root by default, with all that was left out', async () => {
    const { test } = await api.world()
    assert.partialDeepStrictEqual(await category(test, 'Billing'), {
      object: 'category',
      parent_id: null,
      position: 0,
      default_department_id: null,
      default_priority: null,
      description: null,
      archived: false,
      path: ['Billing'],
      version: 1,
    })
  })

  test('the path names all from the root on, in responses, lists and events', async () => {
    const { test, environments } = await api.world()
    const [billing] = await chain(test, ['Billing', 'Refunds'])
    const refunds = (await test.get(`/v1/categories?parent_id=${billing!.id}`)).body.data[0]
    assert.deepEqual(refunds.path, ['Billing', 'Refunds'])
    const created = await category(test, 'Late', { parent_id: refunds.id })
    assert.deepEqual(created.path, ['Billing', 'Refunds', 'Late'])
    const renamed = await test.patch(`/v1/categories/${created.id}`, { name: 'Very late' })
    assert.deepEqual(renamed.body.path, ['Billing', 'Refunds', 'Very late'])
    const moved = await move(test, created, billing!)
    assert.deepEqual(moved.body.path, ['Billing', 'Very late'])
    assert.deepEqual((await move(test, created, null)).body.path, ['Very late'])

    const rows = await api.db.rows<{ object: { path: string[] } }>(
      sql`select object from events where tenant_id = ${environments.test.tenantId}
        and resource_id = ${uuidOf('cat', created.id)} order by resource_version`,
    )
    const paths = rows.map(({ object }) => object.path)
    assert.deepEqual(paths, [
      ['Billing', 'Refunds', 'Late'],
      ['Billing', 'Refunds', 'Very late'],
      ['Billing', 'Very late'],
      ['Very late'],
    ])
  })

  test('renaming or moving a category shows in the paths below it, whose versions stay', async () => {
    const { test } = await api.world()
    const [billing, refunds, late] = await chain(test, ['Billing', 'Refunds', 'Late'])
    await test.patch(`/v1/categories/${billing!.id}`, { name: 'Money' })
    assert.deepEqual(await pathOf(test, late!), ['Money', 'Refunds', 'Late'])
    await move(test, refunds!, null)
    const { body, headers } = await test.get(`/v1/categories/${late!.id}`)
    assert.deepEqual(body.path, ['Refunds', 'Late'])
    assert.equal(body.version, 1)
    assert.equal(headers.get('etag'), '"1"')
  })

  test('up to 8 levels; 422 for a ninth, by a new category or by a subtree of too many', async () => {
    const { test } = await api.world()
    const levels = await chain(test, ['1', '2', '3', '4', '5', '6', '7', '8'])
    assert.equal((await pathOf(test, levels[7]!)).length, 8)
    assertRefused(
      await test.post('/v1/categories', { name: '9', parent_id: levels[7]!.id }),
      '/parent_id',
      'not_allowed',
    )
    const [top] = await chain(test, ['a', 'b', 'c'])
    assertRefused(await move(test, top!, levels[5]!), '/parent_id', 'not_allowed')
    assert.equal((await move(test, top!, levels[4]!)).status, 200)
  })

  test('422 for a category below itself or what is below it', async () => {
    const { test } = await api.world()
    const [a, b, c] = await chain(test, ['a', 'b', 'c'])
    for (const parent of [a!, b!, c!])
      assertRefused(await move(test, a!, parent), '/parent_id', 'not_allowed')
    assert.deepEqual(await pathOf(test, c!), ['a', 'b', 'c'])
  })

  test('422 for a parent that is unknown, foreign or archived, unless it is the parent already', async () => {
    const { test, live } = await api.world()
    const foreign = await category(live, 'Foreign')
    const [archived, child] = await chain(test, ['Archived', 'Child'])
    await test.patch(`/v1/categories/${archived!.id}`, { archived: true })
    const other = await category(test, 'Other')
    for (const [parent, code] of [
      [{ id: typeId('cat', '01990000-0000-7000-8000-000000000000') }, 'not_found'],
      [foreign, 'not_found'],
      [archived!, 'not_allowed'],
    ] as const) {
      assertRefused(await move(test, other, parent), '/parent_id', code)
      assertRefused(
        await test.post('/v1/categories', { name: 'New', parent_id: parent.id }),
        '/parent_id',
        code,
      )
    }
    const kept = await test.patch(`/v1/categories/${child!.id}`, { parent_id: archived!.id, position: 1 })
    assert.equal(kept.status, 200)
  })

  test('a move to where it is already changes nothing', async () => {
    const { test } = await api.world()
    const [a, b] = await chain(test, ['a', 'b'])
    assert.equal((await move(test, b!, a!)).body.version, 1)
    assert.equal((await move(test, a!, null)).body.version, 1)
  })

  test('409 resource_in_use for deleting a parent; 204 once nothing is below it', async () => {
    const { test } = await api.world()
    const [a, b] = await chain(test, ['a', 'b'])
    const refused = await test.delete(`/v1/categories/${a!.id}`)
    assert.equal(refused.status, 409)
    assert.equal(refused.body.code, 'resource_in_use')
    assert.deepEqual(refused.body.params, { hint: 'archive' })
    for (const { id } of [b!, a!]) assert.equal((await test.delete(`/v1/categories/${id}`)).status, 204)
  })
})

describe('names', () => {
  test('409 with the owner for a name that a sibling has, in any case, archived or not', async () => {
    const { test } = await api.world()
    const [parent, child] = await chain(test, ['Straße', 'Straße'])
    await test.patch(`/v1/categories/${child!.id}`, { archived: true })
    for (const [owner, input] of [
      [parent!, { name: 'STRASSE' }],
      [child!, { name: ' strasse ', parent_id: parent!.id }],
    ] as const) {
      const { status, body } = await test.post('/v1/categories', input)
      assert.equal(status, 409)
      assert.equal(body.code, 'already_exists')
      assert.deepEqual(body.params, { id: owner.id, field: 'name' })
    }
  })

  test('409 for moving beside a namesake, and for taking its name', async () => {
    const { test } = await api.world()
    const [parent, child] = await chain(test, ['Parent', 'Same'])
    const same = await category(test, 'same')
    const { status, body } = await move(test, same, parent!)
    assert.equal(status, 409)
    assert.deepEqual(body.params, { id: child!.id, field: 'name' })
    const renamed = await test.patch(`/v1/categories/${same.id}`, { name: 'PARENT' })
    assert.deepEqual(renamed.body.params, { id: parent!.id, field: 'name' })
  })

  test('one of ten siblings that are created at one time with one name', async () => {
    const { test } = await api.world()
    const parent = await category(test, 'Parent')
    for (const parent_id of [null, parent.id]) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => test.post('/v1/categories', { name: 'Same', parent_id })),
      )
      const created = answers.filter(({ status }) => status === 201)
      assert.equal(created.length, 1)
      for (const { status, body } of answers)
        if (status !== 201) assert.deepEqual(body.params, { id: created[0]!.body.id, field: 'name' })
    }
  })
})

describe('lists', () => {
  test('are by position, then by name without regard to case', async () => {
    const { test } = await api.world()
    for (const [name, position] of [
      ['c', 0],
      ['B', 0],
      ['a', 10],
      ['d', 9],
    ] as const)
      await category(test, name, { position })
    const { data } = (await test.get('/v1/categories')).body
    assert.deepEqual(
      data.map(({ name }: { name: string }) => name),
      ['B', 'c', 'd', 'a'],
    )
  })

  test('of one parent, or of the roots; archived ones only when asked for', async () => {
    const { test } = await api.world()
    const [root, child, below] = await chain(test, ['root', 'child', 'below'])
    const second = await category(test, 'second', { parent_id: root!.id })
    await test.patch(`/v1/categories/${second.id}`, { archived: true })
    for (const [query, ids] of [
      ['parent_id=none', [root!.id]],
      [`parent_id=${root!.id}`, [child!.id]],
      [`parent_id=${root!.id}&archived=true`, [child!.id, second.id]],
      [`parent_id=${child!.id}`, [below!.id]],
      [`parent_id=${below!.id}`, []],
    ] as const) {
      const { body } = await test.get(`/v1/categories?${query}`)
      assert.deepEqual(
        body.data.map(({ id }: { id: string }) => id),
        ids,
        query,
      )
    }
    assert.equal((await test.get('/v1/categories?parent_id=nobody')).status, 400)
  })
})

test('422 for a department that does not exist, beside all other faults', async () => {
  const { test } = await api.world()
  const { id } = await category(test, 'Billing')
  const input = {
    parent_id: typeId('cat', '01990000-0000-7000-8000-000000000000'),
    default_department_id: typeId('dept', '01990000-0000-7000-8000-000000000000'),
  }
  for (const { status, body } of [
    await test.post('/v1/categories', { name: 'New', ...input }),
    await test.patch(`/v1/categories/${id}`, input),
  ]) {
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/parent_id', 'not_found'],
        ['/default_department_id', 'not_found'],
      ],
    )
  }
})

test('fields are changed and cleared', async () => {
  const { test } = await api.world()
  const { id } = await category(test, 'Billing', { default_priority: 'urgent', description: 'Money' })
  const { body } = await test.patch(`/v1/categories/${id}`, {
    default_priority: null,
    description: null,
    position: 3,
  })
  assert.partialDeepStrictEqual(body, {
    default_priority: null,
    description: null,
    position: 3,
    version: 2,
    path: ['Billing'],
  })
})
