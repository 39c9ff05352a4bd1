import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { JobFailed } from '../../jobs/kinds.ts'
import { linesIn } from './source.ts'

/* The limits of a file, smaller than those of imports. */

const limits = { lines: 100, unpackedBytes: 1_000_000 }

async function read(bytes: Buffer): Promise<number> {
  let count = 0
  for await (const lines of linesIn(Readable.from([bytes]), limits)) count += lines.length
  return count
}

const refusal = (message: RegExp) => (error: JobFailed) => {
  assert.equal(error.reason.code, 'file_too_large')
  assert.match(error.reason.detail, message)
  return true
}

for (const [how, packed] of [
  ['compressed', gzipSync],
  ['plain', (bytes: Buffer) => bytes],
] as const) {
  test(`a ${how} file with more bytes than the limit is refused, whatever its lines are`, async () => {
    const words = Buffer.from(`${'x'.repeat(9_999)}\n`.repeat(100))
    assert.equal(await read(packed(words)), 100)
    const more = Buffer.concat([words, Buffer.from('x')])
    await assert.rejects(read(packed(more)), refusal(/more than 1000000 uncompressed bytes/))
    await assert.rejects(read(packed(Buffer.alloc(50_000_000))), refusal(/more than 1000000/))
  })

  test(`a ${how} file with more lines than the limit is refused, empty ones included`, async () => {
    assert.equal(await read(packed(Buffer.from('\n'.repeat(99).concat('x')))), 1)
    await assert.rejects(read(packed(Buffer.from('\n'.repeat(101)))), refusal(/more than 100 lines/))
  })
}
