import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entriesOf, moreEvents, sealed, sealedLog, verificationOf } from '@backline/test/audit.ts'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { interceptHomes } from '@backline/test/intercept.ts'
import { rounds } from '@backline/test/thorough.ts'
import { changesDigest, entryDigest, firstLink, nextLink } from '../../../platform/journal/audit-chain.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service({ works: true })

describe('a log that nobody touched', () => {
  test('is valid, and says how far it is sealed', async () => {
    const log = await sealedLog(api)
    const { client, places, verify } = log
    const head = succeeded(await client.get('/v1/audit_log/head'))
    const last = await log.entryAt(places.at(-1)!)
    assert.deepEqual(await verify(), {
      object: 'audit_verification',
      valid: true,
      complete: true,
      entries_checked: places.length,
      sealed_through: last,
      unsealed: 0,
      head: head.head,
      first_fault: null,
    })
    assert.deepEqual(head, {
      object: 'audit_head',
      head: head.head,
      entry_id: last,
      sealed_at: head.sealed_at,
    })
    assert.match(head.head, /^[0-9a-f]{64}$/)
    assert.ok(head.sealed_at >= (await entriesOf(client))[0].created_at)
  })

  test('has the head that its entries lead to, as anyone can compute from an export', async () => {
    const { client, tenantId, verify } = await sealedLog(api)
    const text = (await client.get('/v1/audit_log/export')).text
    const entries: Body[] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const link = entries.reduce(
      (link, { changes, ...facts }) => nextLink(link, entryDigest(facts, changesDigest(changes))),
      firstLink(tenantId),
    )
    assert.equal(link.toString('hex'), (await verify()).head)
  })

  test('knows every head that it had', async () => {
    const { live } = await api.world()
    const heads: string[] = []
    for (let i = 0; i < 3; i++) {
      await conversation(live)
      heads.push((await sealed(live)).head)
    }
    assert.equal(new Set(heads).size, 3)
    for (const head of heads) {
      assert.equal((await verificationOf(live, head)).valid, true)
      assert.equal((await verificationOf(live, head.toUpperCase())).valid, true)
    }
    for (const since of ['', 'abc', `${heads[0]}0`, 'g'.repeat(64)]) {
      const { status, body } = await live.get(`/v1/audit_log/verify?since=${since}`)
      assert.equal(status, 400)
      assert.equal(body.code, 'invalid_query')
    }
  })

  test('has a chain of its own in each environment', async () => {
    const { live, test } = await api.world()
    const [one, other] = [await sealed(live), await sealed(test)]
    assert.notEqual(one.head, other.head)
    assert.equal((await verificationOf(test, one.head)).valid, false)
  })

  test('stays valid when messages are redacted, before or after their edits were sealed', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const edited = async () => {
      const { id: message } = await say(test, id, 'end_user', { body: 'My number is 4242' })
      succeeded(
        await test.patch(`/v1/messages/${message}`, { body: 'My number is 4343', metadata: { a: 'b' } }),
      )
      succeeded(await test.patch(`/v1/messages/${message}`, { body: 'My number is 4444' }))
      return message as string
    }
    const before = await edited()
    const { head } = await sealed(test)
    const meanwhile = await edited()
    for (const message of [meanwhile, before]) succeeded(await test.post(`/v1/messages/${message}/redact`))
    const { valid, entries_checked } = await sealed(test)
    const entries = await entriesOf(test)
    assert.deepEqual({ valid, entries_checked }, { valid: true, entries_checked: entries.length })
    assert.equal((await verificationOf(test, head)).valid, true)
    for (const message of [before, meanwhile]) {
      const [redaction, second, first, creation] = await entriesOf(test, { target_id: message })
      assert.deepEqual(Object.keys(redaction.changes), ['redacted_at'])
      assert.deepEqual(creation.changes.author_side, { from: null, to: 'end_user' })
      assert.ok(!('body' in creation.changes))
      assert.deepEqual(second.changes.body, { from: '', to: '' })
      assert.deepEqual(first.changes.body, { from: '', to: '' })
      assert.deepEqual(first.changes.metadata, { from: {}, to: { a: 'b' } })
    }
    const told = await api.db.rows<{ text: string }>(
      sql`select concat(object, previous, erased) as text from events where stream_id = (select conversation_id from messages where id = (
        select resource_id from events where type = 'message.redacted' order by position desc limit 1))`,
    )
    assert.ok(told.length > 6 && told.every(({ text }) => !text.includes('number')))
  })

  test('of many thousand entries is verified some at a time', async () => {
    const { live, environments } = await api.world()
    const { id } = await conversation(live)
    succeeded(await live.patch(`/v1/conversations/${id}`, { metadata: { note: 'x'.repeat(400) } }))
    await moreEvents(api, environments.live.tenantId, 2_000)
    await sealed(live)
    let most = 0
    const end = interceptHomes(api.db, ({ slowRows }) => ({
      slowRows: async (query) => {
        const rows = await slowRows(query)
        most = Math.max(most, rows.length)
        return rows as never
      },
    }))
    const { valid, entries_checked } = await verificationOf(live)
    end()
    assert.equal(valid, true)
    assert.ok(entries_checked > 2_000)
    assert.ok(most > 0 && most <= 500, `${most} rows at once`)
  })

  test('of long entries is verified in short turns of the event loop', async (t) => {
    const { live, environments } = await api.world()
    const { id } = await conversation(live)
    succeeded(await live.patch(`/v1/conversations/${id}`, { metadata: { note: 'x' } }))
    const long = sql`jsonb_build_object('metadata', jsonb_build_object('note', repeat('x', 100000)))`
    await api.db.write(sql`update events set object = object::jsonb || ${long}, previous = ${long}
      where tenant_id = ${environments.live.tenantId} and type = 'conversation.updated'`)
    await moreEvents(api, environments.live.tenantId, rounds(400, 100))
    await sealed(live)
    const longest = await longestTurn(() => verificationOf(live))
    t.diagnostic(`the longest turn took ${Math.round(longest)} ms`)
    assert.ok(longest < 60, `${longest} ms`)
  })

  test('is valid at every moment while it is written, sealed and redacted', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    let writing = true
    const write = async () => {
      while (writing) {
        const { id: message } = await say(test, id, 'end_user', { body: 'one' })
        succeeded(await test.patch(`/v1/messages/${message}`, { body: 'two' }))
        succeeded(await test.post(`/v1/messages/${message}/redact`))
      }
    }
    const writers = [write(), write(), write()]
    for (let i = 0; i < rounds(15, 5); i++) assert.deepEqual((await verificationOf(test)).first_fault, null)
    writing = false
    await Promise.all(writers)
    assert.equal((await sealed(test)).valid, true)
  })
})

/** The longest time that a turn of the event loop blocked this thread, in milliseconds of processor time. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let working = true
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
    if (working) setImmediate(look)
  }
  setImmediate(look)
  await work()
  working = false
  return longest
}
