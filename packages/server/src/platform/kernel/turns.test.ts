import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurns } from './turns.ts'

/** The names of those who have had a turn, in order; each ends its turn at once. */
async function orderOf(turns: ReturnType<typeof openTurns>, keys: string[]): Promise<string[]> {
  const order: string[] = []
  await Promise.all(
    keys.map(async (key) => {
      const leave = await turns.take(key, 60_000)
      order.push(key)
      leave!()
    }),
  )
  return order
}

test('keys take turns: the next one of the same key comes after those of all others', async () => {
  const turns = openTurns({ most: 1, ofOne: 1 })
  const leave = await turns.take('one', 0)
  const order = orderOf(turns, ['one', 'one', 'two', 'three'])
  assert.equal(turns.waiting, 4)
  leave!()
  assert.deepEqual(await order, ['two', 'three', 'one', 'one'])
  assert.equal(turns.waiting, 0)
})

test('one key has no more than its turns, however many are free', async () => {
  const turns = openTurns({ most: 3, ofOne: 2 })
  const [first] = [await turns.take('one', 0), await turns.take('one', 0)]
  assert.equal(await turns.take('one', 0), null)
  assert.ok(await turns.take('two', 0))
  assert.equal(await turns.take('three', 0), null)
  first!()
  first!() // once
  assert.ok(await turns.take('one', 0))
  assert.equal(await turns.take('three', 0), null)
})

test('who has waited for too long, or finds too many waiting, gets none', async () => {
  const turns = openTurns({ ofOne: 1, waiting: 3, waitingOfOne: 2 })
  for (const key of ['one', 'two']) await turns.take(key, 0)
  const late = turns.take('one', 1)
  const [, , other] = [turns.take('one', 60_000), await late, turns.take('two', 60_000)]
  assert.equal(await late, null)
  const third = turns.take('one', 60_000)
  assert.equal(await turns.take('one', 60_000), null)
  assert.equal(await turns.take('two', 60_000), null)
  turns.close()
  assert.deepEqual(await Promise.all([other, third]), [null, null])
})
