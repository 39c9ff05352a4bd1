import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@backline/test/processes.ts'
import { ApiError } from '../../kernel/errors.ts'
import { openAdmissionControl } from './load-shedding.ts'

const log = { warn: () => undefined }
const isRefused = (error: unknown) =>
  error instanceof ApiError &&
  error.code === 'unavailable' &&
  error.params.reason === 'overloaded' &&
  error.details.headers?.['retry-after'] === '1'

/** Requests that run until they are ended. */
function requests(workload: ReturnType<typeof openAdmissionControl>, count: number, client = 'one') {
  const ends: (() => void)[] = []
  const running = Array.from({ length: count }, () =>
    workload.during(client, () => new Promise<void>((resolve) => ends.push(resolve))),
  )
  return { end: (number: number) => ends.splice(0, number).forEach((end) => void end()), running }
}

test('the one too many is refused, and has room when another one has ended', async () => {
  const workload = openAdmissionControl(log, { most: 3, ofOne: 3, least: 3, always: 0 })
  const { end, running } = requests(workload, 3)
  let begun = false
  const late = workload.during('one', async () => {
    begun = true
  })
  await assert.rejects(late, isRefused)
  assert.equal(begun, false)
  assert.deepEqual([workload.inProgress, workload.refused], [3, 1])
  end(1)
  await running[0]
  assert.ok(workload.hasRoom('one'))
  end(2)
  await Promise.all(running)
  assert.equal(workload.inProgress, 0)
})

test('one that fails makes room as well', async () => {
  const workload = openAdmissionControl(log, { most: 1, ofOne: 1, least: 1, always: 0 })
  await assert.rejects(
    workload.during('one', () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  assert.equal(await workload.during('one', async () => 'done'), 'done')
})

test('fewer are let in while nothing gets done, and as many as ever when it does', async () => {
  let limit = 10
  const warn = (facts: unknown) => {
    limit = (facts as { limit: number }).limit
  }
  const workload = openAdmissionControl({ warn }, { most: 10, ofOne: 10, least: 2, always: 0 })
  const { end, running } = requests(workload, 10)
  await until('fewer are let in', async () => {
    await assert.rejects(workload.refuse(), isRefused)
    return limit === 2
  })
  end(8)
  await Promise.all(running.slice(0, 8))
  assert.ok(!workload.hasRoom('one'))
  end(2)
  await Promise.all(running)
  await until('ten are let in', async () => {
    const { end, running } = requests(workload, 10)
    const areIn = workload.inProgress === 10
    end(10)
    await Promise.allSettled(running)
    return areIn
  })
})

test('whose requests do not end shuts out nobody else, also when nothing else gets done', async () => {
  let limit = 8
  const warn = (facts: unknown) => {
    limit = (facts as { limit: number }).limit
  }
  const workload = openAdmissionControl({ warn }, { most: 8, ofOne: 6, least: 1, always: 2 })
  const { end, running } = requests(workload, 6)
  await assert.rejects(
    workload.during('one', async () => 'done'),
    isRefused,
  )
  await until('fewer are let in', async () => {
    await assert.rejects(workload.refuse(), isRefused)
    return limit === 1
  })
  assert.equal(await workload.during('another', async () => 'done'), 'done')
  end(6)
  await Promise.all(running)
})
