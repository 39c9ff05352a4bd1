import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Body, department, operator, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()

let made = 0
const open = { field: 'status', op: 'in', value: ['new', 'open'] }
const create = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await client.post('/v1/views', { name: `View ${++made}`, filter: open, ...fields }))
const shown = async (client: Client, id: string): Promise<Body> =>
  succeeded(await client.get(`/v1/views/${id}`))
const define = async (client: Client, field: object): Promise<string> =>
  succeeded(await client.post('/v1/custom_fields', { applies_to: 'conversation', name: 'Field', ...field }))
    .id
const namesOf = async (client: Client, query = ''): Promise<string[]> =>
  succeeded(await client.get(`/v1/views?${query}`)).data.map(({ name }: Body) => name)
const faultsOf = (body: Body) => body.errors.map(({ pointer, code }: Body) => [pointer, code])

describe('views', () => {
  let client: Client
  before(async () => {
    client = (await api.world()).test
  })

  test('a view has the defaults of its list, and keeps the filter as it was given', async () => {
    const view = await create(client, {
      name: 'Mine',
      filter: { field: 'assignee_id', op: 'is', value: 'me' },
    })
    assert.partialDeepStrictEqual(view, {
      object: 'view',
      name: 'Mine',
      description: null,
      applies_to: 'conversation',
      filter: { field: 'assignee_id', op: 'is', value: 'me' },
      sort: '-created_at',
      columns: [],
      visibility: { operator_ids: [], department_ids: [] },
      position: 0,
      archived: false,
      broken: null,
      version: 1,
    })
    assert.deepEqual(await shown(client, view.id), view)
    const people = await create(client, {
      applies_to: 'end_user',
      filter: { field: 'name', op: 'starts_with', value: 'A' },
      sort: 'name',
    })
    assert.equal(people.sort, 'name')
  })

  test('names are unique without regard to case', async () => {
    const first = await create(client, { name: 'Überfällig' })
    const second = await create(client, { name: 'Other' })
    for (const answer of [
      await client.post('/v1/views', { name: 'ÜBERFÄLLIG', filter: open }),
      await client.patch(`/v1/views/${second.id}`, { name: ' überfällig' }),
    ]) {
      assert.equal(answer.body.code, 'already_exists')
      assert.deepEqual(answer.body.params, { field: 'name', id: first.id })
    }
  })

  test('all faults of a filter are named together with those of the other fields', async () => {
    const filter = {
      all: [
        { field: 'stauts', op: 'is', value: 'open' },
        { any: [{ field: 'message_count', op: 'gt', value: 'many' }] },
        { field: 'priority', op: 'contains', value: 'high' },
      ],
    }
    const faults = [
      ['/filter/all/0/field', 'unknown_field'],
      ['/filter/all/1/any/0/value', 'wrong_type'],
      ['/filter/all/2/op', 'not_allowed'],
    ]
    const sort = { sort: 'name', columns: [1] }
    const visibility = { operator_ids: ['op_01kah1vgm0e1tbm5ye8n2m9q7c'] }
    const one = await client.post('/v1/views', { name: 'A', filter, visibility, sort: 'name' })
    assert.equal(one.status, 422)
    assert.deepEqual(faultsOf(one.body).toSorted(), [...faults, ['/sort', 'not_allowed']].toSorted())
    const custom = { field: 'custom_fields.none', op: 'is', value: 1 }
    const other = await client.post('/v1/views', { name: 'A', filter: custom, visibility })
    assert.deepEqual(faultsOf(other.body), [
      ['/filter/field', 'unknown_field'],
      ['/visibility/operator_ids/0', 'not_found'],
    ])
    const both = await client.post('/v1/views', { name: '', filter, ...sort })
    assert.deepEqual(
      faultsOf(both.body).toSorted(),
      [...faults, ['/sort', 'not_allowed'], ['/name', 'too_short'], ['/columns/0', 'wrong_type']].toSorted(),
    )
    // While the objects are not known, what no objects have is a fault.
    const unknown = await client.post('/v1/views', { name: 'A', filter, applies_to: 'message' })
    assert.deepEqual(faultsOf(unknown.body), [
      ['/applies_to', 'not_allowed'],
      ['/filter/all/0/field', 'unknown_field'],
    ])
    const view = await create(client)
    const fixed = await client.patch(`/v1/views/${view.id}`, { filter, applies_to: 'end_user' })
    assert.deepEqual(faultsOf(fixed.body).toSorted(), [
      ['/applies_to', 'unknown_field'],
      ['/filter/all/0/field', 'unknown_field'],
    ])
    const [, ...others] = filter.all
    const patch = await client.patch(`/v1/views/${view.id}`, { filter: { all: others } })
    assert.deepEqual(faultsOf(patch.body), [
      ['/filter/all/0/any/0/value', 'wrong_type'],
      ['/filter/all/1/op', 'not_allowed'],
    ])
    const fields = await client.patch(`/v1/views/${view.id}`, {
      filter: { field: 'name', op: 'is', value: 'x' },
    })
    assert.deepEqual(faultsOf(fields.body), [['/filter/field', 'unknown_field']])
  })

  test('an operator sees the views of everyone, their own, and those of their departments', async () => {
    const { test: client } = await api.world()
    const [ada, ben] = [await operator(client), await operator(client)]
    const [sales, support] = [await department(client, [ada]), await department(client, [ben])]
    const visibleTo = (name: string, visibility: object) => create(client, { name, visibility })
    await visibleTo('everyone', {})
    await visibleTo('ada', { operator_ids: [ada] })
    await visibleTo('sales', { department_ids: [sales] })
    await visibleTo('support and ada', { department_ids: [support], operator_ids: [ada] })
    assert.deepEqual(await namesOf(client), ['everyone', 'ada', 'sales', 'support and ada'])
    assert.deepEqual(await namesOf(client, `operator_id=${ada}`), await namesOf(client))
    assert.deepEqual(await namesOf(client, `operator_id=${ben}`), ['everyone', 'support and ada'])
    assert.equal((await client.delete(`/v1/departments/${sales}/operators/${ada}`)).status, 204)
    assert.deepEqual(await namesOf(client, `operator_id=${ada}`), ['everyone', 'ada', 'support and ada'])
    const { total } = succeeded(await client.get(`/v1/views?operator_id=${ben}&include=total`))
    assert.equal(total, 2)
  })

  test('a view of an operator who was deleted is not shown to everyone', async () => {
    const { test: client } = await api.world()
    const [ada, ben] = [await operator(client), await operator(client)]
    const { id } = await create(client, { name: 'ada', visibility: { operator_ids: [ada, ada] } })
    assert.equal((await client.delete(`/v1/operators/${ada}`)).status, 204)
    assert.deepEqual(await namesOf(client, `operator_id=${ben}`), [])
    const patched = succeeded(
      await client.patch(`/v1/views/${id}`, { visibility: { operator_ids: [ada, ben] } }),
    )
    assert.deepEqual(patched.visibility, { operator_ids: [ada, ben], department_ids: [] })
  })

  test('reordering sets positions, names each fault, and tells of those that moved', async () => {
    const { test: client } = await api.world()
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await create(client, { name })).id)
    const [a, b, c] = ids as [string, string, string]
    const { data } = succeeded(await client.post('/v1/views/reorder', { ids: [c, a, b] }))
    assert.deepEqual(
      data.map(({ id, position }: Body) => [id, position]),
      [
        [c, 0],
        [a, 1],
        [b, 2],
      ],
    )
    assert.deepEqual(await namesOf(client), ['c', 'a', 'b'])
    const { data: events } = succeeded(await client.get('/v1/events?types=view.reordered'))
    assert.deepEqual(
      events.map(({ resource }: Body) => resource.id),
      [a, b],
    )
    const unknown = 'view_01kah1vgm0e1tbm5ye8n2m9q7c'
    const repeated = await client.post('/v1/views/reorder', { ids: [a, a, unknown] })
    assert.deepEqual(faultsOf(repeated.body), [['/ids/1', 'not_allowed']])
    const wrong = await client.post('/v1/views/reorder', { ids: [unknown, a, unknown.replace('7c', '7d')] })
    assert.deepEqual(faultsOf(wrong.body), [
      ['/ids/0', 'not_found'],
      ['/ids/2', 'not_found'],
    ])
  })

  test('deleting a field breaks the views that name it, and a suitable new one mends them', async () => {
    const { test: client } = await api.world()
    const plan = { key: 'plan', type: 'select', options: [{ value: 'free' }, { value: 'pro' }] }
    const field = await define(client, plan)
    const filter = { all: [open, { not: { field: 'custom_fields.plan', op: 'is', value: 'pro' } }] }
    const view = await create(client, { filter })
    const deleted = async (id: string) =>
      assert.equal((await client.delete(`/v1/custom_fields/${id}`)).status, 204)
    const pointerOf = async () => (await shown(client, view.id)).broken?.pointer ?? null
    await deleted(field)
    const { broken, version } = await shown(client, view.id)
    assert.equal(broken.pointer, '/all/1/not/field')
    assert.match(broken.detail, /is not a field/)
    assert.equal(version, 1)
    const listed = succeeded(await client.get('/v1/views')).data
    assert.deepEqual(
      listed.map((each: Body) => each.broken),
      [broken],
    )
    const items = await client.get(`/v1/views/${view.id}/items`)
    assert.equal(items.status, 409)
    assert.equal(items.body.code, 'view_broken')
    assert.deepEqual(items.body.params, { pointer: '/all/1/not/field' })
    assert.equal((await client.get(`/v1/views/${view.id}/items?include=total`)).status, 409)

    // Renaming is possible and mends nothing; the event shows the view as it is.
    const renamed = succeeded(await client.patch(`/v1/views/${view.id}`, { name: 'Renamed' }))
    assert.deepEqual(renamed.broken, broken)
    const { data: events } = succeeded(await client.get('/v1/events?types=view.updated'))
    assert.deepEqual(events[0].data.object, renamed)
    assert.deepEqual(events[0].data.previous, { name: view.name })

    const text = await define(client, { key: 'plan', type: 'number' })
    assert.equal(await pointerOf(), '/all/1/not/value')
    await deleted(text)
    const smaller = await define(client, { ...plan, options: [{ value: 'free' }] })
    assert.equal(await pointerOf(), '/all/1/not/value')
    succeeded(await client.patch(`/v1/custom_fields/${smaller}`, { options: plan.options }))
    assert.equal(await pointerOf(), null)
    assert.equal((await client.get(`/v1/views/${view.id}/items`)).status, 200)

    await deleted(smaller)
    const mended = succeeded(await client.patch(`/v1/views/${view.id}`, { filter: open }))
    assert.equal(mended.broken, null)
    assert.deepEqual(await shown(client, view.id), mended)
  })

  test('a view that breaks or is mended by a custom field is not taken for unchanged', async () => {
    const { test: client } = await api.world()
    const defined = () => define(client, { key: 'plan', type: 'text' })
    const field = await defined()
    const { id } = await create(client, { filter: { field: 'custom_fields.plan', op: 'is', value: 'x' } })
    const get = (tag: string) => client.get(`/v1/views/${id}`, { 'if-none-match': tag })
    assert.equal((await get('"1"')).status, 304)
    assert.equal((await client.delete(`/v1/custom_fields/${field}`)).status, 204)
    const broken = await get('"1"')
    assert.equal(broken.status, 200)
    assert.equal(broken.headers.get('etag'), null)
    const renamed = await client.patch(`/v1/views/${id}`, { name: 'Plans' }, { 'if-match': '"1"' })
    assert.equal(succeeded(renamed).version, 2)
    assert.equal(renamed.headers.get('etag'), null)
    await defined()
    const mended = await client.get(`/v1/views/${id}`)
    assert.deepEqual([mended.body.broken, mended.headers.get('etag')], [null, '"2"'])
    assert.equal((await get('"2"')).status, 304)
  })

  test('views of another environment are as if they did not exist', async () => {
    const world = await api.world()
    const { id } = await create(world.live)
    const other = world.test
    for (const path of [`/v1/views/${id}`, `/v1/views/${id}/items`])
      assert.equal((await other.get(path)).status, 404)
    assert.equal((await other.patch(`/v1/views/${id}`, { name: 'x' })).status, 404)
    assert.equal((await other.get(`/v1/views/counts?ids=${id}`)).body.errors[0].code, 'not_found')
    assert.equal((await other.post('/v1/views/reorder', { ids: [id] })).body.errors[0].code, 'not_found')
    const me = await operator(other)
    const claimed = await other.post(
      '/v1/conversations/claim_next',
      { view_id: id },
      { 'backline-operator': me },
    )
    assert.deepEqual(faultsOf(claimed.body), [['/view_id', 'not_found']])
  })
})
