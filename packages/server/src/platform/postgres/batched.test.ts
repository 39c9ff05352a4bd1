import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batched } from './batched.ts'
import type { Db } from './database.ts'

const database = (): Db => ({ state: new Map() }) as Partial<Db> as Db

/** A query that answers with its question and the number of its statement, and fails for `bad`. */
function counted() {
  const statements: [tenantId: string, questions: string[]][] = []
  const ask = batched(async (_db, tenantId, questions: string[]) => {
    statements.push([tenantId, questions])
    if (questions.includes('bad')) throw new Error('bad')
    return questions.map((question) => `${question}${statements.length}`)
  }, 3)
  return { statements, ask }
}

test('what is asked in one turn is one statement, equal questions once, with the answers in order', async () => {
  const { statements, ask } = counted()
  const db = database()
  const asked = ['b', 'a', 'b'].map((question) => ask(db, 'one', question))
  assert.deepEqual(await Promise.all(asked), ['b1', 'a1', 'b1'])
  assert.deepEqual(statements, [['one', ['b', 'a']]])
  assert.equal(await ask(db, 'one', 'a'), 'a2', 'a later question is asked anew')
})

test('a statement answers no more questions than it may', async () => {
  const { statements, ask } = counted()
  const db = database()
  await Promise.all(['a', 'b', 'c', 'd'].map((question) => ask(db, 'one', question)))
  assert.deepEqual(statements, [
    ['one', ['a', 'b', 'c']],
    ['one', ['d']],
  ])
})

test('environments and databases share nothing', async () => {
  const { statements, ask } = counted()
  const db = database()
  await Promise.all([ask(db, 'one', 'a'), ask(db, 'two', 'a'), ask(database(), 'one', 'a')])
  assert.deepEqual(statements, [
    ['one', ['a']],
    ['two', ['a']],
    ['one', ['a']],
  ])
})

test('a statement that fails fails for those who share it alone', async () => {
  const { ask } = counted()
  const db = database()
  const all = await Promise.allSettled([ask(db, 'one', 'a'), ask(db, 'one', 'bad'), ask(db, 'two', 'a')])
  assert.deepEqual(
    all.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
})
