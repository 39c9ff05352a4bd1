import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Environment, expectations, run } from './command-line.ts'
import { type Client, service, type World } from './harness.ts'

type Said = {
  author_side: string
  visibility: string
  delivery: { status: string } | null
  attachments: object[]
  email: { quoted: string | null; authentication: { verified: boolean } | null } | null
}

/* `demo` with few conversations; cli-demo.system.test.ts makes them all. */

const { succeed, json, refuse } = expectations(run)

describe('demo', { concurrency: 1 }, () => {
  const api = service({ works: true })
  let world: World
  let environment: Environment
  const environmentOf = ({ key }: Client) => ({
    BACKLINE_URL: api.url,
    BACKLINE_API_KEY: key,
    XDG_CONFIG_HOME: '/nonexistent',
  })
  before(async () => {
    world = await api.world()
    environment = environmentOf(world.test)
  })

  /** All conversations but those of mails, by what the demo decides about them. */
  async function conversationsOf(client: Client) {
    const { body } = await client.get('/v1/conversations?limit=100')
    assert.equal(body.has_more, false)
    return body.data
      .filter(({ external_id }: { external_id: string | null }) => external_id !== null)
      .map((each: Record<string, unknown>) => {
        const { external_id, subject, status, channel, priority, message_count, external_user_id, tags } =
          each
        return { external_id, subject, status, channel, priority, message_count, external_user_id, tags }
      })
      .sort((a: { external_id: string }, b: { external_id: string }) =>
        a.external_id < b.external_id ? -1 : 1,
      )
  }

  test('creates a desk with conversations in all states, and revokes its keys', async () => {
    const made = await json(environment, 'demo', '--conversations', '60')
    assert.deepEqual([made.conversations, made.existing, made.advanced_days], [60, 0, 0])
    const conversations = await conversationsOf(world.test)
    const messages = conversations.reduce(
      (sum: number, { message_count }: { message_count: number }) => sum + message_count,
      0,
    )
    assert.deepEqual([conversations.length, messages], [60, made.messages])
    const statuses = new Set(conversations.map(({ status }: { status: string }) => status))
    assert.deepEqual([...statuses].sort(), ['closed', 'new', 'on_hold', 'open', 'pending', 'resolved'])
    for (const path of [
      'departments',
      'operators',
      'categories',
      'macros',
      'hold_reasons',
      'sla_configs',
      'faqs',
    ]) {
      const { body } = await world.test.get(`/v1/${path}`)
      assert.ok(body.data.length >= 4, path)
    }
    const search = await world.test.get('/v1/kb/search?q=card')
    assert.ok(search.body.data.length >= 1)
    const keys = (await world.test.get('/v1/api_keys')).body.data
    const demo = keys.filter(({ name }: { name: string }) => name.startsWith('Demo: '))
    assert.equal(demo.length, 4)
    for (const { revoked_at } of demo) assert.notEqual(revoked_at, null)
  })

  test('mails arrive at a mailbox, and their answers are delivered or bounce, once', async () => {
    type Mail = { subject: string; status: string; conversation_id: string; end_user_id: string }
    const { data: mails } = (await world.test.get('/v1/inbound_emails?sort=created_at')).body
    const found = new Map<string, object>()
    for (const { subject, status, conversation_id } of mails as Mail[]) {
      const path = `/v1/conversations/${conversation_id}/messages?sort=sequence`
      const { data: messages } = (await world.test.get(path)).body
      const about = messages.map((message: Record<string, unknown>) => {
        const { author_side, visibility, delivery, attachments, email } = message as Said
        return [
          author_side,
          ...(visibility === 'internal' ? ['note'] : []),
          ...(email?.authentication?.verified === false ? ['unverified'] : []),
          ...(email?.quoted ? ['quoted'] : []),
          ...(attachments.length > 0 ? ['file'] : []),
          ...(delivery ? [delivery.status] : []),
        ].join(' ')
      })
      if (status === 'created') found.set(subject, about)
    }
    assert.deepEqual(Object.fromEntries(found), {
      'The invoice of October is missing': [
        'end_user',
        'operator delivered',
        'system note',
        'end_user quoted',
      ],
      'The export stops after a few rows': ['end_user file'],
      'New address for my parcel': ['end_user unverified', 'operator bounced'],
    })
    assert.deepEqual(mails.map(({ status }: Mail) => status).sort(), [
      'created',
      'created',
      'created',
      'threaded',
      'threaded',
    ])
  })

  test('a second run creates nothing, and one for more conversations only those', async () => {
    const before = await conversationsOf(world.test)
    assert.match(
      await succeed(environment, 'demo', '--conversations', '60'),
      /^Nothing to do: all 60 conversations of the seed 1 exist already\n$/,
    )
    assert.deepEqual(await conversationsOf(world.test), before)
    const more = await json(environment, 'demo', '--conversations', '70')
    assert.deepEqual([more.conversations, more.existing, more.objects], [10, 60, 0])
  })

  test('a run after operators were archived goes on with their colleagues', async () => {
    const { body } = await world.test.get('/v1/operators?limit=100')
    type Person = { id: string; email: string }
    const marta = body.data.find(({ email }: Person) => email.startsWith('marta.'))
    const billing = body.data.filter(({ email }: Person) => /^(dario|peter|sunita)\./.test(email))
    const archived: Person[] = [marta, ...billing]
    for (const { id } of archived)
      assert.equal((await world.test.patch(`/v1/operators/${id}`, { archived: true })).status, 200)
    const more = await json(environment, 'demo', '--conversations', '90')
    assert.deepEqual([more.conversations + more.existing, more.objects], [90, 0])
    const operators = await world.test.get('/v1/operators?limit=100&archived=true')
    assert.deepEqual(
      operators.body.data
        .flatMap((each: Person & { archived: boolean }) => (each.archived ? each.id : []))
        .sort(),
      archived.map(({ id }) => id).sort(),
    )
  })

  test('the same seed gives the same desk in another environment, also after an interruption', async () => {
    const other = await api.world()
    await other.test.post('/v1/departments', { name: 'BILLING' }) // one of the desk in another spelling
    // The first conversation, as a run that was stopped after its first message has left it.
    const { body } = await world.test.get('/v1/conversations?external_id=demo-1-0')
    const { external_user_id, external_id, subject, channel, priority, tags, language } = body.data[0]
    const messages = await world.test.get(`/v1/conversations/${body.data[0].id}/messages?sort=sequence`)
    const begun = { external_user_id, external_id, subject, channel, priority, tags, language }
    await other.test.post('/v1/conversations', { ...begun, message: { body: messages.body.data[0].body } })
    const made = await json(environmentOf(other.test), 'demo', '--conversations', '90')
    assert.deepEqual([made.conversations, made.existing], [89, 1])
    const withoutFirst = (all: { external_id: string }[]) =>
      all.filter((each) => each.external_id !== 'demo-1-0')
    assert.deepEqual(
      withoutFirst(await conversationsOf(other.test)),
      withoutFirst(await conversationsOf(world.test)),
    )
    const [first] = (await other.test.get('/v1/conversations?external_id=demo-1-0')).body.data
    assert.equal(first.message_count, messages.body.data.length)
  })

  test('with --days the conversations have a history, and the clock is ahead', async () => {
    const { test: client } = await api.world()
    const made = await json(environmentOf(client), 'demo', '--conversations', '40', '--days', '3')
    assert.equal(made.advanced_days, 3)
    assert.equal((await client.get('/v1/test_clock')).body.offset_seconds, 3 * 86_400)
    const { body } = await client.get('/v1/conversations?limit=100')
    const times = body.data.map(({ created_at }: { created_at: string }) => Date.parse(created_at))
    assert.ok(Math.max(...times) - Math.min(...times) > 2 * 86_400_000)
    const breaches = await client.get('/v1/events?types=conversation.sla_breached')
    assert.ok(breaches.body.data.length >= 1)
  })

  test('without the right to create keys, the own key does it all', async () => {
    const families = ['departments', 'operators', 'categories', 'tags', 'message_templates', 'hold_reasons']
    const more = [
      'sla_configs',
      'macros',
      'companies',
      'custom_fields',
      'kb',
      'faqs',
      'end_users',
      'conversations',
      'messages',
      'mailboxes',
      'inbound_emails',
      'workspace',
    ]
    const scopes = [...families, ...more].flatMap((family) => [`${family}:read`, `${family}:write`])
    const client = await world.withScopes(...scopes)
    const made = await json(environmentOf(client), 'demo', '--conversations', '3', '--seed', 'other')
    assert.equal(made.conversations, 3)
  })

  test('no mail arrives at a mailbox of the same address that is archived, or that sends mail', async () => {
    const smtp = { host: 'smtp.example.com', port: 465, security: 'tls' }
    for (const fields of [{ archived: true }, { outbound: 'smtp', smtp }]) {
      const { test: client } = await api.world()
      const box = { address: 'support@fernhill.example', ...fields }
      assert.equal((await client.post('/v1/mailboxes', box)).status, 201)
      assert.equal((await json(environmentOf(client), 'demo', '--conversations', '1')).conversations, 1)
      assert.deepEqual((await client.get('/v1/inbound_emails')).body.data, [])
    }
  })

  test('options out of range are refused', async () => {
    const says = (message: RegExp, ...args: string[]) => refuse(2, message, environment, 'demo', ...args)
    await says(
      /--conversations must be a whole number from 0 to 100000, not "many"/,
      '--conversations',
      'many',
    )
    await says(/--days must be a whole number from 0 to 365, not "366"/, '--days', '366')
    await says(/--seed must be 1 to 32 letters/, '--seed', 'a b')
  })
})
