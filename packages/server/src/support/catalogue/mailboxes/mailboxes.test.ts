import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import {
  createMailbox as create,
  faultsOf,
  mailbox,
  patchedMailbox as patched,
  pathOfMailbox as path,
} from '@backline/test/mailboxes.ts'
import { typeId } from '../../../platform/kernel/ids.ts'

const api = service()

const nowhere = (prefix: string) => typeId(prefix, '01990000-0000-7000-8000-000000000000')

async function template(client: Client, fields: object = {}): Promise<string> {
  return succeeded(
    await client.post('/v1/message_templates', { name: randomUUID(), body: 'Hello', ...fields }),
  ).id
}

async function department(client: Client, fields: object = {}): Promise<string> {
  return succeeded(await client.post('/v1/departments', { name: randomUUID(), ...fields })).id
}

test('a mailbox has the defaults of all that is left out', async () => {
  const { test: client } = await api.world()
  const made = await mailbox(client, { address: 'Support@Example.COM' })
  assert.partialDeepStrictEqual(made, {
    object: 'mailbox',
    address: 'support@example.com',
    aliases: [],
    from_name: null,
    signature: null,
    department_id: null,
    outbound: 'client',
    smtp: null,
    status: 'enabled',
    plus_addressing: true,
    trusted_authserv_ids: [],
    reply_to_senders: [],
    auto_reply: null,
    quote: 'none',
    attach_max_bytes: 10_485_760,
    rate_per_minute: 60,
    verified_at: null,
    archived: false,
    metadata: {},
    version: 1,
  })
  assert.match(made.id, /^mbx_/)
})

test('all that a client may set is shown as it was set, and changed by a PATCH', async () => {
  const { test: client } = await api.world()
  const given = {
    aliases: ['help@example.com'],
    from_name: '{{ operator.name }} from Example',
    signature: '*Example*',
    department_id: await department(client),
    outbound: 'client',
    status: 'paused',
    plus_addressing: false,
    trusted_authserv_ids: ['mx.example.com', '*.mail.example.com'],
    reply_to_senders: ['forms@example.com'],
    auto_reply: { template_id: await template(client), to: 'anyone' },
    quote: 'last',
    attach_max_bytes: 0,
    rate_per_minute: 6_000,
    metadata: { a: 'b' },
  }
  assert.partialDeepStrictEqual(await mailbox(client, given), given)
  const plain = await mailbox(client)
  const further = { ...given, aliases: ['further@example.com'] }
  assert.partialDeepStrictEqual(await patched(client, plain, further), { ...further, version: 2 })
  assert.equal((await patched(client, plain, further)).version, 2)
  const cleared = { from_name: null, signature: null, department_id: null, auto_reply: null }
  assert.partialDeepStrictEqual(await patched(client, plain, cleared), { ...cleared, version: 3 })
})

describe('addresses', () => {
  for (const [address, code] of [
    ['a+b@example.com', 'bad_format'],
    ['a@exam+ple.com', 'bad_format'],
    ['nobody', 'bad_format'],
    ['@example.com', 'bad_format'],
    ['a@', 'bad_format'],
    ['a b@example.com', 'bad_format'],
    ['a@b\r\nBcc: c@example.com', 'bad_format'],
    ['"a"@example.com', 'bad_format'],
    ['<a@example.com>', 'bad_format'],
    ['a,b@example.com', 'bad_format'],
    ['a@127.0.0.1', 'bad_format'],
    ['a@[127.0.0.1]', 'bad_format'],
    ['a@example.com/x', 'bad_format'],
    ['a@example..com', 'bad_format'],
    [`${'a'.repeat(243)}@example.com`, 'too_long'],
    [`${'a'.repeat(230)}@büüüüüüüücher.example`, 'too_long'],
  ] as const)
    test(`422 ${code} for ${address.slice(0, 40)}, as an address and as an alias`, async () => {
      const { test: client } = await api.world()
      assert.deepEqual(faultsOf(await create(client, { address })), [`/address ${code}`])
      const aliases = ['fine@example.com', address]
      assert.deepEqual(faultsOf(await create(client, { aliases })), [`/aliases/1 ${code}`])
      const made = await mailbox(client)
      assert.deepEqual(faultsOf(await client.patch(path(made), { aliases })), [`/aliases/1 ${code}`])
    })

  test('an address of 254 characters is accepted', async () => {
    const { test: client } = await api.world()
    const address = `${'a'.repeat(242)}@example.com`
    assert.equal((await mailbox(client, { address })).address, address)
  })

  test('the address cannot be changed', async () => {
    const { test: client } = await api.world()
    const made = await mailbox(client)
    const { status, body } = await client.patch(path(made), { address: 'other@example.com' })
    assert.equal(status, 422)
    assert.equal(body.errors[0].pointer, '/address')
  })

  test('409 with the owner and the field for an address or alias that another mailbox has, also an archived one', async () => {
    const { test: client, live } = await api.world()
    const owner = await mailbox(client, { address: 'Own@example.com', aliases: ['Alias@BÜCHER.example'] })
    await patched(client, owner, { archived: true })
    const other = await mailbox(client)
    const taken = ['OWN@example.com', 'alias@xn--bcher-kva.example']
    for (const address of taken)
      for (const [field, answer] of [
        ['address', await create(client, { address })],
        ['aliases', await create(client, { aliases: ['free@example.com', address] })],
        ['aliases', await client.patch(path(other), { aliases: ['free@example.com', address] })],
      ] as const) {
        assert.equal(answer.status, 409, answer.text)
        assert.equal(answer.body.code, 'already_exists')
        assert.deepEqual(answer.body.params, { id: owner.id, field })
      }
    // Another environment has addresses of its own, and what was refused has taken none.
    await mailbox(live, { address: 'own@example.com' })
    await mailbox(client, { address: 'free@example.com' })
  })

  test('422 for an alias that is repeated or the address itself', async () => {
    const { test: client } = await api.world()
    const aliases = ['a@example.com', 'b@example.com', 'A@EXAMPLE.com']
    assert.deepEqual(faultsOf(await create(client, { aliases })), ['/aliases/2 not_allowed'])
    const own = { address: 'Me@example.com', aliases: ['a@example.com', 'ME@example.com'] }
    assert.deepEqual(faultsOf(await create(client, own)), ['/aliases/1 not_allowed'])
    const made = await mailbox(client, { address: 'me@example.com' })
    const answer = await client.patch(path(made), { aliases: ['me@EXAMPLE.com'] })
    assert.deepEqual(faultsOf(answer), ['/aliases/0 not_allowed'])
  })

  test('an alias that is given up, and all addresses of a deleted mailbox, can be those of another one', async () => {
    const { test: client } = await api.world()
    const made = await mailbox(client, { address: 'one@example.com', aliases: ['two@example.com'] })
    await patched(client, made, { aliases: [] })
    const second = await mailbox(client, { address: 'two@example.com' })
    for (const each of [made, second]) assert.equal((await client.delete(path(each))).status, 204)
    await mailbox(client, { address: 'two@example.com', aliases: ['one@example.com'] })
  })

  test('aliases are replaced as a whole: their order alone is a change, and takes no other address', async () => {
    const { test: client } = await api.world()
    const made = await mailbox(client, { aliases: ['b@example.com', 'a@example.com'] })
    const aliases = ['a@example.com', 'b@example.com']
    assert.deepEqual((await patched(client, made, { aliases })).aliases, aliases)
  })

  test('one of ten mailboxes that are created at one time with crossing addresses and aliases', async () => {
    const { test: client } = await api.world()
    const [one, other] = ['one@example.com', 'other@example.com']
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        create(client, i % 2 ? { address: one, aliases: [other] } : { address: other, aliases: [one] }),
      ),
    )
    const [owner, ...others] = answers.filter(({ status }) => status === 201)
    assert.deepEqual(others, [])
    for (const { status, body, text } of answers.filter((each) => each !== owner)) {
      assert.equal(status, 409, text)
      assert.equal(body.params.id, owner!.body.id)
    }
  })
})

describe('from_name and signature', () => {
  for (const field of ['from_name', 'signature'])
    test(`422 bad_format for a ${field} that is no template`, async () => {
      const { test: client } = await api.world()
      const made = await mailbox(client)
      for (const text of ['{{ a', '{% if a %}', '{% include "a" %}']) {
        assert.deepEqual(faultsOf(await create(client, { [field]: text })), [`/${field} bad_format`])
        const answer = await client.patch(path(made), { [field]: text })
        assert.deepEqual(faultsOf(answer), [`/${field} bad_format`])
      }
    })

  test('422 too_long beyond 200 and 5,000 characters', async () => {
    const { test: client } = await api.world()
    const long = { from_name: 'a'.repeat(201), signature: 'a'.repeat(5_001) }
    assert.deepEqual(faultsOf(await create(client, long)), ['/from_name too_long', '/signature too_long'])
    await mailbox(client, { from_name: 'a'.repeat(200), signature: 'a'.repeat(5_000) })
  })
})

describe('references', () => {
  test('422 for a department and a template that are unknown, foreign or archived, all at once', async () => {
    const { test: client, live } = await api.world()
    const made = await mailbox(client)
    for (const [department_id, template_id, code] of [
      [nowhere('dept'), nowhere('tmpl'), 'not_found'],
      [await department(live), await template(live), 'not_found'],
      [
        await department(client, { archived: true }),
        await template(client, { archived: true }),
        'not_allowed',
      ],
    ] as const) {
      const fields = { department_id, auto_reply: { template_id } }
      const faults = [`/department_id ${code}`, `/auto_reply/template_id ${code}`]
      assert.deepEqual(faultsOf(await create(client, fields)), faults)
      assert.deepEqual(faultsOf(await client.patch(path(made), fields)), faults)
    }
  })

  test('one that is archived later is kept, and one in use cannot be deleted', async () => {
    const { test: client } = await api.world()
    const [department_id, template_id] = [await department(client), await template(client)]
    const made = await mailbox(client, { department_id, auto_reply: { template_id } })
    for (const used of [`/v1/departments/${department_id}`, `/v1/message_templates/${template_id}`]) {
      succeeded(await client.patch(used, { archived: true }))
      const { status, body } = await client.delete(used)
      assert.deepEqual([status, body.code], [409, 'resource_in_use'])
    }
    const kept = { department_id, auto_reply: { template_id, to: 'anyone' } }
    assert.partialDeepStrictEqual(await patched(client, made, kept), kept)
  })

  test('auto_reply is merged, and needs a template', async () => {
    const { test: client } = await api.world()
    const made = await mailbox(client)
    const to = { auto_reply: { to: 'anyone' } }
    assert.deepEqual(faultsOf(await client.patch(path(made), to)), ['/auto_reply/template_id required'])
    const template_id = await template(client)
    const auto_reply = { template_id, to: 'authenticated' }
    assert.deepEqual((await patched(client, made, { auto_reply: { template_id } })).auto_reply, auto_reply)
    assert.deepEqual((await patched(client, made, to)).auto_reply, { template_id, to: 'anyone' })
  })
})

test('422 at each authserv-id and form mailer that is malformed or repeated, and beyond their numbers', async () => {
  const { test: client } = await api.world()
  const ids = (...trusted_authserv_ids: string[]) => create(client, { trusted_authserv_ids })
  for (const wrong of ['', '*', '*.', 'a b', 'mx.*.example.com', '**.example.com', 'mx.example.com;', 'a..b'])
    assert.match(faultsOf(await ids('mx.example.com', wrong)).join(), /^\/trusted_authserv_ids\/1 /, wrong)
  assert.deepEqual(faultsOf(await ids('mx.example.com', 'MX.example.com')), [
    '/trusted_authserv_ids/1 not_allowed',
  ])
  assert.deepEqual(faultsOf(await ids(...Array.from({ length: 11 }, (_, i) => `mx${i}`))), [
    '/trusted_authserv_ids too_long',
  ])
  const senders = (...reply_to_senders: string[]) => create(client, { reply_to_senders })
  assert.deepEqual(faultsOf(await senders('forms', 'a@b.example')), ['/reply_to_senders/0 bad_format'])
  assert.deepEqual(faultsOf(await senders('a@b.example', 'A@b.example')), ['/reply_to_senders/1 not_allowed'])
  const many = (count: number) => Array.from({ length: count }, (_, i) => `a${i}@example.com`)
  assert.deepEqual(faultsOf(await senders(...many(21))), ['/reply_to_senders too_long'])
  assert.deepEqual(faultsOf(await create(client, { aliases: many(21) })), ['/aliases too_long'])
})
