import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { double, fail, here, hoard, work } from '@backline/test/thread-work.ts'
import type { ApiError } from './errors.ts'
import { openThreads, type Threads, TookTooLong } from './threads.ts'

const opened: Threads[] = []
after(() => Promise.all(opened.map((threads) => threads.close())))
function open(limits: Parameters<typeof openThreads>[0] = {}): Threads {
  const threads = openThreads(limits)
  opened.push(threads)
  return threads
}

const refused = (reason: string) => (error: ApiError) =>
  error.code === 'unavailable' && error.status === 503 && error.params.reason === reason

/** The reasons of their errors. */
const outcomes = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((each) => each.status === 'rejected' && each.reason.params.reason)

test('a function is called with its arguments, and its result comes back', async () => {
  assert.equal(await open().run('client', here, double, 21), 42)
})

test('what it throws comes back, and the next call finds a thread', async () => {
  const threads = open()
  await assert.rejects(threads.run('client', here, fail), { name: 'TypeError', message: 'This is a defect' })
  assert.equal(await threads.run('client', here, double, 1), 2)
})

test('a call that needs too much processor time is ended, and the next one finds a thread', async () => {
  const threads = open({ cpuMs: 500, patienceMs: 60_000 })
  await assert.rejects(threads.run('client', here, work, 1_000_000), TookTooLong)
  assert.equal(await threads.run('client', here, double, 1), 2)
})

test('the time of one call is not that of those before it', async () => {
  const threads = open({ cpuMs: 300, patienceMs: 60_000 })
  for (let i = 0; i < 4; i++) await threads.run('client', here, work, 100)
})

test('a call that needs too much memory is ended, and the next one finds a thread', async () => {
  const threads = open({ heapMb: 32, cpuMs: 60_000, patienceMs: 60_000 })
  await assert.rejects(threads.run('client', here, hoard), TookTooLong)
  assert.equal(await threads.run('client', here, double, 1), 2)
})

test('clients take turns: one whose calls are slow keeps nobody else waiting for more than one', async () => {
  const threads = open({ threads: 1 })
  const done: string[] = []
  const call = async (client: string, ms: number) => {
    await threads.run(client, here, work, ms)
    done.push(client)
  }
  const slow = Array.from({ length: 5 }, () => call('slow', 20))
  await Promise.all([...slow, call('quick', 0), call('other', 0)])
  assert.deepEqual(done, ['slow', 'quick', 'other', 'slow', 'slow', 'slow', 'slow'])
})

test('a client has one thread at a time, so that there is another one for others', async () => {
  const threads = open({ threads: 2, cpuMs: 60_000, patienceMs: 60_000 })
  const endless = outcomes([1, 2].map(() => threads.run('slow', here, work, 1_000_000)))
  assert.equal(await threads.run('quick', here, double, 1), 2)
  await threads.close()
  assert.deepEqual(await endless, ['shutting_down', 'shutting_down'])
})

test('calls beyond what may wait are refused, those of one client before those of others', async () => {
  const threads = open({ threads: 1, cpuMs: 60_000, patienceMs: 60_000, waiting: 3, waitingOfKey: 2 })
  const accepted = outcomes(
    ['slow', 'slow', 'slow', 'quick'].map((client) => threads.run(client, here, work, 1_000_000)),
  )
  await assert.rejects(threads.run('slow', here, double, 1), refused('overloaded'))
  await assert.rejects(threads.run('other', here, double, 1), refused('overloaded'))
  await threads.close()
  assert.deepEqual(await accepted, Array(4).fill('shutting_down'))
})

test('a call is given up when it has waited for too long', async () => {
  const threads = open({ threads: 1, cpuMs: 60_000, patienceMs: 300 })
  const calls = outcomes(['slow', 'quick'].map((client) => threads.run(client, here, work, 1_000_000)))
  assert.deepEqual(await calls, ['overloaded', 'overloaded'])
})
