import assert from 'node:assert/strict'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { recordsOf, spoolLines } from './spool.ts'

/** Lets each call of `write` write only half of a buffer, as the system may when a disk is nearly full. */
async function writeHalves(t: TestContext, directory: string): Promise<void> {
  const handle = await open(join(directory, 'any'), 'w')
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { write } = prototype
  t.mock.method(prototype, 'write', function (this: FileHandle, bytes: string | Uint8Array) {
    const all = Buffer.from(bytes as Uint8Array)
    return write.call(this, all.subarray(0, all.length >> 1) as never)
  })
}

test('lines are set aside completely where the system writes only parts of them', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'backline-test-'))
  t.after(() => rm(directory, { recursive: true }))
  await writeHalves(t, directory)
  const lines = Array.from({ length: 1_000 }, (_, i) => ({
    number: i + 1,
    text: Buffer.from(JSON.stringify({ type: 'tag', external_id: `t${i}`, name: 'x'.repeat(200) })),
    fault: null,
  }))
  const { files } = await spoolLines(directory, Readable.from([lines]), {
    expectedBytes: 1_000,
    isDry: false,
    signal: new AbortController().signal,
  })
  const numbers: number[] = []
  for await (const records of recordsOf(files.get('tag')!))
    numbers.push(...records.map(({ number }) => number))
  assert.deepEqual(
    numbers,
    lines.map(({ number }) => number),
  )
})
