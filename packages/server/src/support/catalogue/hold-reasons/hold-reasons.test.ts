import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, type Client, service, type World } from '@backline/test/harness.ts'
import { newUuid, typeId } from '../../../platform/kernel/ids.ts'

const api = service()

/** Creates a hold reason. */
async function holdReason(client: Client, input: object = {}) {
  const { status, body, text } = await client.post('/v1/hold_reasons', { name: 'Carrier', ...input })
  assert.equal(status, 201, text)
  return body
}

function assertRefused({ status, body, text }: Answer, ...faults: [pointer: string, code: string][]): void {
  assert.equal(status, 422, text)
  assert.deepEqual(
    body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    faults,
  )
}

test('says what a hold does when only the name is given', async () => {
  const { test } = await api.world()
  assert.partialDeepStrictEqual(await holdReason(test), {
    object: 'hold_reason',
    name: 'Carrier',
    description: null,
    waiting_on: 'third_party',
    pauses_sla: true,
    resumes_on_reply: true,
    requires_note: false,
    default_duration_seconds: null,
    max_duration_seconds: null,
    on_expiry: 'resume',
    follow_up: null,
    archived: false,
    version: 1,
  })
})

test('takes every field, in a create and in a PATCH', async () => {
  const { test } = await api.world()
  const fields = {
    name: 'Customer',
    description: 'We asked for something',
    waiting_on: 'end_user',
    pauses_sla: false,
    resumes_on_reply: false,
    requires_note: true,
    default_duration_seconds: 60,
    max_duration_seconds: 3600,
    on_expiry: 'resolve',
  }
  const { id } = await holdReason(test)
  const patched = (await test.patch(`/v1/hold_reasons/${id}`, fields)).body
  assert.partialDeepStrictEqual(patched, { ...fields, version: 2 })
  assert.deepEqual((await test.get(`/v1/hold_reasons/${id}`)).body, patched)
  assert.partialDeepStrictEqual(await holdReason(test, { ...fields, name: 'Other' }), {
    ...fields,
    name: 'Other',
  })
})

test('409 with the owner for a name that is taken in any case, by an archived one too', async () => {
  const { test } = await api.world()
  const { id } = await holdReason(test)
  await test.patch(`/v1/hold_reasons/${id}`, { archived: true })
  const other = await holdReason(test, { name: 'Other' })
  for (const { status, body } of [
    await test.post('/v1/hold_reasons', { name: 'CARRIER' }),
    await test.patch(`/v1/hold_reasons/${other.id}`, { name: ' carrier' }),
  ]) {
    assert.equal(status, 409)
    assert.equal(body.code, 'already_exists')
    assert.deepEqual(body.params, { id, field: 'name' })
  }
})

describe('durations', () => {
  const tooLong = ['/default_duration_seconds', 'too_large'] as [string, string]

  test('422 for a default above the maximum, in a create and in what comes of a PATCH', async () => {
    const { test } = await api.world()
    const durations = { default_duration_seconds: 60, max_duration_seconds: 60 }
    assertRefused(
      await test.post('/v1/hold_reasons', { name: 'New', ...durations, default_duration_seconds: 61 }),
      tooLong,
    )
    const { id } = await holdReason(test, durations)
    const path = `/v1/hold_reasons/${id}`
    assertRefused(await test.patch(path, { default_duration_seconds: 61 }), tooLong)
    assertRefused(await test.patch(path, { max_duration_seconds: 59 }), tooLong)
    assert.equal((await test.patch(path, { max_duration_seconds: null })).status, 200)
    assert.equal((await test.patch(path, { default_duration_seconds: 61 })).status, 200)
    assertRefused(await test.patch(path, { max_duration_seconds: 60 }), tooLong)
  })

  test('422 for less than a second and more than ten years', async () => {
    const { test } = await api.world()
    for (const [seconds, code] of [
      [0, 'too_small'],
      [315_360_001, 'too_large'],
    ] as const) {
      const input = { name: 'New', default_duration_seconds: seconds, max_duration_seconds: seconds }
      assertRefused(
        await test.post('/v1/hold_reasons', input),
        ['/default_duration_seconds', code],
        ['/max_duration_seconds', code],
      )
    }
  })
})

describe('follow-ups', () => {
  const unknown = typeId('tmpl', newUuid(0))

  /** A hold reason that follows up by a template. */
  async function following({ test }: World) {
    const template = await test.post('/v1/message_templates', {
      name: 'Still there?',
      body: 'Are you there?',
    })
    const follow_up = { every_seconds: 86_400, template_id: template.body.id, max_count: 3 }
    const { id } = await holdReason(test, { follow_up })
    return { path: `/v1/hold_reasons/${id}`, follow_up }
  }

  test('422 naming each member that is missing, and those out of range', async () => {
    const { test } = await api.world()
    const create = (follow_up: object) => test.post('/v1/hold_reasons', { name: 'New', follow_up })
    assertRefused(
      await create({}),
      ['/follow_up/every_seconds', 'required'],
      ['/follow_up/template_id', 'required'],
      ['/follow_up/max_count', 'required'],
    )
    assertRefused(
      await create({ every_seconds: 0, template_id: unknown, max_count: 101 }),
      ['/follow_up/every_seconds', 'too_small'],
      ['/follow_up/max_count', 'too_large'],
    )
    assertRefused(await create({ every_seconds: 3600, template_id: unknown, max_count: 1 }), [
      '/follow_up/template_id',
      'not_found',
    ])
  })

  test('422 for a template that does not exist, beside all other faults', async () => {
    const { test } = await api.world()
    const { id } = await holdReason(test)
    const follow_up = { every_seconds: 60, template_id: unknown, max_count: 1 }
    const input = { follow_up, default_duration_seconds: 2, max_duration_seconds: 1 }
    for (const answer of [
      await test.post('/v1/hold_reasons', { name: 'New', ...input }),
      await test.patch(`/v1/hold_reasons/${id}`, input),
    ])
      assertRefused(
        answer,
        ['/follow_up/template_id', 'not_found'],
        ['/default_duration_seconds', 'too_large'],
      )
  })

  test('a PATCH changes one member and keeps the others', async () => {
    const world = await api.world()
    const { path, follow_up } = await following(world)
    const { status, body } = await world.test.patch(path, { follow_up: { max_count: 5 } })
    assert.equal(status, 200)
    assert.deepEqual(body.follow_up, { ...follow_up, max_count: 5 })
    assert.equal(body.version, 2)
    assert.deepEqual((await world.test.get(path)).body, body)
  })

  test('a PATCH that leaves them as they are changes nothing', async () => {
    const world = await api.world()
    const { path, follow_up } = await following(world)
    for (const patch of [{ follow_up: {} }, { follow_up }, { follow_up: { max_count: 3 } }])
      assert.equal((await world.test.patch(path, patch)).body.version, 1)
  })

  test('422 for what a PATCH leaves incomplete where there was none', async () => {
    const { test } = await api.world()
    const { id } = await holdReason(test)
    assertRefused(
      await test.patch(`/v1/hold_reasons/${id}`, { follow_up: { max_count: 5 } }),
      ['/follow_up/every_seconds', 'required'],
      ['/follow_up/template_id', 'required'],
    )
  })

  test('422 for another template that does not exist, and for nothing else that is kept', async () => {
    const world = await api.world()
    const { path } = await following(world)
    const follow_up = { template_id: typeId('tmpl', newUuid(1)) }
    assertRefused(await world.test.patch(path, { follow_up }), ['/follow_up/template_id', 'not_found'])
  })

  test('null ends them', async () => {
    const world = await api.world()
    const { path } = await following(world)
    const { body } = await world.test.patch(path, { follow_up: null })
    assert.equal(body.follow_up, null)
    assert.deepEqual((await world.test.get(path)).body, body)
  })
})

test('lists are by name without regard to case, archived ones only when asked for', async () => {
  const { test } = await api.world()
  for (const name of ['b', 'C', 'a']) await holdReason(test, { name })
  const archived = await holdReason(test, { name: 'B2' })
  await test.patch(`/v1/hold_reasons/${archived.id}`, { archived: true })
  const names = async (query: string) =>
    (await test.get(`/v1/hold_reasons?${query}`)).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(''), ['a', 'b', 'C'])
  assert.deepEqual(await names('archived=true'), ['a', 'b', 'B2', 'C'])
  assert.deepEqual(await names('sort=-created_at'), ['a', 'C', 'b'])
})
