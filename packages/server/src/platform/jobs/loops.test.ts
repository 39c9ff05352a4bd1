import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectations, run } from '@backline/test/command-line.ts'
import { secretKey, urlOf } from '@backline/test/databases.ts'
import { service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { DatabaseUnavailable } from '../postgres/errors.ts'
import { sql } from '../postgres/sql.ts'
import { openLoops } from './loops.ts'

type Line = { msg: string; loop?: string; failures: number; err?: { code?: string } }

function recorder() {
  const lines: Line[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  return { log, about: (loop: string) => lines.filter((line) => line.loop === loop) }
}

const failing = 'a background loop failed; will retry'
const recovered = 'a background loop works again'
const { log, about } = recorder()
const api = service({ works: true, log })

const ready = async () => {
  const response = await fetch(`${api.url}/readyz`)
  return { status: response.status, ...((await response.json()) as { warnings: string[] }) }
}

/** The figures of the loop that runs due jobs. */
const jobs = async () => {
  const text = await (await fetch(`${api.url}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name}\\{loop="jobs"\\} (.*)$`, 'm').exec(text)?.[1])
  return {
    failures: figure('backline_loop_failures_total'),
    succeededAt: figure('backline_loop_last_success_timestamp_seconds'),
  }
}

const doctor = async () => {
  const { code, check } = await expectations(run).diagnose({
    DATABASE_URL: urlOf(api.connection),
    PORT: new URL(api.url).port,
    BACKLINE_SECRET_KEY: secretKey,
    BACKLINE_FILES_DIR: api.filesDir,
  })
  return { code, ...check('port') }
}

describe('a loop whose statement is broken', () => {
  test('shows in the metrics, the log, /readyz and doctor while the server is ready, until it works again', async () => {
    await until('it has succeeded', async () => (await jobs()).succeededAt > 0)
    assert.equal((await jobs()).failures, 0)
    assert.equal((await doctor()).status, 'ok')

    await api.db.write(sql`alter table due_work rename to due_work_elsewhere`)
    await until('it has failed', async () => (await jobs()).failures > 0)
    const { succeededAt } = await jobs()
    await until('it fails again and again', async () => (await jobs()).failures > 3)
    assert.deepEqual(
      about('jobs').map(({ msg, failures, err }) => [msg, failures, err!.code]),
      [[failing, 1, '42P01']],
    )

    api.advance(60)
    const [, second] = await until('there is a line in the next minute', () => {
      const lines = about('jobs')
      return lines.length > 1 && lines
    })
    assert.ok(second!.failures >= 3, 'it counts the failures since the first')
    const warned = await ready()
    const jobsFail = /^the background loop jobs has failed since \d{4}-.*Z; the log has the reason$/
    assert.partialDeepStrictEqual(warned, { status: 'ready' })
    assert.equal(warned.warnings.filter((each) => jobsFail.test(each)).length, 1)
    const diagnosis = await doctor()
    assert.equal(diagnosis.code, 1)
    assert.equal(diagnosis.status, 'fault')
    assert.match(diagnosis.detail, /which is ready, but:\nthe background loop jobs has failed since /)
    assert.equal((await jobs()).succeededAt, succeededAt, 'a failure is no success')

    await api.db.write(sql`alter table due_work_elsewhere rename to due_work`)
    api.advance(60)
    await until('/readyz has no warnings', async () => (await ready()).warnings.length === 0)
    assert.ok((await jobs()).succeededAt > succeededAt)
    assert.equal(about('jobs').at(-1)!.msg, recovered)
    assert.equal((await doctor()).status, 'ok')
  })
})

describe('the loops of a process', () => {
  /** A loop with a clock that the test moves, in seconds. */
  function loopOf() {
    let now = 1_000
    const { log, about } = recorder()
    const loops = openLoops({ clock: () => now * 1_000, log, metrics: new Registry() })
    const loop = loops.open('one')
    return {
      loops,
      loop,
      after(seconds: number) {
        now += seconds
      },
      lines: () => about('one').map(({ msg, failures }) => [msg, failures]),
    }
  }
  const broken = new Error('broken')

  test('have one line a minute in the log, with the number of failures, and one after the last', async () => {
    const { loop, after, lines } = loopOf()
    for (let second = 0; second <= 120; second++, after(1)) await loop.round(() => Promise.reject(broken))
    assert.deepEqual(lines(), [
      [failing, 1],
      [failing, 60],
      [failing, 60],
    ])
    for (let second = 0; second <= 60; second++, after(1)) await loop.round(async () => undefined)
    assert.deepEqual(lines().slice(3), [[recovered, 0]])
  })

  test('are not in /readyz after a failure for a moment, or while the database does not respond', async () => {
    const away = new DatabaseUnavailable('away', { cause: new Error('ECONNREFUSED') })
    for (const [error, count] of [
      [broken, 2],
      [away, 100],
    ] as const) {
      const { loops, loop, after } = loopOf()
      for (let failure = 0; failure < count; failure++, after(1)) loop.failed(error)
      after(100)
      assert.deepEqual(loops.warnings(), [], error.message)
    }
  })

  test('are in /readyz if their statements always take too long', () => {
    const { loops, loop, after } = loopOf()
    const slow = Object.assign(new Error('canceling statement'), { code: '57014' })
    for (let failure = 0; failure < 10; failure++, after(10))
      loop.failed(new DatabaseUnavailable('away', { cause: slow }))
    assert.equal(loops.warnings().length, 1)
  })

  test('are in /readyz if only a part of them fails, beside others that do not', async () => {
    const { loops, loop, after, lines } = loopOf()
    for (let second = 0; second < 70; second++, after(1)) {
      await loop.round(async () => undefined)
      if (second % 10 === 0) loop.failed(broken, { tenant_id: 'one of many' })
    }
    assert.equal(loops.warnings().length, 1)
    assert.ok(lines().every(([message]) => message === failing))
    after(15)
    await loop.round(async () => undefined)
    assert.deepEqual(loops.warnings(), [])
  })

  test('do not fail by the end of their process', async () => {
    const { loops, lines } = loopOf()
    const stopping = new AbortController()
    stopping.abort()
    await loops.open('one', stopping.signal).round(() => Promise.reject(broken))
    assert.deepEqual(lines(), [])
  })
})
