import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, type Client, service } from '@backline/test/harness.ts'
import { made, surroundings } from '@backline/test/macro-fixtures.ts'
import { newUuid, typeId } from '../../../platform/kernel/ids.ts'

const api = service()
const low = { type: 'set_priority', priority: 'low' }

const create = (client: Client, input: object) =>
  client.post('/v1/macros', { name: 'Refund', actions: [low], ...input })

function refused({ status, body, text }: Answer, ...faults: [pointer: string, code: string][]): void {
  assert.equal(status, 422, text)
  const told = body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])
  assert.deepEqual(told, faults)
}

test('shows every action with all its members, whatever was left out and in which order', async () => {
  const { test } = await api.world()
  const { reason, template } = await surroundings(test)
  const sent = [
    { body: 'Hello', type: 'reply' },
    { type: 'reply', template_id: template.id, set_status: 'open' },
    { hold_reason_id: reason.id, type: 'hold' },
    { type: 'close' },
  ]
  const { status, body } = await create(test, { actions: sent })
  assert.equal(status, 201)
  assert.deepEqual(body.actions, [
    { type: 'reply', body: 'Hello', template_id: null, set_status: null },
    { type: 'reply', body: null, template_id: template.id, set_status: 'open' },
    { type: 'hold', hold_reason_id: reason.id, note: null, duration_seconds: null },
    { type: 'close' },
  ])
  assert.partialDeepStrictEqual(body, {
    object: 'macro',
    description: null,
    department_ids: [],
    position: 0,
    archived: false,
    usage_count: 0,
    last_used_at: null,
    version: 1,
  })
  for (const actions of [sent, body.actions])
    assert.deepEqual((await test.patch(`/v1/macros/${body.id}`, { actions })).body, body)
})

test('409 naming the macro that has the name, in any case and archived too', async () => {
  const { test } = await api.world()
  const { body } = await create(test, {})
  await test.patch(`/v1/macros/${body.id}`, { archived: true })
  const answer = await create(test, { name: ' rEFUND' })
  assert.equal(answer.status, 409)
  assert.deepEqual(answer.body.params, { id: body.id, field: 'name' })
})

describe('actions that are not valid', () => {
  test('422 for none and for more than 20', async () => {
    const { test } = await api.world()
    refused(await create(test, { actions: [] }), ['/actions', 'too_short'])
    refused(await create(test, { actions: Array(21).fill(low) }), ['/actions', 'too_long'])
    assert.equal((await create(test, { actions: Array(20).fill(low) })).status, 201)
  })

  test('one fault for a type that is missing, unknown or no text', async () => {
    const { test } = await api.world()
    refused(
      await create(test, {
        actions: [low, { priority: 'low' }, { type: 'explode', x: 1 }, { type: 7 }, null],
      }),
      ['/actions/1/type', 'required'],
      ['/actions/2/type', 'not_allowed'],
      ['/actions/3/type', 'wrong_type'],
      ['/actions/4', 'wrong_type'],
    )
    refused(await create(test, { actions: [{ type: 'toString' }] }), ['/actions/0/type', 'not_allowed'])
  })

  test('the faults of an action are those of its type alone', async () => {
    const { test } = await api.world()
    refused(
      await create(test, {
        actions: [
          { type: 'set_priority', priority: 'lowest', foo: 1 },
          { type: 'add_tags', tags: [] },
          { type: 'hold', duration_seconds: 0 },
          { type: 'resume', note: 'x' },
        ],
      }),
      ['/actions/0/foo', 'unknown_field'],
      ['/actions/0/priority', 'not_allowed'],
      ['/actions/1/tags', 'too_short'],
      ['/actions/2/hold_reason_id', 'required'],
      ['/actions/2/duration_seconds', 'too_small'],
      ['/actions/3/note', 'unknown_field'],
    )
  })

  test('a reply has a body or a template', async () => {
    const { test } = await api.world()
    const { template } = await surroundings(test)
    refused(
      await create(test, {
        actions: [{ type: 'reply' }, { type: 'reply', body: 'x', template_id: template.id }],
      }),
      ['/actions/0/body', 'required'],
      ['/actions/1/body', 'not_allowed'],
    )
  })
})

describe('what a macro names', () => {
  const naming = (ids: Record<'category' | 'department' | 'operator' | 'template' | 'reason', string>) => ({
    actions: [
      { type: 'set_category', category_id: ids.category },
      { type: 'set_department', department_id: ids.department },
      { type: 'assign', operator_id: ids.operator },
      { type: 'reply', template_id: ids.template },
      { type: 'hold', hold_reason_id: ids.reason },
    ],
    department_ids: [ids.department],
  })
  const pointers = [
    '/actions/0/category_id',
    '/actions/1/department_id',
    '/actions/2/operator_id',
    '/actions/3/template_id',
    '/actions/4/hold_reason_id',
    '/department_ids/0',
  ]
  const allWith = (code: string) => pointers.map((pointer): [string, string] => [pointer, code])
  const idsOf = (all: Awaited<ReturnType<typeof surroundings>>) => ({
    category: all.category.id,
    department: all.department.id,
    operator: all.operator.id,
    template: all.template.id,
    reason: all.reason.id,
  })

  async function archived(client: Client) {
    const ids = idsOf(await surroundings(client))
    const paths = {
      category: 'categories',
      department: 'departments',
      operator: 'operators',
      template: 'message_templates',
      reason: 'hold_reasons',
    } as const
    const archive = async () => {
      for (const [kind, path] of Object.entries(paths))
        await client.patch(`/v1/${path}/${ids[kind as keyof typeof ids]}`, { archived: true })
    }
    return { ids, archive }
  }

  test('422 for each that does not exist, in a create and in a PATCH', async () => {
    const { test } = await api.world()
    const none = (prefix: string) => typeId(prefix, newUuid(0))
    const [category, department] = [none('cat'), none('dept')]
    const input = naming({
      category,
      department,
      operator: none('op'),
      template: none('tmpl'),
      reason: none('hold'),
    })
    const { body } = await create(test, {})
    refused(await create(test, { name: 'Other', ...input }), ...allWith('not_found'))
    refused(await test.patch(`/v1/macros/${body.id}`, input), ...allWith('not_found'))
  })

  test('what it names may be deleted, and is no fault when it is sent back', async () => {
    const { test } = await api.world()
    const { id: departmentId } = await made(test, 'departments', { name: 'Gone' })
    const actions = [{ type: 'set_department', department_id: departmentId }]
    const { body } = await create(test, { actions, department_ids: [departmentId] })
    assert.equal((await test.delete(`/v1/departments/${departmentId}`)).status, 204)
    const back = { actions: body.actions, department_ids: body.department_ids }
    const { status, body: same } = await test.patch(`/v1/macros/${body.id}`, back)
    assert.equal(status, 200)
    assert.deepEqual(same, body)
  })

  test('422 for each that is archived, unless the macro has it already', async () => {
    const { test } = await api.world()
    const { ids, archive } = await archived(test)
    const { body } = await create(test, naming(ids))
    await archive()
    refused(await create(test, { name: 'Other', ...naming(ids) }), ...allWith('not_allowed'))
    const { actions } = naming(ids)
    const shuffled = { ...naming(ids), actions: actions.toReversed() }
    assert.equal((await test.patch(`/v1/macros/${body.id}`, shuffled)).status, 200)
    assert.equal((await test.patch(`/v1/macros/${body.id}`, { position: 3 })).status, 200)
  })

  test('a department named twice counts once', async () => {
    const { test } = await api.world()
    const { id } = await made(test, 'departments', { name: 'Billing' })
    assert.deepEqual((await create(test, { department_ids: [id, id] })).body.department_ids, [id])
  })
})

describe('custom fields that a macro sets', () => {
  const set = (key: unknown, value: unknown) => ({ type: 'set_custom_field', key, value })
  const define = (client: Client, fields: object) =>
    made(client, 'custom_fields', { applies_to: 'conversation', name: 'A field', type: 'text', ...fields })

  test('422 at the key of one that no conversation has or that is archived, and at a value that it does not take', async () => {
    const { test } = await api.world()
    await define(test, { key: 'seats', type: 'number' })
    await define(test, { key: 'plan', type: 'select', options: [{ value: 'pro' }] })
    await define(test, { key: 'old', archived: true })
    await define(test, { key: 'tier', applies_to: 'end_user' })
    const actions = [
      set('none', 'x'),
      set('tier', 'x'),
      set('old', 'x'),
      set('seats', 'many'),
      set('plan', 'gold'),
    ]
    const faults: [string, string][] = [
      ['/actions/0/key', 'not_found'],
      ['/actions/1/key', 'not_found'],
      ['/actions/2/key', 'not_allowed'],
      ['/actions/3/value', 'wrong_type'],
      ['/actions/4/value', 'not_allowed'],
    ]
    refused(await create(test, { actions }), ...faults)
    const { body } = await create(test, {})
    refused(await test.patch(`/v1/macros/${body.id}`, { actions }), ...faults)
    refused(
      await create(test, { actions: [{ type: 'set_custom_field' }, set('A', {})] }),
      ['/actions/0/key', 'required'],
      ['/actions/0/value', 'required'],
      ['/actions/1/key', 'bad_format'],
      ['/actions/1/value', 'wrong_type'],
    )
  })

  test('may be archived and deleted later, and null is a value for all of them', async () => {
    const { test } = await api.world()
    const [plan, old] = [
      await define(test, { key: 'plan' }),
      await define(test, { key: 'old', archived: true }),
    ]
    const actions = [set('plan', 'pro'), set('old', null)]
    const { body, status, text } = await create(test, { actions })
    assert.equal(status, 201, text)
    assert.deepEqual(body.actions, actions)
    await test.patch(`/v1/custom_fields/${plan.id}`, { archived: true })
    const other = [set('plan', 'free'), ...actions]
    assert.equal((await test.patch(`/v1/macros/${body.id}`, { actions: other })).status, 200)
    await test.delete(`/v1/custom_fields/${plan.id}`)
    await test.delete(`/v1/custom_fields/${old.id}`)
    assert.equal((await test.patch(`/v1/macros/${body.id}`, { actions: other.toReversed() })).status, 200)
    refused(await test.patch(`/v1/macros/${body.id}`, { actions: [set('plan', 'new')] }), [
      '/actions/0/key',
      'not_found',
    ])
  })
})

test('lists are by position, then name; a department sees its own and those of everyone', async () => {
  const { test } = await api.world()
  const [mine, other] = [
    await made(test, 'departments', { name: 'Mine' }),
    await made(test, 'departments', { name: 'Other' }),
  ]
  await create(test, { name: 'last', position: 9 })
  await create(test, { name: 'b', department_ids: [other.id, mine.id] })
  await create(test, { name: 'C', department_ids: [other.id] })
  await create(test, { name: 'A' })
  const names = async (query: string) =>
    (await test.get(`/v1/macros?${query}`)).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(''), ['A', 'b', 'C', 'last'])
  assert.deepEqual(await names('sort=name'), ['A', 'b', 'C', 'last'])
  assert.deepEqual(await names(`department_id=${mine.id}`), ['A', 'b', 'last'])
  assert.deepEqual(await names(`department_id=${mine.id}&sort=-created_at`), ['A', 'b', 'last'])
})

test('a list that a macro sets is shown as a list, so that its actions can be sent back', async () => {
  const { test: client } = await api.world()
  const options = [{ value: 'a' }, { value: 'b' }]
  const field = { applies_to: 'conversation', key: 'areas', name: 'Areas', type: 'multi_select', options }
  await made(client, 'custom_fields', field)
  const actions = [{ type: 'set_custom_field', key: 'areas', value: ['a', 'b'] }]
  const { id } = await made(client, 'macros', { name: 'Areas', actions })
  const { body } = await client.get(`/v1/macros/${id}`)
  assert.deepEqual(body.actions, actions)
  assert.equal((await client.patch(`/v1/macros/${id}`, { actions: body.actions })).status, 200)
})
