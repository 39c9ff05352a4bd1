import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { canonicalJson } from '@backline/server/platform/kernel/json.ts'
import { sealed } from '@backline/test/audit.ts'
import { act, type Body, operator, say, shown, succeeded } from '@backline/test/desk.ts'
import { sessionOf, start, write } from '@backline/test/end-users.ts'
import { erase } from '@backline/test/erasures.ts'
import { file } from '@backline/test/files.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { run } from '@backline/test/jobs.ts'
import { placesOf } from '@backline/test/planted.ts'
import { until } from '@backline/test/processes.ts'
import { attempt, delivered, journalOf, webhookEndpoint } from '@backline/test/webhook-fixtures.ts'

const api = service({ works: true })

let people = 0

/** The facts about a person, each text only of this one. */
function person() {
  const own = `zebra${++people}x`
  return {
    externalId: `${own}external`,
    aliasId: `${own}alias`,
    name: `${own}name`,
    address: `${own}address@example.com`,
    phone: `+4930555${String(people).padStart(4, '0')}`,
    metadata: `${own}metadata`,
    field: `${own}field`,
    picture: `${own}picture`,
    subject: `${own}subject`,
    body: `${own}body`,
    edited: `${own}edited`,
    filename: `${own}filename`,
    bytes: `${own}bytes`,
    agent: `${own}agent`,
    reason: `${own}reason`,
    note: `${own}note`,
    joined: `${own}joined`,
    visitor: `${own}visitor`,
    browser: `${own}browser`,
    answer: `${own}answer`,
  }
}
type Person = ReturnType<typeof person>

/** Lets a person leave traces in all places where people leave some. */
async function traces(world: World, told: Person) {
  const { test } = world
  const alias = succeeded(
    await test.post('/v1/end_users', {
      external_id: told.aliasId,
      name: told.name,
      metadata: { plan: told.metadata },
    }),
  )
  const known = {
    name: told.name,
    phones: [told.phone],
    avatar_url: `https://example.com/${told.picture}.png`,
  }
  const headers = { 'idempotency-key': `made-${people}` }
  const input = {
    ...known,
    external_id: told.externalId,
    emails: [{ address: told.address, verified: true }],
    metadata: { plan: told.metadata },
    custom_fields: { nickname: told.field },
  }
  const eu = succeeded(await test.post('/v1/end_users', input, headers))
  succeeded(await test.post(`/v1/end_users/${alias.id}/merge`, { into_id: eu.id, keep_alias: true }))
  succeeded(await test.post(`/v1/end_users/${eu.id}/block`, { reason: told.reason }))
  succeeded(await test.post(`/v1/end_users/${eu.id}/unblock`))
  // The person came as a visitor once.
  const key = succeeded(await test.post('/v1/api_keys', { name: 'Page', kind: 'publishable' })).secret
  const began = await api
    .client(key)
    .post('/v1/end_user_sessions/anonymous', { name: told.visitor }, { 'user-agent': told.browser })
  const visitor = succeeded(began).end_user_id
  succeeded(await test.post(`/v1/end_users/${visitor}/merge`, { into_id: eu.id }))
  const session = await sessionOf(api, world, eu.id)
  const page: Client = {
    ...session,
    post: (path, body, more = {}) => session.post(path, body, { 'user-agent': told.agent, ...more }),
  }
  const attached = await file(api, page, {
    path: '/v1/me/files',
    bytes: Buffer.from(told.bytes),
    filename: `${told.filename}.txt`,
    content_type: 'text/plain',
  })
  const { id } = await start(page, {
    subject: told.subject,
    message: { body: told.body, attachments: [{ file_id: attached.id }] },
    custom_fields: { nick: told.field },
  })
  succeeded(await test.patch(`/v1/conversations/${id}`, { metadata: { plan: told.metadata } }))
  const posted = { author_side: 'end_user', body: told.body, metadata: { plan: told.metadata } }
  const postHeaders = { 'idempotency-key': `posted-${people}` }
  const message = succeeded(await test.post(`/v1/conversations/${id}/messages`, posted, postHeaders))
  succeeded(await test.patch(`/v1/messages/${message.id}`, { body: told.edited }))
  await say(test, id, 'operator', { body: 'We look into it.' })
  await say(test, id, 'operator', {
    body: `Dear ${told.name}`,
    send_at: new Date(api.now() + 3_600_000).toISOString(),
  })
  const hold = succeeded(await test.post('/v1/hold_reasons', { name: `Waits for ${people}` }))
  await act(test, id, 'hold', { hold_reason_id: hold.id, note: told.note })
  succeeded(await test.patch(`/v1/conversations/${id}`, { subject: `${told.subject} again` }))
  // A dry run tells what it would overwrite.
  await run(test, '/v1/bulk', {
    selection: { ids: [id] },
    actions: [{ type: 'set_custom_field', key: 'nick', value: 'other' }],
    dry_run: true,
  })
  // Somebody else's conversation, in which the person took part.
  const other = succeeded(await test.post('/v1/conversations', { external_user_id: `friend${people}` }))
  succeeded(await test.put(`/v1/conversations/${other.id}/participants/${eu.id}`))
  await write(page, other.id, { body: told.joined })
  succeeded(await test.delete(`/v1/conversations/${other.id}/participants/${eu.id}`))
  const article = succeeded(
    await test.post('/v1/kb/articles', { slug: `a${people}`, locale: 'en', title: 'A', body: 'B' }),
  )
  succeeded(await test.post(`/v1/kb/articles/${article.id}/publish`))
  succeeded(
    await test.post(`/v1/kb/articles/${article.id}/feedback`, {
      helpful: true,
      external_user_id: told.externalId,
    }),
  )
  // A receiver of webhooks repeats what it was sent.
  const endpoint = await webhookEndpoint(test, { enabled_events: ['tag.merged'] })
  const answer = attempt({ response_body: `${told.answer} ${told.name}` })
  const journal = await journalOf(api, world.environments.test)
  for (const event of journal.filter(({ type }) => type === 'message.created'))
    await delivered(api, world.environments.test, endpoint.id, event, 'failed', [answer])
  return {
    ...{ visitor, eu, alias, page, id, message, other, article },
    replays: () => [
      test.post('/v1/end_users', input, headers),
      test.post(`/v1/conversations/${id}/messages`, posted, postHeaders),
    ],
  }
}

/** An environment with custom fields and a webhook endpoint, whose receiver is away. */
async function worldWithFields(): Promise<World> {
  const world = await api.world()
  const define = (body: object) =>
    world.test.post('/v1/custom_fields', { name: 'Nick', type: 'text', ...body })
  succeeded(await define({ applies_to: 'end_user', key: 'nickname', indexed: true }))
  succeeded(
    await define({ applies_to: 'conversation', key: 'nick', end_user_access: 'write', indexed: true }),
  )
  return world
}

const textsOf = (told: Person): string[] => Object.values(told)
const foundOf = (places: string[]) => new Set(places.map((place) => place.split(': ')[1]!))

/** Bytes of files are removed right after the commit. */
async function isGone(told: Person): Promise<void> {
  await until(
    'the bytes are gone',
    async () => !(await placesOf(api, [told.bytes])).some((place) => place.startsWith('file')),
  )
  const places = await placesOf(api, textsOf(told))
  assert.deepEqual(places, [])
}

describe('a person who is erased', () => {
  for (const crashes of [false, true])
    test(`is in no table and no file any more${crashes ? ', although each piece of the work was lost once' : ''}`, async () => {
      const world = await worldWithFields()
      const { test, environments } = world
      const told = person()
      const { visitor, eu, alias, page, id, message, other, article, replays } = await traces(world, told)
      const bystander = person()
      const others = await traces(world, bystander)
      assert.deepEqual([...foundOf(await placesOf(api, textsOf(told)))].sort(), textsOf(told).toSorted())
      const planted = await placesOf(api, textsOf(bystander))
      assert.ok(planted.includes(`job_results: ${bystander.field}`), planted.join())
      const before = planted.filter((place) => !place.startsWith('job_results: '))

      const erased = await erase(api, environments.test, eu.id, 'anonymise', { crashes })
      await isGone(told)
      assert.deepEqual(
        await placesOf(api, textsOf(bystander)),
        before,
        'nobody else has lost anything but previews',
      )
      succeeded(await test.get(`/v1/end_users/${others.eu.id}`))

      const { status, external_id, name, emails, metadata } = succeeded(
        await test.get(`/v1/end_users/${eu.id}`),
      )
      assert.deepEqual(
        { status, external_id, name, emails, metadata },
        { status: 'erased', external_id: null, name: null, emails: [], metadata: {} },
      )
      assert.equal(succeeded(await test.get(`/v1/end_users/${alias.id}`)).status, 'erased')
      const conversation = await shown(test, id)
      assert.partialDeepStrictEqual(conversation, {
        end_user_id: eu.id,
        external_user_id: null,
        subject: null,
        metadata: {},
      })
      const { data: messages } = succeeded(await test.get(`/v1/conversations/${id}/messages`))
      assert.deepEqual(
        messages.map(({ body }: Body) => body),
        ['', '', 'We look into it.'],
      )
      assert.deepEqual(succeeded(await test.get(`/v1/conversations/${id}/messages?scheduled=true`)).data, [])
      assert.notEqual(succeeded(await test.get(`/v1/messages/${message.id}`)).redacted_at, null)
      assert.deepEqual((await shown(test, other.id)).participant_ids, [])
      assert.equal(succeeded(await test.get(`/v1/kb/articles/${article.id}`)).helpful_count, 1)
      assert.equal((await page.get('/v1/me')).status, 401)

      assert.equal((await sealed(test)).valid, true)
      for (const { status, text } of await Promise.all(replays())) {
        assert.ok(status < 300, text)
        for (const each of textsOf(told)) assert.equal(text.includes(each), false, text)
      }
      const { data: events } = succeeded(await test.get('/v1/events?types=end_user.erased'))
      assert.deepEqual(
        events.map(({ data }: Body) => data),
        [eu.id, alias.id, visitor]
          .map((id) => ({ object: { id }, previous: {} }))
          .toSorted((one, two) => (one.object.id < two.object.id ? -1 : 1)),
      )
      const certificate = succeeded(await test.get(`/v1/erasures/${erased.id}`))
      const { sha256, ...unsigned } = certificate
      assert.equal(sha256, createHash('sha256').update(canonicalJson(unsigned)).digest('hex'))
      assert.deepEqual([certificate.end_user_id, certificate.mode], [eu.id, 'anonymise'])
      assert.partialDeepStrictEqual(certificate.counts, {
        end_users: 3,
        end_user_addresses: 2,
        conversations: 1,
        messages: 3,
        votes: 1,
      })
      assert.deepEqual(succeeded(await test.get(`/v1/erasures?end_user_id=${eu.id}`)).data, [certificate])
    })

  test('cannot come back, and the external id is free', async () => {
    const world = await worldWithFields()
    const { test, environments } = world
    const { id } = succeeded(await test.post('/v1/end_users', { external_id: 'user_9', name: 'Nine' }))
    const old = succeeded(await test.post('/v1/conversations', { end_user_id: id }))
    await erase(api, environments.test, id)
    const refusals = await Promise.all([
      test.post('/v1/end_user_sessions', { end_user_id: id }),
      test.post('/v1/conversations', { end_user_id: id }),
      test.patch(`/v1/end_users/${id}`, { name: 'Nine' }),
      test.put(`/v1/end_users/${id}/legal_hold`, { reason: 'Late' }),
      test.post(`/v1/conversations/${old.id}/messages`, { author_side: 'end_user', body: 'It is me.' }),
    ])
    assert.deepEqual(
      refusals.map(({ status }) => status),
      [422, 422, 409, 409, 409],
    )
    const next = succeeded(await test.post('/v1/conversations', { external_user_id: 'user_9' }))
    assert.notEqual(next.end_user_id, id)
  })

  test('is refused under a legal hold, and after a merge', async () => {
    const { test, environments } = await api.world()
    const [one, two] = [
      succeeded(await test.post('/v1/end_users', { name: 'One' })),
      succeeded(await test.post('/v1/end_users', { name: 'Two' })),
    ]
    succeeded(await test.put(`/v1/end_users/${one.id}/legal_hold`, { reason: 'Case 7' }))
    await assert.rejects(erase(api, environments.test, one.id), { code: 'legal_hold' })
    succeeded(await test.post(`/v1/end_users/${one.id}/merge`, { into_id: two.id }))
    assert.equal(succeeded(await test.get(`/v1/end_users/${two.id}`)).legal_hold.reason, 'Case 7')
    await assert.rejects(erase(api, environments.test, one.id), { code: 'identity_conflict' })
    await assert.rejects(erase(api, environments.test, two.id), { code: 'legal_hold' })
  })

  test('takes the conversations along, if that is asked for', async () => {
    const world = await worldWithFields()
    const { test, environments } = world
    const told = person()
    const { eu, id, other } = await traces(world, told)
    const member = await operator(test)
    assert.ok(member)
    const { counts } = await erase(api, environments.test, eu.id, 'delete', { crashes: true })
    await isGone(told)
    assert.equal((await test.get(`/v1/conversations/${id}`)).status, 404)
    assert.equal((await shown(test, other.id)).end_user_id === eu.id, false)
    assert.equal(counts.conversations, 1)
    assert.equal((await sealed(test)).valid, true)
  })
})
