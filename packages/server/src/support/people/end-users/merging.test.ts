import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { Random, seedOf } from '@backline/test/random.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

const endUser = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await client.post('/v1/end_users', fields))
const merge = (client: Client, from: Body, into: Body, more: object = {}) =>
  client.post(`/v1/end_users/${from.id}/merge`, { into_id: into.id, ...more })
const shown = async (client: Client, { id }: Body): Promise<Body> =>
  succeeded(await client.get(`/v1/end_users/${id}`))
const idsOf = async (client: Client, filter: string): Promise<string[]> =>
  succeeded(await client.get(`/v1/conversations?limit=100&sort=created_at&${filter}`)).data.map(
    ({ id }: Body) => id,
  )

describe('a merge', () => {
  test('unites addresses, phones, companies and metadata, fills empty fields, and lists where both had a value', async () => {
    const { test } = await api.world()
    const company = succeeded(await test.post('/v1/companies', { name: 'Acme' }))
    const source = await endUser(test, {
      name: 'Grace',
      emails: [{ address: 'a@example.com' }, { address: 'B@example.com', verified: true }],
      phones: ['+4930111', '+4930222'],
      language: 'de',
      company_ids: [company.id],
      metadata: { plan: 'free', since: '2020' },
    })
    const target = await endUser(test, {
      external_id: 'grace',
      name: 'Grace Hopper',
      emails: [{ address: 'A@example.com' }],
      phones: ['+4930222'],
      metadata: { plan: 'pro' },
    })
    const dry = await merge(test, source, target, { dry_run: true })
    assert.deepEqual(await shown(test, source), source)
    const done = succeeded(await merge(test, source, target))
    assert.deepEqual([dry.body.taken, dry.body.conflicts], [done.taken, done.conflicts])
    assert.deepEqual(done.taken, ['language', 'emails', 'phones', 'company_ids', 'metadata'])
    assert.deepEqual(done.conflicts, [
      { field: 'name', kept: 'Grace Hopper', dropped: 'Grace' },
      { field: 'metadata.plan', kept: 'pro', dropped: 'free' },
    ])
    const after = await shown(test, target)
    assert.deepEqual(after, done.end_user)
    assert.deepEqual(
      [after.emails, after.phones, after.language, after.company_ids, after.metadata],
      [
        [
          { address: 'A@example.com', verified: false },
          { address: 'B@example.com', verified: true },
        ],
        ['+4930222', '+4930111'],
        'de',
        [company.id],
        { plan: 'pro', since: '2020' },
      ],
    )
    assert.equal(succeeded(await test.get(`/v1/companies/${company.id}`)).end_user_count, 1)
    const found = succeeded(await test.get('/v1/end_users?email=b@example.com')).data
    assert.deepEqual(
      found.map(({ id }: Body) => id),
      [target.id],
    )
    const types = succeeded(await test.get('/v1/events?types=end_user.merged,end_user.updated')).data
    assert.deepEqual(types.map(({ type, resource }: Body) => [type, resource.id]).sort(), [
      ['end_user.merged', source.id],
      ['end_user.updated', target.id],
    ])
  })

  test('unites custom fields key by key, and names those in which both had different values', async () => {
    const { test } = await api.world()
    for (const [key, more] of Object.entries({
      plan: { type: 'text' },
      seats: { type: 'number', indexed: true },
      areas: { type: 'multi_select', options: [{ value: 'a' }, { value: 'b' }] },
      city: { type: 'text' },
    }))
      succeeded(await test.post('/v1/custom_fields', { applies_to: 'end_user', key, name: key, ...more }))
    const source = await endUser(test, {
      custom_fields: { plan: 'free', seats: 3, areas: ['a', 'b'], city: 'Kiel' },
    })
    const target = await endUser(test, { custom_fields: { plan: 'pro', areas: ['b'], city: 'Kiel' } })
    const dry = succeeded(await merge(test, source, target, { dry_run: true }))
    assert.deepEqual(await shown(test, target), target)
    const { end_user, taken, conflicts } = succeeded(await merge(test, source, target))
    assert.deepEqual([dry.taken, dry.conflicts], [taken, conflicts])
    assert.deepEqual(taken, ['custom_fields'])
    assert.deepEqual(conflicts, [
      { field: 'custom_fields.areas', kept: ['b'], dropped: ['a', 'b'] },
      { field: 'custom_fields.plan', kept: 'pro', dropped: 'free' },
    ])
    const united = { areas: ['b'], city: 'Kiel', plan: 'pro', seats: 3 }
    assert.deepEqual(end_user.custom_fields, united)
    assert.equal(JSON.stringify(end_user.custom_fields), JSON.stringify(united))
    assert.deepEqual(await shown(test, target), end_user)
    assert.deepEqual((await shown(test, source)).custom_fields, {})
  })

  test('keeps every verified address, and names what the target has no room for', async () => {
    const { test } = await api.world()
    const address = (i: number) => ({ address: `${i}@example.com` })
    const source = await endUser(test, {
      emails: [address(11), { ...address(12), verified: true }],
      phones: ['+4930999'],
    })
    const target = await endUser(test, { emails: Array.from({ length: 10 }, (_, i) => address(i)) })
    const { end_user, conflicts } = succeeded(await merge(test, source, target))
    assert.deepEqual(end_user.emails.at(-1), { ...address(12), verified: true })
    assert.deepEqual(
      conflicts.map(({ field, dropped }: Body) => [field, dropped]),
      [['emails', [{ ...address(11), verified: false }]]],
    )
    assert.deepEqual(end_user.phones, ['+4930999'])
  })

  test('of one with an external id into one without gives it to the target', async () => {
    const { test } = await api.world()
    const source = await endUser(test, { external_id: 'grace' })
    const target = await endUser(test, { name: 'Visitor' })
    const made = await conversation(test, { external_user_id: 'grace' })
    const { end_user, taken } = succeeded(await merge(test, source, target))
    assert.deepEqual([end_user.external_id, taken], ['grace', ['external_id']])
    assert.equal((await shown(test, source)).external_id, null)
    const next = await conversation(test, { external_user_id: 'grace' })
    assert.equal(next.end_user_id, target.id)
    assert.deepEqual(await idsOf(test, 'external_user_id=grace'), [made.id, next.id])
  })

  test('of two external ids is refused, or keeps the second as an alias that finds the target ever after', async () => {
    const { test } = await api.world()
    const [source, target] = [
      await endUser(test, { external_id: 'old' }),
      await endUser(test, { external_id: 'new' }),
    ]
    const made = await conversation(test, { external_user_id: 'old' })
    const refused = await merge(test, source, target)
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.params.reason],
      [409, 'identity_conflict', 'two_external_ids'],
    )
    succeeded(await merge(test, source, target, { keep_alias: true }))
    assert.equal((await shown(test, source)).external_id, 'old')
    const events = succeeded(await test.get('/v1/events?types=end_user.merged,end_user.updated')).data
    assert.deepEqual(events.map(({ type }: Body) => type).sort(), ['end_user.merged', 'end_user.updated'])
    const next = await conversation(test, { external_user_id: 'old' })
    assert.deepEqual([next.end_user_id, next.external_user_id], [target.id, 'new'])
    assert.deepEqual(await idsOf(test, 'external_user_id=old'), [made.id, next.id])
    assert.deepEqual(await idsOf(test, 'external_user_id=new'), [made.id, next.id])
    assert.deepEqual(await idsOf(test, `end_user_id=${source.id}`), [made.id, next.id])
    const upserted = await test.put('/v1/end_users/external/old', { name: 'Ada' })
    assert.deepEqual([upserted.status, upserted.body.id, upserted.body.name], [200, target.id, 'Ada'])
    const taken = await test.post('/v1/end_users', { external_id: 'old' })
    assert.deepEqual([taken.status, taken.body.params], [409, { id: target.id, field: 'external_id' }])
  })

  test('into itself, into a merged one and of a merged one is refused', async () => {
    const { test } = await api.world()
    const [one, other, third] = [await endUser(test), await endUser(test), await endUser(test)]
    assert.equal((await merge(test, one, one)).status, 422)
    succeeded(await merge(test, one, other))
    assert.equal((await merge(test, third, one)).status, 422)
    assert.deepEqual((await merge(test, one, third)).body.params, { reason: 'merged' })
    const patched = await test.patch(`/v1/end_users/${one.id}`, { name: 'Nobody' })
    assert.deepEqual([patched.status, patched.body.params], [409, { reason: 'merged' }])
  })

  test('of a chain makes all of it point to the last one, and its conversations show that one', async () => {
    const { test } = await api.world()
    const chain = [
      await endUser(test),
      await endUser(test),
      await endUser(test),
      await endUser(test, { external_id: 'last' }),
    ]
    const made = []
    for (const { id } of chain)
      made.push(await conversation(test, { external_user_id: undefined, end_user_id: id }))
    for (let i = 0; i < 3; i++) succeeded(await merge(test, chain[i]!, chain[i + 1]!))
    for (const each of chain.slice(0, 3)) assert.equal((await shown(test, each)).merged_into_id, chain[3]!.id)
    assert.deepEqual(
      await idsOf(test, 'external_user_id=last'),
      made.map(({ id }) => id),
    )
    for (const { id } of made)
      assert.equal(
        succeeded(await test.get(`/v1/conversations/${id}?include=end_user`)).end_user.external_id,
        'last',
      )
    const { body } = await test.post(`/v1/conversations/${made[0]!.id}/messages`, {
      author_side: 'end_user',
      body: 'Hello',
    })
    assert.equal(body.author_end_user_id, chain[3]!.id)
  })
})

test('merges in all directions and conversations at the same time leave one person for each conversation', async (t) => {
  const random = new Random(seedOf(t))
  const { test, environments } = await api.world()
  const { tenantId } = environments.test
  const people: Body[] = []
  for (let i = 0; i < 8; i++) people.push(await endUser(test, { external_id: `user_${i}` }))
  const made: { id: string; user: string }[] = []
  const create = async () => {
    const user = `user_${random.below(8)}`
    const { id } = await conversation(test, { external_user_id: user })
    made.push({ id, user })
  }
  const join = async () => {
    const [from, into] = [people[random.below(8)]!, people[random.below(8)]!]
    const { status } = await merge(test, from, into, { keep_alias: true })
    assert.ok([200, 409, 422].includes(status), `${status}`)
  }
  await Promise.all(Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? join() : create())))

  const aliases =
    await api.db.rows(sql`select 1 from end_users a join end_users b on b.tenant_id = ${tenantId} and b.id = a.merged_into_id
    where a.tenant_id = ${tenantId} and b.merged_into_id is not null`)
  assert.deepEqual(aliases, [], 'an alias of an alias')
  for (const { id, user } of made) {
    const { body } = await test.get(`/v1/conversations/${id}`)
    const named = await test.put(`/v1/end_users/external/${user}`, {})
    assert.equal(body.end_user_id, named.body.id)
    assert.ok((await idsOf(test, `external_user_id=${user}`)).includes(id))
  }
  assert.equal(made.length, 40)
})
