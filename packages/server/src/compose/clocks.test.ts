import assert from 'node:assert/strict'
import { test } from 'node:test'
import { service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { openLoops } from '../platform/jobs/loops.ts'
import { latestTime } from '../platform/journal/heads.ts'
import { differenceOf, watchClock } from './clocks.ts'

const api = service({})

test('/readyz is ready with warnings, if there are any', async () => {
  const ready = async (url: string) => (await fetch(`${url}/readyz`)).json()
  assert.deepEqual(await ready(api.url), { status: 'ready', warnings: [] })
  const warned = await api.another({ warnings: ['the clock is wrong'] })
  assert.deepEqual(await ready(warned.url), { status: 'ready', warnings: ['the clock is wrong'] })
  await warned.stop()
})

test('a slow response is no difference of clocks', () => {
  assert.equal(differenceOf(1_000, 5_000, 9_000), 0)
  assert.equal(differenceOf(8_000, 1_000, 9_000), 7_000)
  assert.equal(differenceOf(1_000, 9_000, 2_000), -7_000)
})

for (const aheadSeconds of [0, 3_600, -3_600])
  test(`a clock that is ${aheadSeconds} s ahead is measured, and a difference is logged`, async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    const metrics = new Registry()
    const clock = () => Date.now() + aheadSeconds * 1_000
    const loops = openLoops({ clock, log, metrics })
    const watched = watchClock({ db: api.db, clock, log, metrics, loops })
    const measured = async () =>
      Number(/^backline_clock_ahead_seconds (.*)$/m.exec(await metrics.metrics())?.[1] ?? Number.NaN)
    await until('it is measured', async () => !Number.isNaN(await measured()))
    await watched.stop()
    const isNear = Math.sign(aheadSeconds) === Math.sign(Math.round((await measured()) / 1_800))
    assert.ok(isNear, `${await measured()}`)
    const [warning, ...others] = watched.warnings()
    assert.deepEqual(others, [])
    if (aheadSeconds === 0) assert.equal(warning, undefined)
    else assert.match(warning!, aheadSeconds > 0 ? /is 3\d{3} s ahead of that/ : /is 3\d{3} s behind that/)
    assert.equal(lines.length, aheadSeconds === 0 ? 0 : 1)
    assert.ok(latestTime(api.db) > 0)
  })
