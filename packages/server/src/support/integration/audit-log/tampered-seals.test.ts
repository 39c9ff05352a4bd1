import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import { isAt as at, type SealedLog, sealed, sealedLog } from '@backline/test/audit.ts'
import { conversation } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { firstLink, nextLink } from '../../../platform/journal/audit-chain.ts'
import { justAfter } from '../../../platform/journal/positions.ts'
import { comma, join, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { everything, findBlocks, findEntries } from './queries.ts'
import { readSeals, type Seal, sealOf, sealWriter } from './seals.ts'

const api = service({ works: true })
const does = (statement: Sql) => api.db.write(statement)

function writeSeals(seals: Seal[]): Buffer {
  const writer = sealWriter(seals.length)
  for (const seal of seals) writer.add(seal)
  return writer.written()
}

describe('what was done to the seals', () => {
  let log: SealedLog
  before(async () => {
    log = await sealedLog(api)
  })
  afterEach(() => log.restore())

  const ofLog = () => sql`tenant_id = ${log.tenantId}`
  const fault = async () => (await log.verify()).first_fault
  const entry = async (i: number) => (log.places[i] ? log.entryAt(log.places[i]) : null)
  /** The number of the first entry of a block. */
  const startOf = (number: number) => (number === 1 ? 0 : log.ends[number - 2]! + 1)
  /** The number of a block with several entries, after the first block and before the last one. */
  const ofSeveral = () =>
    log.ends.findIndex((end, i) => i > 0 && i < log.ends.length - 1 && end > log.ends[i - 1]! + 1) + 1
  const removeEntries = (from: number, to: number) =>
    does(
      sql`delete from events where ${ofLog()} and (epoch, position, ordinal) in (${join(
        log.places
          .slice(from, to)
          .map(
            ({ epoch, position, ordinal }) =>
              sql`(${epoch}::integer, ${position}::text::xid8, ${ordinal}::integer)`,
          ),
        comma,
      )})`,
    )

  test('a block altered, whatever of it: named by its first entry', async () => {
    const alterations = [
      sql`head = sha256('other')`,
      sql`head = ''`,
      sql`entries = set_byte(entries, octet_length(entries) - 1, 255 - get_byte(entries, octet_length(entries) - 1))`,
      sql`entries = substring(entries for octet_length(entries) - 48)`,
      sql`entries = substring(entries for octet_length(entries) - 1)`,
      sql`entries = ''`,
      sql`entries = entries || entries`,
    ]
    for (const number of [1, 2, log.ends.length]) {
      for (const alteration of alterations) {
        await does(sql`update audit_blocks set ${alteration} where ${ofLog()} and number = ${number}`)
        assert.deepEqual(await fault(), { entry_id: await entry(startOf(number)), kind: 'altered' })
        await log.restore()
      }
    }
    for (const place of [
      sql`epoch = 0`,
      sql`epoch = 9`,
      sql`ordinal = ordinal - 1`,
      sql`ordinal = ordinal + 100000000`,
    ])
      for (const number of [1, log.ends.length]) {
        await does(sql`update audit_blocks set ${place} where ${ofLog()} and number = ${number}`)
        assert.equal((await log.verify()).valid, false)
        await log.restore()
      }
  })

  test('an entry altered with its digest in the block', async () => {
    const number = ofSeveral()
    const place = log.places[startOf(number) + 1]!
    await does(sql`update events set ip = '203.0.113.9' where ${ofLog()} and ${at(place)}`)
    const block = await blockOf(number)
    const seals = readSeals(block.entries)!
    const [row] = (await rowsOf(number)).slice(1)
    seals[1] = sealOf(row!)
    await does(
      sql`update audit_blocks set entries = ${writeSeals(seals)} where ${ofLog()} and number = ${number}`,
    )
    assert.deepEqual(await fault(), { entry_id: await entry(startOf(number)), kind: 'altered' })
    // With the head of that block.
    await does(
      sql`update audit_blocks set head = ${await headAfter(number, seals)} where ${ofLog()} and number = ${number}`,
    )
    assert.deepEqual(await fault(), { entry_id: await entry(startOf(number + 1)), kind: 'altered' })
  })

  test('a chain that was made anew from altered entries is valid, and not the one of a head kept elsewhere', async () => {
    const { head } = await log.verify()
    await does(sql`update events set ip = '203.0.113.9' where ${ofLog()} and ${at(log.places[startOf(2)]!)}`)
    for (let number = 2; number <= log.ends.length; number++) {
      const seals = (await rowsOf(number)).map(sealOf)
      await does(sql`update audit_blocks set entries = ${writeSeals(seals)}, head = ${await headAfter(number, seals)}
        where ${ofLog()} and number = ${number}`)
    }
    assert.equal((await log.verify()).valid, true)
    const { valid, first_fault, entries_checked } = await log.verify(head)
    assert.deepEqual(
      { valid, first_fault, entries_checked },
      {
        valid: false,
        first_fault: { entry_id: await entry(0), kind: 'altered' },
        entries_checked: log.places.length,
      },
    )
    const { head: earlier } = await blockOf(1)
    assert.equal((await log.verify(earlier.toString('hex'))).valid, true, 'what came before is as it was')
  })

  test('a block removed: its first entry is named, or the next one when they are gone as well', async () => {
    const last = log.ends.length
    for (const number of [1, 2, last]) {
      await does(sql`delete from audit_blocks where ${ofLog()} and number = ${number}`)
      assert.deepEqual(await fault(), { entry_id: await entry(startOf(number)), kind: 'altered' })
      await removeEntries(startOf(number), log.ends[number - 1]! + 1)
      assert.deepEqual(await fault(), {
        entry_id: await entry(log.ends[number - 1]! + 1),
        kind: 'removed',
      })
      await log.restore()
    }
    await does(sql`delete from audit_blocks where ${ofLog()}`)
    assert.deepEqual(await fault(), { entry_id: await entry(0), kind: 'altered' })
    await does(sql`delete from events where ${ofLog()}`)
    assert.deepEqual(await fault(), { entry_id: null, kind: 'removed' })
  })

  test('a log cut off, with all that is known of it: only a head kept elsewhere tells', async () => {
    const { head } = await log.verify()
    const last = log.ends.length
    const { head: shorter, epoch, position, ordinal } = await blockOf(last - 1)
    await does(sql`delete from audit_blocks where ${ofLog()} and number = ${last}`)
    await removeEntries(startOf(last), log.places.length)
    await does(
      sql`update journal_positions set epoch = ${epoch}, position = ${position}::text::xid8, ordinal = ${ordinal} where ${ofLog()}`,
    )
    assert.equal((await log.verify()).valid, true)
    assert.equal((await log.verify(shorter.toString('hex'))).valid, true)
    assert.deepEqual((await log.verify(head)).first_fault, { entry_id: await entry(0), kind: 'altered' })

    await does(sql`delete from audit_blocks where ${ofLog()}`)
    await does(sql`delete from events where ${ofLog()}`)
    await does(sql`delete from journal_positions where ${ofLog()}`)
    const { valid, head: none } = await log.verify()
    assert.deepEqual({ valid, none }, { valid: true, none: null })
    assert.deepEqual((await log.verify(head)).first_fault, { entry_id: null, kind: 'removed' })
  })

  test('nothing more is sealed while blocks are missing: it would hide that', async () => {
    await does(sql`delete from audit_blocks where ${ofLog()} and number = ${log.ends.length}`)
    await removeEntries(startOf(log.ends.length), log.places.length)
    const { id } = await conversation(log.client)
    await sealed(api.client((await api.world()).live.key)) // the sealing process has had its turn
    const { unsealed, first_fault } = await log.verify()
    const [created] = (await log.client.get(`/v1/audit_log?target_id=${id}`)).body.data
    assert.deepEqual(
      { unsealed, first_fault },
      { unsealed: 1, first_fault: { entry_id: created.id, kind: 'removed' } },
    )
  })

  test('a place that was lost is found again by the last block, and nothing is sealed twice', async () => {
    for (const damage of [
      sql`delete from journal_positions where ${ofLog()}`,
      sql`update journal_positions set position = '1' where ${ofLog()}`,
    ]) {
      await does(damage)
      await conversation(log.client)
      const { valid, entries_checked } = await sealed(log.client)
      assert.deepEqual({ valid, entries_checked }, { valid: true, entries_checked: log.places.length + 1 })
      await log.restore()
    }
  })

  const blockOf = async (number: number) =>
    (await findBlocks(api.db, log.tenantId, number - 1, number, 1))[0]!

  async function rowsOf(number: number) {
    const [from, to] = [number === 1 ? null : await blockOf(number - 1), await blockOf(number)]
    const range = { after: from, before: justAfter(to) }
    return findEntries(api.db, log.tenantId, everything, range, 'forwards', { scan: 1000, limit: 1000 })
  }

  async function headAfter(number: number, seals: Seal[]): Promise<Buffer> {
    const before = number === 1 ? firstLink(log.tenantId) : (await blockOf(number - 1)).head
    return seals.reduce((link, { digest }) => nextLink(link, digest), before)
  }
})
