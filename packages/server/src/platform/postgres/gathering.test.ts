import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Db } from './database.ts'
import { openGathering } from './gathering.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('counts in memory', () => {
  test('are all written as soon as the server stops, and once more when its requests have ended', async () => {
    const gathering = openGathering({} as Db, assert.ifError)
    const counts = ['before']
    const written: string[] = []
    gathering.add(async (_, isStopping) => {
      assert.ok(isStopping)
      written.push(...counts.splice(0))
    })
    gathering.stopping()
    await turn()
    assert.deepEqual(written, ['before'])
    counts.push('of a last request')
    await gathering.close()
    assert.deepEqual(written, ['before', 'of a last request'])
  })

  test('are not written by two writes at once, and only failures of the last write lose some', async () => {
    const failures: boolean[] = []
    const gathering = openGathering({} as Db, (_, willRetry) => failures.push(willRetry))
    let open = 0
    gathering.add(async () => {
      assert.equal(++open, 1)
      await turn()
      open--
      throw new Error('gone')
    })
    gathering.stopping()
    await gathering.close()
    assert.deepEqual(failures, [true, false])
  })
})
