import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import { eventOf, isAt, type SealedLog, sealed, sealedLog } from '@backline/test/audit.ts'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'

const does = (statement: Sql) => api.db.write(statement)

// No time at all: a request verifies one block, the minimum, and stops.
const api = service({ works: true, limits: { verifyWithinMs: 0 } })

/** The responses of all requests until one is complete, each continuing after the previous one. */
async function verifyInParts(client: Client, since?: string): Promise<Body[]> {
  const parts: Body[] = []
  for (let after: string | null = null; parts.at(-1)?.complete !== true; after = parts.at(-1)!.head) {
    const query = new URLSearchParams({ ...(since ? { since } : {}), ...(after ? { after } : {}) })
    parts.push(succeeded(await client.get(`/v1/audit_log/verify?${query}`)))
    assert.ok(parts.length < 20)
  }
  return parts
}

describe('a verification that has not time for the whole log', () => {
  let log: SealedLog
  let heads: string[]
  before(async () => {
    log = await sealedLog(api)
    const blocks = await api.db.rows<{ head: Buffer }>(
      sql`select head from audit_blocks where tenant_id = ${log.tenantId} order by number`,
    )
    heads = blocks.map(({ head }) => head.toString('hex'))
  })
  afterEach(() => log.restore())
  const ofLog = () => sql`tenant_id = ${log.tenantId}`
  const alter = (i: number) =>
    does(sql`update events set ip = '203.0.113.9' where ${ofLog()} and ${isAt(log.places[i]!)}`)

  test('is not valid, says up to which head it came, and is gone on with from there', async () => {
    const parts = await verifyInParts(log.client)
    const outcomes = parts.map(({ valid, complete, head, first_fault }) => [
      valid,
      complete,
      head,
      first_fault,
    ])
    const unfinished = heads.slice(0, -1).map((head) => [false, false, head, null])
    assert.deepEqual(outcomes.slice(0, -1), unfinished)
    assert.deepEqual(outcomes.at(-1), [true, true, heads.at(-1), null])
    const counts = parts.map(({ entries_checked }) => entries_checked)
    assert.deepEqual(
      counts,
      log.ends.map((end, i) => end - (log.ends[i - 1] ?? -1)),
    )
    for (const { sealed_through, unsealed } of parts)
      assert.deepEqual([sealed_through, unsealed], [await log.entryAt(log.places.at(-1)!), 0])
  })

  test('finds what was altered in the part where it is, and none of its parts is valid', async () => {
    for (const [i, last] of log.ends.entries()) {
      await alter(last)
      const parts = await verifyInParts(log.client)
      assert.equal(parts.length, i + 1)
      assert.ok(parts.every(({ valid }) => !valid))
      const entry_id = await log.entryAt(log.places[last]!)
      assert.deepEqual(parts.at(-1)!.first_fault, { entry_id, kind: 'altered' })
      await log.restore()
    }
  })

  test('finds every head that is kept elsewhere, in whichever part, and no other', async () => {
    for (const head of heads) {
      assert.equal((await verifyInParts(log.client, head)).at(-1)!.valid, true)
      // Later parts report it too, if an earlier part met it.
      const { valid } = succeeded(
        await log.client.get(`/v1/audit_log/verify?since=${head}&after=${heads.at(-1)}`),
      )
      assert.equal(valid, true)
    }
    const foreign = (await verifyInParts(log.client, 'ab'.repeat(32))).at(-1)!
    const first = { entry_id: await log.entryAt(log.places[0]!), kind: 'altered' }
    assert.deepEqual([foreign.valid, foreign.first_fault], [false, first])
  })

  test('goes on only from a head of the chain', async () => {
    const first = { entry_id: await log.entryAt(log.places[0]!), kind: 'altered' }
    const verifyAfter = async (head: string) => {
      const { valid, complete, first_fault } = succeeded(
        await log.client.get(`/v1/audit_log/verify?after=${head}`),
      )
      return { valid, complete, first_fault }
    }
    const refused = { valid: false, complete: true, first_fault: first }
    assert.deepEqual(await verifyAfter('ab'.repeat(32)), refused)
    assert.equal((await verifyAfter(heads.at(-1)!)).valid, true)
    // The last head, written over the first block, whose seals lead to another one.
    await does(
      sql`update audit_blocks set head = ${Buffer.from(heads.at(-1)!, 'hex')} where ${ofLog()} and number = 1`,
    )
    assert.deepEqual(await verifyAfter(heads.at(-1)!), refused)
    await log.restore()
    await does(sql`delete from audit_blocks where ${ofLog()} and number = 1`)
    assert.deepEqual(await verifyAfter(heads[1]!), refused)
    for (const after of ['', 'abc', 'g'.repeat(64)])
      assert.equal((await log.client.get(`/v1/audit_log/verify?after=${after}`)).status, 400)
  })

  test('does not stop behind an erasure that nothing explains: the next part would not know of it', async () => {
    const { test: client, environments } = await api.world()
    const { id } = await conversation(client)
    const { id: message } = await say(client, id, 'end_user', { body: 'My number is 4242' })
    const edited = succeeded(await client.patch(`/v1/messages/${message}`, { body: 'My number is 4343' }))
    assert.equal(edited.id, message)
    await sealed(client)
    succeeded(await client.post(`/v1/messages/${message}/redact`))
    await sealed(client)
    const [redaction, edit] = (await client.get(`/v1/audit_log?target_id=${message}`)).body.data
    await does(
      sql`delete from events where tenant_id = ${environments.test.tenantId} and id = ${eventOf(redaction)}`,
    )
    const { valid, complete, first_fault } = (await verifyInParts(client)).at(-1)!
    assert.deepEqual([valid, complete, first_fault.entry_id], [false, true, edit.id])
  })
})
