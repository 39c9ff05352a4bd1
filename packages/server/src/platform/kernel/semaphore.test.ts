import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSemaphore, type Semaphore } from './semaphore.ts'

/** The keys in the order in which they have had a slot; each is released at once. */
async function orderOf(slots: Semaphore, keys: string[]): Promise<string[]> {
  const order: string[] = []
  await Promise.all(
    keys.map(async (key) => {
      const release = await slots.acquire(key, 60_000)
      order.push(key)
      release!()
    }),
  )
  return order
}

test('keys take turns: the next one of the same key comes after those of all others', async () => {
  const slots = openSemaphore({ limit: 1, limitOfKey: 1 })
  const release = await slots.acquire('one', 0)
  const order = orderOf(slots, ['one', 'one', 'two', 'three'])
  assert.equal(slots.waiting, 4)
  release!()
  assert.deepEqual(await order, ['two', 'three', 'one', 'one'])
  assert.equal(slots.waiting, 0)
})

test('a key has no more slots than its limit, however many are free', async () => {
  const slots = openSemaphore({ limit: 3, limitOfKey: 2 })
  const [first] = [await slots.acquire('one', 0), await slots.acquire('one', 0)]
  assert.equal(await slots.acquire('one', 0), null)
  assert.ok(await slots.acquire('two', 0))
  assert.equal(await slots.acquire('three', 0), null)
  first!()
  first!() // once
  assert.ok(await slots.acquire('one', 0))
  assert.equal(await slots.acquire('three', 0), null)
})

test('who has waited for too long, or finds too many waiting, gets none', async () => {
  const slots = openSemaphore({ limitOfKey: 1, waiting: 3, waitingOfKey: 2 })
  for (const key of ['one', 'two']) await slots.acquire(key, 0)
  const late = slots.acquire('one', 1)
  const [, , other] = [slots.acquire('one', 60_000), await late, slots.acquire('two', 60_000)]
  assert.equal(await late, null)
  const third = slots.acquire('one', 60_000)
  assert.equal(await slots.acquire('one', 60_000), null)
  assert.equal(await slots.acquire('two', 60_000), null)
  slots.close()
  assert.deepEqual(await Promise.all([other, third]), [null, null])
})

test('keys without a limit in total do not wait for each other', async () => {
  const slots = openSemaphore({ limitOfKey: 1 })
  const [one, two] = [slots.tryAcquire('one'), slots.tryAcquire('two')]
  assert.equal(slots.tryAcquire('one'), null)
  const [ofTwo, ofOne] = [orderOf(slots, ['two']), orderOf(slots, ['one', 'one'])]
  one!()
  assert.deepEqual(await ofOne, ['one', 'one'])
  assert.equal(slots.waiting, 1)
  two!()
  assert.deepEqual(await ofTwo, ['two'])
})

test('a signal ends a wait, and what was waiting takes no slot', async () => {
  const slots = openSemaphore({ limit: 1 })
  const release = slots.tryAcquire('')
  const [ending, later] = [new AbortController(), slots.acquire('', Number.POSITIVE_INFINITY)]
  const ended = slots.acquire('', Number.POSITIVE_INFINITY, ending.signal)
  ending.abort()
  assert.equal(await ended, null)
  assert.equal(await slots.acquire('', 1_000, ending.signal), null)
  release!()
  assert.ok(await later)
  assert.equal(slots.waiting, 0)
})
