import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Backline, type FilterTree, ValidationError, where, whereEndUser } from '@backline/sdk/index.ts'
import { type Field, type Kind, operatorsOf } from '@backline/server/platform/lists/field.ts'
import { conversationFieldTable } from '@backline/server/support/desk/conversations/finding/fields.ts'
import { endUserFieldTable } from '@backline/server/support/people/end-users/finding/fields.ts'
import { service } from './harness.ts'

const api = service()

async function backline(): Promise<Backline> {
  const { test } = await api.world()
  return new Backline({ apiKey: test.key, baseUrl: api.url })
}

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** The member of a builder for a field of the API. */
function memberOf(builder: object, name: string): Record<string, (value: unknown) => unknown> {
  return name.split('.').reduce((part, member) => (part as Record<string, object>)[member]!, builder) as never
}

const values: Record<Kind, unknown> = {
  text: 'x',
  number: 1,
  time: '2026-11-20',
  id: 'op_x',
  enum: 'new',
  list: 'x',
  boolean: true,
  me: 'me',
}

describe('where', () => {
  for (const [name, builder, table] of [
    ['where', where, conversationFieldTable],
    ['whereEndUser', whereEndUser, endUserFieldTable],
  ] as const)
    test(`${name} has each field of the API with its operators`, () => {
      for (const [field, { kind }] of Object.entries<Field>(table)) {
        const member = memberOf(builder, field)
        for (const op of operatorsOf[kind]) {
          const value = op === 'exists' ? true : values[kind]
          const given = op === 'in' || op === 'not_in' ? [value] : value
          assert.deepEqual(member[camel(op)]!(given), { field, op, value: given })
        }
        const others = operatorsOf.text
          .concat(operatorsOf.time)
          .filter((op) => !operatorsOf[kind].includes(op))
        for (const op of others) assert.equal(member[camel(op)], undefined, `${field} ${op}`)
      }
    })

  test('combines filters, and writes times in RFC 3339', () => {
    const { all, any, not, status, customField, created_at, sla, assignee_id } = where
    const since = new Date('2026-11-20T09:30:00Z')
    assert.deepEqual(
      all(
        status.is('open'),
        any(customField('plan').in(['pro', 'team']), customField('seats').gte(10), created_at.gt(since)),
        not(sla.status.isNot('breached')),
        assignee_id.exists(false),
        where.endUserCustomField('since').lt(since),
        where.companyCustomField('areas').contains('a'),
      ),
      {
        all: [
          { field: 'status', op: 'is', value: 'open' },
          {
            any: [
              { field: 'custom_fields.plan', op: 'in', value: ['pro', 'team'] },
              { field: 'custom_fields.seats', op: 'gte', value: 10 },
              { field: 'created_at', op: 'gt', value: '2026-11-20T09:30:00.000Z' },
            ],
          },
          { not: { field: 'sla.status', op: 'is_not', value: 'breached' } },
          { field: 'assignee_id', op: 'exists', value: false },
          { field: 'end_user.custom_fields.since', op: 'lt', value: '2026-11-20T09:30:00.000Z' },
          { field: 'company.custom_fields.areas', op: 'contains', value: 'a' },
        ],
      },
    )
  })

  test('refuses values and operators of other kinds at compile time', () => {
    // @ts-expect-error: no status
    where.status.is('opened')
    // @ts-expect-error: a number
    where.message_count.gt('1')
    // @ts-expect-error: an id has no order
    assert.equal(where.assignee_id.gt, undefined)
    // @ts-expect-error: no field
    assert.equal(where.subjekt, undefined)
    // @ts-expect-error: no operator
    const tree: FilterTree = { field: 'status', op: 'equals', value: 'open' }
    assert.ok(tree)
  })
})

describe('lists', () => {
  test('take a filter as an object, as the builder makes it, and as JSON', async () => {
    const client = await backline()
    const one = await client.conversations.create({
      external_user_id: 'a',
      priority: 'high',
      subject: 'A & B, ü',
    })
    await client.conversations.create({ external_user_id: 'a', priority: 'low' })
    const built = where.all(where.priority.in(['high', 'urgent']), where.subject.startsWith('A & B, ü'))
    const plain = { all: [{ field: 'priority', op: 'is_not', value: 'low' } as const] }
    for (const filter of [built, plain, JSON.stringify(plain)]) {
      const { data } = await client.conversations.list({ filter, status: ['new', 'open'] })
      assert.deepEqual(
        data.map(({ id }) => id),
        [one.id],
      )
    }
  })

  test('of end users and of views take filters too', async () => {
    const client = await backline()
    const anna = await client.endUsers.create({ external_id: 'anna', language: 'de' })
    await client.endUsers.create({ external_id: 'ben' })
    const filter = whereEndUser.any(whereEndUser.language.is('de'), whereEndUser.status.is('blocked'))
    const { data } = await client.endUsers.list({ filter })
    const view = await client.views.create({ name: 'German', applies_to: 'end_user', filter })
    assert.deepEqual(view.filter, filter)
    const items = await client.views.items.list(view.id, { filter: whereEndUser.verified.is(false) })
    for (const found of [data, items.data])
      assert.deepEqual(
        found.map((each) => each.id),
        [anna.id],
      )
  })

  test('keep the filter over all pages', async () => {
    const client = await backline()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      const priority = i % 2 === 0 ? 'high' : 'low'
      const { id } = await client.conversations.create({ external_user_id: 'a', priority })
      if (priority === 'high') ids.push(id)
    }
    const found: string[] = []
    for await (const { id } of client.conversations.list({ filter: where.priority.is('high'), limit: 1 }))
      found.push(id)
    assert.deepEqual(found, ids.toReversed())
  })
})

test('webhook endpoints take filters, and all faults of one are in the error', async () => {
  const client = await backline()
  const url = 'https://hooks.example.com/backline'
  const filter = where.any(where.tags.contains('vip'), where.end_user.email.exists())
  const { id } = await client.webhookEndpoints.create({ url, filter })
  assert.deepEqual((await client.webhookEndpoints.retrieve(id)).filter, filter)
  assert.equal((await client.webhookEndpoints.update(id, { filter: null })).filter, null)
  const refused = (faulty: ReturnType<typeof where.all>, pointers: string[]) =>
    assert.rejects(client.webhookEndpoints.update(id, { filter: faulty }), (error) => {
      assert.ok(error instanceof ValidationError)
      assert.deepEqual(
        error.errors.map((each) => ('pointer' in each ? each.pointer : null)),
        pointers,
      )
      return true
    })
  const values = where.all(where.assignee_id.is('me'), where.created_at.within('soon'))
  await refused(values, ['/filter/all/0/value', '/filter/all/1/value'])
  const fields = where.all(where.customField('unknown').exists(), where.customField('gone').exists())
  await refused(fields, ['/filter/all/0/field', '/filter/all/1/field'])
})
