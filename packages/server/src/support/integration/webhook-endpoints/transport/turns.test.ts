import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurns } from './turns.ts'

test('each name has a limit of holders, others follow in order, and unused names are removed', async () => {
  const turns = openTurns(2)
  const entered: number[] = []
  const waiting = [1, 2, 3, 4].map((number) => turns.take('a').then(() => entered.push(number)))
  await turns.take('b')
  assert.deepEqual([entered, turns.size], [[1, 2], 2])
  turns.giveBack('a')
  await waiting[2]
  assert.deepEqual(entered, [1, 2, 3])
  for (const name of ['a', 'a', 'b', 'a']) turns.giveBack(name)
  await Promise.all(waiting)
  assert.deepEqual([entered, turns.size], [[1, 2, 3, 4], 0])
})
