import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writeRegularly } from './regular-writes.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('counts in memory', () => {
  test('are all written as soon as the server stops, and once more when its requests have ended', async () => {
    const counts = ['before']
    const written: string[] = []
    const write = async (isStopping: boolean) => {
      assert.ok(isStopping)
      written.push(...counts.splice(0))
    }
    const writes = writeRegularly(write, assert.ifError, 60_000)
    writes.stopping()
    await turn()
    assert.deepEqual(written, ['before'])
    counts.push('of a last request')
    await writes.close()
    assert.deepEqual(written, ['before', 'of a last request'])
  })

  test('are not written by two writes at once, and only failures of the last write lose some', async () => {
    const failures: boolean[] = []
    let open = 0
    async function write(): Promise<void> {
      assert.equal(++open, 1)
      await turn()
      open--
      throw new Error('gone')
    }
    const writes = writeRegularly(write, (_, willRetry) => failures.push(willRetry), 60_000)
    writes.stopping()
    await writes.close()
    assert.deepEqual(failures, [true, false])
  })
})
