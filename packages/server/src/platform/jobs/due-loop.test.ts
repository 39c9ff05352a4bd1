import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readConfig } from '@backline/server/compose/config.ts'
import { act, type Body, conversation, holdReason, operator, setStatus, shown } from '@backline/test/desk.ts'
import { service, type World } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { openBackground } from '../../compose/background.ts'
import { optimized } from '../../compose/optimizations.ts'
import { openWrites } from '../../compose/writes.ts'
import { openCommits } from '../journal/commits.ts'
import { openEphemeral } from '../journal/ephemeral.ts'
import type { Environment } from '../kernel/environment.ts'
import { comma, join, type Sql, sql } from '../postgres/sql.ts'
import type { Job } from '../resource/resource.ts'
import { type DueLoop, startDueLoop } from './due-loop.ts'
import { openLoops } from './loops.ts'

/* The loop as the server starts it, on the clock of the tests. processes.system.test.ts runs it in real processes. */

const api = service()
const day = 24 * 3600

/** Runs `work` beside this number of loops. */
async function looping<Result>(count: number, work: () => Promise<Result>): Promise<Result> {
  const { db, now: clock, resources, secretBox, threads } = api
  const all = [...resources, { name: '', title: '', description: '', routes: [], events: [], jobs: ownJobs }]
  const metrics = new Registry()
  const log = pino({ level: 'silent' })
  const { due } = openBackground({
    config: {
      webhookAllowedNetworks: [],
      smtpAllowedNetworks: [],
      mail: { perAddressPerHour: 0, retrySeconds: [60], listen: null, allowedNetworks: [] },
      files: readConfig({}).files,
      requestLog: { days: 0, rows: 100 },
    },
    cursorSecret: Buffer.alloc(32),
    store: api.store,
    db,
    clock,
    log,
    metrics,
    loops: openLoops({ clock, log, metrics }),
    tracer: null,
    resources: all,
    writes: openWrites(db, all, () => undefined, optimized, metrics),
    commits: openCommits(),
    ephemeral: openEphemeral(),
    secretBox,
    threads,
  })
  const loops: DueLoop[] = Array.from({ length: count }, () => startDueLoop(due))
  try {
    return await work()
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()))
  }
}

/** Records in the transaction of the job that it ran. */
const note = (tenantId: string, subjects: string[]): Sql =>
  sql`insert into done (tenant_id, subject_id) values ${join(
    subjects.map((subject) => sql`(${tenantId}, ${subject})`),
    comma,
  )}`

let isBroken = true
const ownJobs: Job[] = [
  { name: 'noted', perform: (change, subject) => change.effects.writeBatched(note, subject) },
  {
    name: 'broken',
    perform: (change, subject) => {
      if (isBroken) throw new Error('It cannot be done')
      change.effects.writeBatched(note, subject)
    },
  },
  {
    name: 'sealed',
    perform: async (change, subject) => {
      assert.equal(await change.ctx.services.secretBox.open(await api.secretBox.seal('x')), 'x')
      change.effects.writeBatched(note, subject)
    },
  },
  {
    name: 'absurd',
    perform: (change) => change.effects.write(sql`insert into done (tenant_id) values (null)`),
  },
]

/** Inserts rows that were due `secondsAgo`. */
const appoint = ({ tenantId }: Environment, duty: string, count: number, secondsAgo = 1) =>
  api.db.write(sql`insert into due_work (tenant_id, duty, subject_id, due_at)
    select ${tenantId}, ${duty}, gen_random_uuid(), ${new Date(api.now() - secondsAgo * 1000).toISOString()}
      from generate_series(1, ${count}::integer)`)

const leftOf = async ({ tenantId }: Environment): Promise<{ duty: string; attempts: number }[]> =>
  api.db.rows(sql`select duty, attempts from due_work where tenant_id = ${tenantId} order by duty`)

const doneOf = async ({ tenantId }: Environment): Promise<{ count: number; most: number }> => {
  const [row] = await api.db.rows<{
    count: number
    most: number
  }>(sql`select count(*) as count, max(times) as most
    from (select count(*) as times from done where tenant_id = ${tenantId} group by subject_id) each`)
  return row!
}

describe('the loop', () => {
  before(() =>
    api.db.write(sql`create table done (n bigserial, tenant_id uuid not null, subject_id uuid not null)`),
  )

  test('runs due jobs of live environments, by their clock', async () => {
    const { live } = await api.world()
    const [held, resolved, ended, missed] = [
      (await conversation(live)).id,
      (await conversation(live)).id,
      await operator(live),
      await operator(live, {}, 'offline'),
    ]
    const duration = { default_duration_seconds: day }
    await act(live, held, 'hold', { hold_reason_id: await holdReason(live, duration) })
    await act(live, resolved, 'resolve')
    const until_ = new Date(api.now() + day * 1000).toISOString()
    await setStatus(live, ended, 'busy', { until: until_, then: 'away' })
    await live.post(`/v1/operators/${missed}/heartbeat`, { ttl_seconds: 30 })
    const states = async () => [
      (await shown(live, held)).status,
      (await shown(live, resolved)).status,
      (await live.get(`/v1/operators/${ended}/status`)).body.status,
      (await live.get(`/v1/operators/${missed}/status`)).body.status,
    ]
    assert.deepEqual(await states(), ['on_hold', 'resolved', 'busy', 'online'])
    api.advance(8 * day)
    await looping(1, () =>
      until('all is done', async () => (await states()).join() === 'open,closed,away,offline'),
    )
    const { data } = (await live.get(`/v1/conversations/${held}/timeline`)).body
    assert.partialDeepStrictEqual(data.at(-1), {
      type: 'conversation.resumed',
      actor: { type: 'system', id: null, operator_id: null },
    } satisfies Body)
  })

  test('lets jobs decrypt secrets of the database', async () => {
    const { live } = (await api.world()).environments
    await appoint(live, 'sealed', 1)
    await looping(1, () => until('it is opened', async () => (await doneOf(live)).count === 1))
  })

  test('postpones jobs that fail or that only a newer version knows, and runs the others', async () => {
    const { environments } = await api.world()
    const other: World = await api.world()
    isBroken = true
    await appoint(environments.live, 'broken', 3, 30)
    await appoint(environments.live, 'unheard_of', 1, 20)
    await appoint(environments.live, 'absurd', 1, 10)
    await appoint(environments.live, 'noted', 5)
    await appoint(other.environments.live, 'noted', 5)
    await looping(1, () =>
      until('the rest is done', async () => {
        const done = [await doneOf(environments.live), await doneOf(other.environments.live)]
        return done.every(({ count }) => count === 5)
      }),
    )
    const left = await leftOf(environments.live)
    assert.deepEqual(
      left.map(({ duty }) => duty),
      ['absurd', 'broken', 'broken', 'broken', 'unheard_of'],
    )
    assert.ok(left.every(({ attempts }) => attempts > 0))
    isBroken = false
    api.advance(600)
    await looping(1, () => until('it is done', async () => (await doneOf(environments.live)).count === 8))
    assert.equal((await leftOf(environments.live)).length, 2)
    assert.equal((await doneOf(environments.live)).most, 1)
  })

  test('runs each job once when four loops run', async () => {
    const { environments } = await api.world()
    const both = [environments.live, environments.test]
    for (const env of both) await appoint(env, 'noted', 2000)
    await looping(4, () =>
      until('nothing is left', async () => (await Promise.all(both.map(leftOf))).flat().length === 0),
    )
    for (const env of both) assert.deepEqual(await doneOf(env), { count: 2000, most: 1 })
  })

  test('runs a single due row while environments with thousands are in progress', async () => {
    const [one, two, small] = [await api.world(), await api.world(), await api.world()]
    const big = [one.environments.live, one.environments.test, two.environments.live]
    for (const env of big) await appoint(env, 'noted', 50_000, day)
    await appoint(small.environments.live, 'noted', 1)
    await looping(1, () =>
      until('the single one is done', async () => (await doneOf(small.environments.live)).count === 1),
    )
    for (const { tenantId } of big) {
      const [before] = await api.db.rows<{ count: number }>(sql`select count(*) from done
        where tenant_id = ${tenantId} and n < (select n from done where tenant_id = ${small.environments.live.tenantId})`)
      assert.ok(before!.count < 50_000, `${before!.count} of 50000 were done before`)
      await api.db.write(sql`delete from due_work where tenant_id = ${tenantId}`)
    }
  })

  test('runs the jobs of one environment in order', async () => {
    const { environments } = await api.world()
    for (const secondsAgo of [5, 300, 20, 7000, 1]) await appoint(environments.live, 'noted', 1, secondsAgo)
    const rows = () =>
      api.db.rows<{ subject_id: string }>(sql`select subject_id from due_work
        where tenant_id = ${environments.live.tenantId} order by due_at`)
    const expected = await rows()
    await looping(2, () => until('all is done', async () => (await rows()).length === 0))
    const done = await api.db.rows(sql`select subject_id from done
      where tenant_id = ${environments.live.tenantId} order by n`)
    assert.deepEqual(done, expected)
  })
})
