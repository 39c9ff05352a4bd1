import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import {
  isAt as at,
  entryOf,
  eventColumns,
  eventOf,
  type Place,
  type SealedLog,
  sealed,
  sealedLog,
} from '@backline/test/audit.ts'
import { conversation, say, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { rounds } from '@backline/test/thorough.ts'
import { type AuditedEvent, erasedBetween } from '../../../platform/journal/audit-chain.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { changesOf } from '../../vocabulary/changes.ts'

/* An attacker with access to the database changes entries; the verification reports each change. */

const api = service({ works: true })
const does = (statement: Sql) => api.db.write(statement)

describe('what was done to entries', () => {
  let log: SealedLog
  before(async () => {
    log = await sealedLog(api)
  })
  afterEach(() => log.restore())

  /** @param place of the reported entry; null for none */
  async function found(kind: string, place: Place | null, what = ''): Promise<void> {
    const { valid, first_fault } = await log.verify()
    const entry_id = place && (await log.entryAt(place))
    assert.deepEqual({ valid, first_fault }, { valid: false, first_fault: { entry_id, kind } }, what)
  }
  const ofLog = () => sql`tenant_id = ${log.tenantId}`
  const remove = (place: Place) => does(sql`delete from events where ${ofLog()} and ${at(place)}`)
  const move = (from: Place, { epoch, position, ordinal }: Place) =>
    does(
      sql`update events set epoch = ${epoch}, position = ${position}::text::xid8, ordinal = ${ordinal} where ${ofLog()} and ${at(from)}`,
    )
  /** Inserts an event like this one elsewhere. */
  const insert = (
    like: Place,
    { epoch, position, ordinal }: Place,
    { id = sql`gen_random_uuid()`, type = sql`type` } = {},
  ) =>
    does(sql`insert into events (tenant_id, ${eventColumns})
      select tenant_id, ${epoch}, ${position}::text::xid8, ${ordinal}, ${id}, ${type}, created_at, stream_id, resource_type, resource_id,
        resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, audited, erased
      from events where ${ofLog()} and ${at(like)}`)
  /** Between this entry and the next one. */
  const behind = (place: Place): Place => ({ ...place, ordinal: place.ordinal + 100 })
  const first: Place = { epoch: 0, position: 1, ordinal: 0 }
  const last: Place = { epoch: 2147483647, position: 9_000_000_000_000_000, ordinal: 0 }

  test('any column altered, of one or two entries: the first of them is named', async (t) => {
    const random = new Random(seedOf(t))
    const always = sql`true`
    const changes = sql`previous::text <> '{}'`
    const values = sql`audited is not null`
    const channels = sql`audited like '%channel,%' and object::text like '%"channel":"api"%'`
    const alterations: [what: Sql, where: Sql][] = [
      [sql`id = gen_random_uuid()`, always],
      [sql`type = type || '_'`, always],
      [sql`created_at = created_at + interval '1 microsecond'`, always],
      [sql`created_at = created_at - interval '3 days'`, always],
      [sql`actor_type = case actor_type when 'system' then 'api_key' else 'system' end`, always],
      [sql`actor_id = coalesce(actor_id, '') || '1'`, always],
      [sql`actor_id = null`, sql`actor_id is not null`],
      [sql`operator_id = coalesce(operator_id, '') || '1'`, always],
      [sql`resource_type = case resource_type when 'tag' then 'operator' else 'tag' end`, always],
      [sql`resource_id = gen_random_uuid()`, always],
      [sql`request_id = coalesce(request_id, '') || '1'`, always],
      [sql`ip = coalesce(ip, '') || '1'`, always],
      [sql`ip = null`, sql`ip is not null`],
      [sql`user_agent = coalesce(user_agent, '') || ' '`, always],
      [sql`previous = '{"subject": "other"}'`, always],
      [sql`previous = '{}'`, changes],
      [sql`previous = '[]'`, changes],
      [sql`previous = replace(previous::text, '"', '" ')::json`, changes],
      [sql`object = '{}'`, changes],
      [sql`object = '{}'`, values],
      [sql`object = replace(object::text, '"channel":"api"', '"channel":"web"')::json`, channels],
      [sql`audited = null`, values],
      [sql`audited = replace(audited, 'channel,', '')`, channels],
      [sql`audited = replace(audited, 'created ', 'removed ')`, values],
      [sql`audited = 'created id'`, always],
      [sql`object = 'null'`, changes],
      [
        sql`object = replace(object::text, 'urgent', 'high')::json`,
        sql`object::text like '%"priority":"urgent"%' and previous::text like '%"priority"%'`,
      ],
      [
        sql`previous = replace(previous::text, 'low', '')::json, erased = '{"priority": "00"}'`,
        sql`previous::text like '%low%'`,
      ],
    ]
    for (const round of cases(rounds(2, 1) * alterations.length)) {
      const [what, where] = alterations[round % alterations.length]!
      const possible = await api.db.rows<Place>(
        sql`select epoch, position, ordinal from events where ${ofLog()} and ${where} order by epoch, position, ordinal`,
      )
      const touched = Array.from({ length: random.between(1, 2) }, () => random.below(possible.length))
      for (const i of new Set(touched))
        await does(sql`update events set ${what} where ${ofLog()} and ${at(possible[i]!)}`)
      await found('altered', possible[Math.min(...touched)]!, `${what.strings[0]} at ${touched}`)
      const { entries_checked } = await log.verify()
      const index = log.places.findIndex((place) => isDeepStrictEqual(place, possible[Math.min(...touched)]))
      assert.equal(entries_checked, index)
      await log.restore()
    }
  })

  test('an altered change hidden behind a digest of what it was, as if it had been erased', async () => {
    const [place] = await api.db.rows<Place & AuditedEvent>(
      sql`select epoch, position, ordinal, object::text, previous::text, audited from events where ${ofLog()} and previous::text like '%low%'`,
    )
    const { priority } = changesOf(place!)
    const digest = erasedBetween({ priority: priority! }, {}).priority
    const erased = JSON.stringify({ priority: digest })
    for (const previous of ['{"priority": "normal"}', '{"priority": ""}', '{"priority": null}', '{}']) {
      await does(
        sql`update events set previous = ${previous}, erased = ${erased} where ${ofLog()} and ${at(place!)}`,
      )
      await found('altered', place!, previous)
      // Its later state is removed too.
      await does(sql`update events set object = '{}' where ${ofLog()} and ${at(place!)}`)
      await found('altered', place!, previous)
      await log.restore()
    }
  })

  test('entries of what was redacted: nothing but its text may be gone, and not without an entry', async () => {
    const { id } = await conversation(log.client)
    const { id: message } = await say(log.client, id, 'end_user', { body: 'My number is 4242' })
    for (const body of ['My number is 4343', 'My number is 4444'])
      succeeded(await log.client.patch(`/v1/messages/${message}`, { body, metadata: { body } }))
    succeeded(await log.client.post(`/v1/messages/${message}/redact`))
    const tag = succeeded(await log.client.post('/v1/tags', { name: 'next' }))
    assert.equal((await sealed(log.client)).valid, true)
    const [redaction, , edit] = (await log.client.get(`/v1/audit_log?target_id=${message}`)).body.data
    const [next] = (await log.client.get(`/v1/audit_log?target_id=${tag.id}`)).body.data
    const ofEdit = sql`${ofLog()} and id = ${eventOf(edit)}`
    const [told] = await api.db.rows<{ object: string; previous: string; erased: string }>(
      sql`select object::text, previous::text, erased::text from events where ${ofEdit}`,
    )
    const { object, previous, erased } = told!
    for (const alteration of [
      sql`erased = null`,
      sql`erased = '{}'`,
      sql`erased = '[]'`,
      sql`erased = 'null'`,
      sql`erased = replace(erased::text, '":"', '":"0')::json`,
      sql`previous = replace(previous::text, '"body":""', '"body":"other"')::json`,
      sql`object = replace(object::text, '"body":""', '"body":"other"')::json`,
      sql`previous = replace(previous::text, '"edited_at":null', '"edited_at":"2020-01-01T00:00:00.000Z"')::json`,
      sql`previous = '{"body":"","edited_at":null}'`,
      sql`previous = '{}'`,
    ]) {
      await does(sql`update events set ${alteration} where ${ofEdit}`)
      const { valid, first_fault } = await log.verify()
      assert.deepEqual(
        { valid, first_fault },
        { valid: false, first_fault: { entry_id: edit.id, kind: 'altered' } },
        alteration.strings.join(),
      )
      await does(
        sql`update events set object = ${object}, previous = ${previous}, erased = ${erased} where ${ofEdit}`,
      )
      assert.equal((await log.verify()).valid, true)
    }
    await does(sql`update events set erased = '{"ip": "00"}' where ${ofLog()} and ${at(log.places[2]!)}`)
    assert.equal((await log.verify()).valid, true, 'that something was erased is said where nothing was')
    await does(sql`delete from events where ${ofLog()} and id = ${eventOf(redaction)}`)
    assert.deepEqual((await log.verify()).first_fault, { entry_id: next.id, kind: 'removed' })
  })

  test('one removed: the next one that is there is named', async () => {
    for (const [i, place] of log.places.entries()) {
      await remove(place)
      await found('removed', log.places[i + 1] ?? null, `entry ${i}`)
      await log.restore()
    }
  })

  test('several removed', async () => {
    const { places, ends } = log
    const cases: [from: number, to: number][] = [
      [1, 3],
      [0, ends[0]!], // a block
      [2, ends[1]! + 1], // across the end of two
      [ends[1]! + 1, ends[2]!],
      [places.length - 3, places.length - 1],
      [0, places.length - 1],
    ]
    for (const [from, to] of cases) {
      for (const place of places.slice(from, to + 1)) await remove(place)
      await found('removed', places[to + 1] ?? null, `${from} to ${to}`)
      await log.restore()
    }
  })

  test('the newest removed: what has not been sealed yet is the next one', async () => {
    const { places, client } = log
    await remove(places.at(-1)!)
    await conversation(client)
    const [newest] = await api.db.rows<Place>(
      sql`select epoch, position, ordinal from events where ${ofLog()} order by epoch desc, position desc, ordinal desc limit 1`,
    )
    await found('removed', newest!)
    await sealed(client)
    await found('removed', newest!, 'sealed since')
  })

  test('one inserted, anywhere', async () => {
    const { places } = log
    await insert(places[3]!, first)
    await found('inserted', first)
    await log.restore()
    for (const place of places.slice(0, -1)) {
      await insert(places[3]!, behind(place))
      await found('inserted', behind(place))
      await log.restore()
    }
  })

  test('a forged copy of an entry, the same or not, before or behind it', async () => {
    const { places } = log
    const original = places[4]!
    const id = sql`id`
    for (const place of [places[0]!, places[1]!, places[4]!, places[5]!, places[log.ends[0]! + 2]!]) {
      for (const type of [sql`type`, sql`'conversation.closed'`]) {
        await insert(original, behind(place), { id, type })
        await found('inserted', behind(place))
        await log.restore()
      }
    }
  })

  test('two that changed places, and one that was moved', async () => {
    const { places, ends } = log
    const away = { ...first, position: 2 }
    for (const [i, j] of [
      [2, 5],
      [1, 2],
      [3, places.length - 1],
    ] as const) {
      await move(places[i]!, away)
      await move(places[j]!, places[i]!)
      await move(away, places[j]!)
      await found('altered', places[i]!, `${i} and ${j}`)
      await log.restore()
    }
    const end = ends.find((end, i) => end - (ends[i - 1] ?? -1) > 3)! // of a block that is long enough
    await move(places[end]!, behind(places[end - 3]!))
    await found('altered', behind(places[end - 3]!))
    await log.restore()
    await move(places[2]!, last) // out of the chain
    await found('removed', places[3]!)
    await log.restore()
    await move(places[places.length - 1]!, first) // into another block
    await found('inserted', first)
  })

  test('one replaced by another', async () => {
    const { places } = log
    await remove(places[3]!)
    await insert(places[2]!, places[3]!)
    await found('altered', places[3]!)
  })

  test('what was moved to another environment is missing here and too much there', async () => {
    const other = await sealedLog(api)
    const place = log.places[3]!
    const [{ id } = { id: '' }] = await api.db.rows<{ id: string }>(
      sql`select id from events where ${ofLog()} and ${at(place)}`,
    )
    await does(sql`update events set tenant_id = ${other.tenantId} where ${ofLog()} and ${at(place)}`)
    await found('removed', log.places[4]!)
    assert.deepEqual((await other.verify()).first_fault, { entry_id: entryOf(id), kind: 'inserted' })
  })
})
