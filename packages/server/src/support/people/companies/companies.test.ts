import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Answer, type Client, clientOf, service } from '@backline/test/harness.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'

const api = service()

const company = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await client.post('/v1/companies', { name: 'Acme', ...fields }))
const put = (client: Client, externalId: string, body: object, headers = {}) =>
  client.put(`/v1/companies/external/${encodeURIComponent(externalId)}`, body, headers)
const namesFor = async (client: Client, query: string): Promise<string[]> =>
  succeeded(await client.get(`/v1/companies?${query}`)).data.map(({ name }: Body) => name)
const faultsOf = ({ status, body }: Answer) => {
  assert.equal(status, 422, JSON.stringify(body))
  return body.errors.map(({ pointer, code }: Body) => `${pointer} ${code}`)
}

describe('domains', () => {
  test('are shown in lower case and ASCII, and belong to one company', async () => {
    const { test } = await api.world()
    const { id, domains } = await company(test, { domains: ['ACME.example', 'Bücher.example'] })
    assert.deepEqual(domains, ['acme.example', 'xn--bcher-kva.example'])
    const { status, body } = await test.post('/v1/companies', { name: 'B', domains: ['BÜCHER.example'] })
    assert.deepEqual([status, body.code, body.params], [409, 'already_exists', { id, field: 'domains' }])
    succeeded(await test.patch(`/v1/companies/${id}`, { domains: ['acme.example'] }))
    await company(test, { domains: ['bücher.example'] })
  })

  test('pass on to another company when theirs is deleted', async () => {
    const { test } = await api.world()
    const { id } = await company(test, { domains: ['acme.example'] })
    assert.equal((await test.delete(`/v1/companies/${id}`)).status, 204)
    await company(test, { domains: ['acme.example'] })
  })

  test('are host names, each once: 422 at each that is not', async () => {
    const { test } = await api.world()
    const refused = async (...domains: string[]) =>
      faultsOf(await test.post('/v1/companies', { name: 'Acme', domains }))
    const long = `${'a'.repeat(63)}.`.repeat(4)
    for (const wrong of ['a..b', '-a.example', 'a-.example', 'a.example.', '127.0.0.1', '0x7f.1', 'a.1'])
      assert.deepEqual(await refused('fine.example', wrong), ['/domains/1 bad_format'], wrong)
    for (const wrong of ['a b.example', 'https://a.example', 'a@b.example', 'a_b.example', '', `${long}a`])
      assert.deepEqual(await refused('fine.example', wrong).then((all) => all.length), 1, wrong)
    assert.deepEqual(await refused('a.example', 'b.example', 'A.example'), ['/domains/2 not_allowed'])
  })

  test('two companies that take one domain at the same time: one has it, the other is told whose it is', async () => {
    const { test } = await api.world()
    for (let round = 0; round < 5; round++) {
      const domains = [`d${round}.example`]
      const answers = await Promise.all(
        [1, 2, 3].map((i) => test.post('/v1/companies', { name: `Acme ${i}`, domains })),
      )
      const [owner, ...others] = answers.filter(({ status }) => status === 201)
      assert.deepEqual(others, [])
      for (const { status, body } of answers.filter((each) => each !== owner))
        assert.deepEqual([status, body.params], [409, { id: owner!.body.id, field: 'domains' }])
    }
  })
})

describe('external ids', () => {
  test('are unique; one that is set cannot be changed or removed', async () => {
    const { test } = await api.world()
    const { id } = await company(test)
    const patch = (external_id: string | null) => test.patch(`/v1/companies/${id}`, { external_id })
    assert.equal(succeeded(await patch('crm 1')).external_id, 'crm 1')
    assert.equal(succeeded(await patch('crm 1')).version, 2)
    for (const other of ['crm 2', null])
      assert.deepEqual(faultsOf(await patch(other)), ['/external_id not_allowed'])
    const { status, body } = await test.post('/v1/companies', { name: 'B', external_id: 'crm 1' })
    assert.deepEqual([status, body.params], [409, { id, field: 'external_id' }])
  })

  test('PUT creates once and then merges, and a repetition changes nothing', async () => {
    const { test } = await api.world()
    const name = 'é/?# %2F&\t日本'
    const created = await put(test, name, { name: 'Acme', metadata: { a: '1', b: null } })
    assert.equal(created.status, 201, created.text)
    const { id, external_id, metadata } = created.body
    assert.deepEqual([external_id, metadata], [name, { a: '1' }])
    assert.equal(created.headers.get('location'), `/v1/companies/${id}`)
    const changed = await put(test, name, { domains: ['acme.example'], metadata: { b: '2' } })
    assert.deepEqual([changed.status, changed.headers.get('location')], [200, null])
    assert.deepEqual(
      [changed.body.id, changed.body.name, changed.body.metadata, changed.headers.get('etag')],
      [id, 'Acme', { a: '1', b: '2' }, '"2"'],
    )
    const same = await put(test, name, { name: 'Acme' })
    assert.deepEqual([same.status, same.text], [200, changed.text])
    const { data } = (await test.get(`/v1/events?resource_id=${id}`)).body
    assert.deepEqual(
      data.map(({ type }: Body) => type),
      ['company.created', 'company.updated'],
    )
  })

  test('PUT of a new company needs a name', async () => {
    const { test } = await api.world()
    assert.deepEqual(faultsOf(await put(test, 'x', {})), ['/name required'])
    assert.deepEqual(faultsOf(await put(test, 'x', { name: 'X', external_id: 'x' })), [
      '/external_id unknown_field',
    ])
  })

  test('a path text of an invalid length or form is 400 at its parameter', async () => {
    const { test } = await api.world()
    for (const [text, code] of [
      ['x'.repeat(256), 'too_long'],
      ['\0', 'bad_format'],
    ] as const) {
      const { status, body } = await put(test, text, { name: 'Acme' })
      const [{ parameter, code: found }] = body.errors
      assert.deepEqual([status, body.code, parameter, found], [400, 'invalid_query', 'external_id', code])
    }
    assert.equal((await put(test, '', { name: 'Acme' })).status, 404)
    assert.equal((await put(test, '\u{1f600}'.repeat(255), { name: 'Acme' })).status, 201)
    const broken = await test.put('/v1/companies/external/%ff', { name: 'Acme' })
    assert.deepEqual([broken.status, broken.body.code], [400, 'bad_request'])
  })

  test('PUT obeys If-Match, also while there is no company', async () => {
    const { test } = await api.world()
    for (const tag of ['*', '"1"']) {
      const { status, body } = await put(test, 'x', { name: 'Acme' }, { 'if-match': tag })
      assert.deepEqual([status, body.code, body.params.etag], [412, 'precondition_failed', null])
    }
    succeeded(await put(test, 'x', { name: 'Acme' }))
    const stale = await put(test, 'x', { name: 'B' }, { 'if-match': '"2"' })
    assert.deepEqual([stale.status, stale.headers.get('etag')], [412, '"1"'])
    assert.equal((await put(test, 'x', { name: 'B' }, { 'if-match': '"1"' })).status, 200)
  })

  test('a replay of a PUT has the status and location of the first response', async () => {
    const { test } = await api.world()
    const headers = { 'idempotency-key': 'put 1' }
    const first = await put(test, 'x', { name: 'Acme' }, headers)
    succeeded(await put(test, 'x', { name: 'B' }))
    const replay = await put(test, 'x', { name: 'Acme' }, headers)
    assert.deepEqual([replay.status, replay.text], [201, first.text])
    assert.equal(replay.headers.get('location'), first.headers.get('location'))
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  })
})

describe('beside another process', () => {
  let otherUrl = ''
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  test('of many PUTs of a new id one creates the company and the others change it', async () => {
    const { test } = await api.world()
    const clients = [test, clientOf(otherUrl, test.key)]
    for (let round = 0; round < 10; round++) {
      const domains = [`d${round}.example`]
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          put(clients[i % 2]!, `x${round}`, { name: 'Acme', domains, metadata: { [`k${i}`]: 'v' } }),
        ),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(7).fill(200), 201])
      const { data } = succeeded(await test.get(`/v1/companies?external_id=x${round}`))
      assert.equal(Object.keys(data[0].metadata).length, 8)
      assert.equal(data[0].version, 8)
    }
  })

  test('PUTs beside deletions of the company create or change it, and nothing else', async () => {
    const { test } = await api.world()
    const other = clientOf(otherUrl, test.key)
    for (let round = 0; round < 10; round++) {
      const { id } = (await put(test, 'x', { name: 'Acme' })).body
      const [gone, ...answers] = await Promise.all([
        other.delete(`/v1/companies/${id}`),
        put(test, 'x', { name: `a${round}` }),
        put(other, 'x', { name: `b${round}` }),
      ])
      assert.equal(gone.status, 204)
      for (const { status, text } of answers) assert.ok(status === 200 || status === 201, text)
    }
  })
})

test('lists find companies by domain, external id, and the beginnings of words', async () => {
  const { test } = await api.world()
  await company(test, { name: 'Zwölf Böcke', domains: ['boecke.example'], external_id: 'crm-7' })
  await company(test, { name: 'Acme International', domains: ['acme.example', 'bücher.example'] })
  await company(test, { name: 'Old Acme', archived: true })
  assert.deepEqual(await namesFor(test, ''), ['Acme International', 'Zwölf Böcke'])
  assert.deepEqual(await namesFor(test, 'sort=-created_at&archived=true'), [
    'Old Acme',
    'Acme International',
    'Zwölf Böcke',
  ])
  assert.deepEqual(await namesFor(test, 'domain=ACME.example'), ['Acme International'])
  assert.deepEqual(await namesFor(test, 'domain=B%C3%9CCHER.example'), ['Acme International'])
  assert.deepEqual(await namesFor(test, 'domain=a..b'), [])
  assert.deepEqual(await namesFor(test, 'external_id=crm-7'), ['Zwölf Böcke'])
  assert.deepEqual(await namesFor(test, 'external_id=CRM-7'), [])
  for (const q of ['zwolf', 'bocke+zw', 'crm', 'boecke.ex', 'zwölf 7'])
    assert.deepEqual(await namesFor(test, `q=${q}`), ['Zwölf Böcke'], q)
  assert.deepEqual(await namesFor(test, 'q=acme'), ['Acme International'])
  for (const q of ['nothing', 'olf', '%2B', 'acme+zwolf'])
    assert.deepEqual(await namesFor(test, `q=${q}`), [])
  const foreign = await api.world()
  assert.deepEqual(await namesFor(foreign.test, 'q=acme'), [])
  assert.deepEqual(await namesFor(foreign.test, 'domain=acme.example'), [])
})

describe('custom fields of companies', () => {
  async function withFields() {
    const { test } = await api.world()
    const define = async (body: object) =>
      succeeded(
        await test.post('/v1/custom_fields', {
          applies_to: 'company',
          name: 'A field',
          type: 'text',
          ...body,
        }),
      )
    await define({ key: 'plan' })
    await define({ key: 'seats', type: 'number' })
    await define({ key: 'tier', applies_to: 'end_user' })
    return { test, define }
  }

  test('are set by a create, and changed key by key by a patch and an upsert', async () => {
    const { test } = await withFields()
    const { id, custom_fields } = await company(test, { custom_fields: { seats: 3, plan: 'pro' } })
    assert.deepEqual(custom_fields, { plan: 'pro', seats: 3 })
    const patched = succeeded(await test.patch(`/v1/companies/${id}`, { custom_fields: { seats: null } }))
    assert.deepEqual([patched.custom_fields, patched.version], [{ plan: 'pro' }, 2])
    const same = succeeded(await test.patch(`/v1/companies/${id}`, { custom_fields: { plan: 'pro' } }))
    assert.equal(same.version, 2)
    const made = await put(test, 'crm-1', { name: 'Acme', custom_fields: { plan: 'free', seats: null } })
    assert.deepEqual([made.status, made.body.custom_fields], [201, { plan: 'free' }])
    const upserted = await put(test, 'crm-1', { custom_fields: { seats: 5 } })
    assert.deepEqual([upserted.status, upserted.body.custom_fields], [200, { plan: 'free', seats: 5 }])
    assert.deepEqual(succeeded(await put(test, 'crm-1', { custom_fields: null })).custom_fields, {})
    const { data } = succeeded(await test.get('/v1/companies?sort=created_at'))
    assert.deepEqual(
      data.map((each: Body) => each.custom_fields),
      [{ plan: 'pro' }, {}],
    )
  })

  test('that are unknown or of other objects, and wrong values, are faults with their pointers', async () => {
    const { test } = await withFields()
    const { id } = await company(test, {})
    const fields = { tier: 'gold', 'a/b': null, seats: '3' }
    const faults = [
      '/custom_fields/tier unknown_field',
      '/custom_fields/a~1b unknown_field',
      '/custom_fields/seats wrong_type',
    ]
    for (const answer of [
      await test.post('/v1/companies', { name: 'Acme', custom_fields: fields }),
      await put(test, 'x', { name: 'Acme', custom_fields: fields }),
      await test.patch(`/v1/companies/${id}`, { custom_fields: fields }),
    ])
      assert.deepEqual(faultsOf(answer), faults)
  })

  test('that are archived keep their values, which can be cleared and not be set', async () => {
    const { test } = await withFields()
    const { id } = await company(test, { custom_fields: { plan: 'pro', seats: 1 } })
    const { data } = succeeded(await test.get('/v1/custom_fields?applies_to=company'))
    for (const each of data) succeeded(await test.patch(`/v1/custom_fields/${each.id}`, { archived: true }))
    const patch = (custom_fields: object) => test.patch(`/v1/companies/${id}`, { custom_fields })
    assert.deepEqual(faultsOf(await patch({ plan: 'free' })), ['/custom_fields/plan not_allowed'])
    assert.deepEqual(succeeded(await patch({ plan: 'pro', seats: null })).custom_fields, { plan: 'pro' })
  })
})

test('counts each end user once, also after a merge, and cannot be deleted while there are any', async () => {
  const { test } = await api.world()
  const { id } = await company(test, { domains: ['acme.example'] })
  const endUser = async (external_id: string | null): Promise<Body> =>
    succeeded(await test.post('/v1/end_users', { external_id, company_ids: [id] }))
  const counted = async () => {
    const { end_user_count, version } = succeeded(await test.get(`/v1/companies/${id}`))
    assert.deepEqual((await test.get('/v1/companies')).body.data[0].end_user_count, end_user_count)
    return [end_user_count, version]
  }
  const [ada, adaAgain] = [await endUser('ada'), await endUser(null)]
  assert.deepEqual(await counted(), [2, 1])
  succeeded(await test.post(`/v1/end_users/${adaAgain.id}/merge`, { into_id: ada.id }))
  assert.deepEqual(await counted(), [1, 1])
  const remove = () => test.delete(`/v1/companies/${id}`)
  const { status, body } = await remove()
  assert.deepEqual([status, body.code, body.params], [409, 'resource_in_use', { hint: 'archive' }])
  succeeded(await test.patch(`/v1/end_users/${ada.id}`, { company_ids: [] }))
  assert.deepEqual(await counted(), [0, 1])
  assert.equal((await remove()).status, 204)
})

test('409 for deleting a company that a conversation refers to', async () => {
  const { test } = await api.world()
  const { id } = await company(test)
  const { id: endUserId } = succeeded(await test.post('/v1/end_users', { company_ids: [id] }))
  const { id: conversationId } = succeeded(
    await test.post('/v1/conversations', { end_user_id: endUserId, company_id: id }),
  )
  succeeded(await test.patch(`/v1/end_users/${endUserId}`, { company_ids: [] }))
  assert.equal((await test.delete(`/v1/companies/${id}`)).status, 409)
  succeeded(await test.patch(`/v1/conversations/${conversationId}`, { company_id: null }))
  assert.equal((await test.delete(`/v1/companies/${id}`)).status, 204)
})
