import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { service } from '@backline/test/harness.ts'
import { Random, seedOf } from '@backline/test/random.ts'
import { beginning, isBefore } from '../../../platform/journal/positions.ts'
import { toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { type Dated, findPosition, type Probe } from './position-at.ts'
import { positionAt } from './queries.ts'

const api = service()
const begin = Date.parse('2026-01-01T00:00:00Z')

/** An in-memory journal of these ordered events. */
const memory = (events: Dated[]): Probe => ({
  next: async (position) => events.find((event) => isBefore(position, event)) ?? null,
  previous: async (position) => events.findLast((event) => isBefore(event, position)) ?? null,
})

/** An environment with only these events. */
async function journalOf(events: Dated[]): Promise<string> {
  const tenantId = randomUUID()
  const column = <Name extends keyof Dated>(name: Name) => events.map((event) => event[name])
  await api.db.write(sql`insert into events (tenant_id, epoch, position, ordinal, id, type, created_at, stream_id, resource_type,
      resource_id, resource_version, actor_type, object, previous)
    select ${tenantId}::uuid, epoch, position::xid8, ordinal, gen_random_uuid(), 'tag.created', created_at, ${tenantId}::uuid, 'tag',
      ${tenantId}::uuid, 1, 'system', '{}', '{}'
    from unnest(${column('epoch')}::integer[], ${column('position').map(String)}::text[], ${column('ordinal')}::integer[],
      ${column('created_at')}::timestamptz[]) placed (epoch, position, ordinal, created_at)`)
  return tenantId
}

/**
 * Foreign transactions in between, several events per transaction, times with up to half a minute of disorder, three
 * clusters.
 */
function untidyEvents(random: Random, count: number): Dated[] {
  const events: Dated[] = []
  let [position, ms] = [700, begin]
  for (let i = 0; i < count; i++) {
    const epoch = 1 + Math.floor((3 * i) / count)
    if (i > 0 && epoch > events.at(-1)!.epoch) position = 3 // starts again in another cluster
    position += random.pick([1, 1, 2, 50, 1_000_000])
    ms += random.pick([0, 1, 500, 20_000, 3_600_000])
    const created_at = toInstant(ms - random.pick([0, 0, 7, 2_000, 30_000]))
    for (const ordinal of random.pick([[0], [0], [0, 1], [0, 1, 2]]))
      events.push({ epoch, position, ordinal, created_at })
  }
  return events
}

test('all events since a time come after its position, and few before that time', async (t) => {
  const events = untidyEvents(new Random(seedOf(t)), 60)
  for (const { created_at } of events) {
    for (const apartMs of [-60_001, -1, 0, 1, 59_999, 1_800_000]) {
      const time = toInstant(toUnixMs(created_at) + apartMs)
      const position = await findPosition(memory(events), time)
      for (const event of events) {
        if (event.created_at >= time) assert.ok(isBefore(position, event), `${time} ${JSON.stringify(event)}`)
        else if (toUnixMs(event.created_at) < toUnixMs(time) - 150_000) {
          const isLeftOut = !isBefore(position, event) || event.position === position.position
          assert.ok(isLeftOut, `${time} ${JSON.stringify({ position, event })}`)
        }
      }
    }
  }
})

test('the journal is looked into as a list of its events would be', async (t) => {
  const events = untidyEvents(new Random(seedOf(t)), 12)
  const tenantId = await journalOf(events)
  for (const { created_at } of events) {
    for (const apartMs of [0, 60_001, 120_000]) {
      const time = toInstant(toUnixMs(created_at) + apartMs)
      assert.deepEqual(
        await positionAt(api.db, tenantId, time),
        await findPosition(memory(events), time),
        time,
      )
    }
  }
})

test('before the first event it is the beginning, after the last one the last', async () => {
  assert.deepEqual(await positionAt(api.db, await journalOf([]), toInstant(begin)), beginning)
  const only = { epoch: 2, position: 12, ordinal: 0, created_at: toInstant(begin) }
  const tenantId = await journalOf([only])
  assert.deepEqual(await positionAt(api.db, tenantId, toInstant(begin - 1)), beginning)
  const { created_at: _, ...place } = only
  assert.deepEqual(await positionAt(api.db, tenantId, toInstant(begin + 60_001)), place)
})
