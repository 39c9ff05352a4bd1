import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { type FileStore, NoSuchBytes, WrongSize } from '@backline/server/platform/files/store.ts'

/* The properties that every store of files has. */

export const write = (store: FileStore, key: string, bytes: Buffer): Promise<void> =>
  store.write(key, chunksOf(bytes), bytes.length)

export const chunksOf = (bytes: Buffer, size = 60_000): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
    { objectMode: false },
  )

export const contentOf = async (store: FileStore, key: string, range?: { start: number; end: number }) =>
  buffer(await store.read(key, range))

/**
 * @param leftovers counts what interrupted writes have left in the store
 * @param hasFaults for a server with faults of its own: in ranges, in concurrent writes of a file and in a directory that
 * others empty, and for readers of a file that is replaced
 */
export function storeSuite(
  name: string,
  open: () => FileStore,
  leftovers: () => number,
  hasFaults = false,
): void {
  const newKey = () => `one-tenant/${randomUUID()}`

  describe(name, { concurrency: hasFaults ? 1 : 4 }, () => {
    for (const size of [0, 1, 65_536, 1_000_001]) {
      test(`${size} bytes are read as they were written`, async () => {
        const [key, bytes] = [newKey(), randomBytes(size)]
        await write(open(), key, bytes)
        assert.ok(bytes.equals(await contentOf(open(), key)))
        assert.equal(await open().sizeOf(key), size)
      })
    }

    test('a range has both its ends', { skip: hasFaults }, async () => {
      const [key, bytes] = [newKey(), randomBytes(300_000)]
      await write(open(), key, bytes)
      for (const [start, end] of [
        [0, 0],
        [1, 1],
        [0, 299_999],
        [299_999, 299_999],
        [10, 270_000],
        [299_990, 1_000_000],
      ] as const)
        assert.ok(
          bytes.subarray(start, end + 1).equals(await contentOf(open(), key, { start, end })),
          `${start}`,
        )
    })

    test('a key with each character that keys may have is found again', async () => {
      const key = `Ab0/c.d-e/${randomUUID()}..x-.`
      await write(open(), key, Buffer.from('odd'))
      assert.equal(String(await contentOf(open(), key)), 'odd')
      await open().remove(key)
      assert.equal(await open().sizeOf(key), null)
    })

    test('keys that the server does not make are refused', async () => {
      for (const key of [
        '',
        '/etc/passwd',
        '../x',
        'a/../b',
        'a//b',
        'a/',
        'a/.hidden',
        'a b',
        'a\0b',
        'ä',
      ]) {
        await assert.rejects(open().read(key), /is not a key/, key)
        await assert.rejects(open().write(key, Readable.from([]), 0), /is not a key/, key)
        await assert.rejects(open().remove(key), /is not a key/, key)
        await assert.rejects(open().copy('a', key), /is not a key/, key)
      }
    })

    test('a key that does not exist has no bytes and no size, and its removal is no error', async () => {
      const key = newKey()
      await assert.rejects(open().read(key), NoSuchBytes)
      await assert.rejects(open().read(key, { start: 0, end: 5 }), NoSuchBytes)
      assert.equal(await open().sizeOf(key), null)
      assert.equal(await open().copy(key, newKey()), false)
      await open().remove(key)
    })

    test('a removed key is gone, and can be written again', async () => {
      const key = newKey()
      await write(open(), key, Buffer.from('first'))
      await open().remove(key)
      await open().remove(key)
      await assert.rejects(open().read(key), NoSuchBytes)
      await write(open(), key, Buffer.from('second'))
      assert.equal(String(await contentOf(open(), key)), 'second')
    })

    test('a later write replaces the bytes, and a copy keeps those before', async () => {
      const [from, to] = [newKey(), newKey()]
      await write(open(), from, Buffer.from('before'))
      assert.equal(await open().copy(from, to), true)
      await write(open(), from, Buffer.from('after, and longer'))
      assert.equal(String(await contentOf(open(), from)), 'after, and longer')
      assert.equal(String(await contentOf(open(), to)), 'before')
      await open().remove(from)
      assert.equal(String(await contentOf(open(), to)), 'before')
    })

    test('a copy to a key that exists leaves it as it is', async () => {
      const [from, to] = [newKey(), newKey()]
      await write(open(), from, Buffer.from('before'))
      await open().copy(from, to)
      await write(open(), from, Buffer.from('after'))
      assert.equal(await open().copy(from, to), true)
      await open().remove(from)
      assert.equal(await open().copy(from, to), true)
      assert.equal(String(await contentOf(open(), to)), 'before')
    })

    test('an aborted write leaves nothing', async () => {
      const key = newKey()
      const before = leftovers()
      const aborted = Readable.from(
        (async function* () {
          yield randomBytes(100_000)
          throw new Error('the client went away')
        })(),
        { objectMode: false },
      )
      await assert.rejects(open().write(key, aborted, 200_000), /the client went away/)
      assert.equal(await open().sizeOf(key), null)
      assert.equal(leftovers(), before)
    })

    test('a stream that was destroyed before leaves nothing', async () => {
      const key = newKey()
      const gone = chunksOf(randomBytes(100))
      gone.on('error', () => undefined).destroy(new Error('gone before'))
      await assert.rejects(open().write(key, gone, 100))
      assert.equal(await open().sizeOf(key), null)
    })

    for (const [title, announced] of [
      ['fewer', 100_001],
      ['more', 99_999],
      ['any instead of no', 0],
    ] as const) {
      test(`${title} bytes than announced are not stored`, async () => {
        const key = newKey()
        await write(open(), key, Buffer.from('as before'))
        const bytes = chunksOf(randomBytes(100_000))
        await assert.rejects(open().write(key, bytes, announced), WrongSize)
        assert.equal(bytes.destroyed, true)
        assert.equal(String(await contentOf(open(), key)), 'as before')
      })
    }

    test('a reader that began before the key was replaced and removed reads the former bytes', {
      skip: hasFaults,
    }, async () => {
      const [key, bytes] = [newKey(), randomBytes(3_000_000)]
      await write(open(), key, bytes)
      const stream = await open().read(key)
      await write(open(), key, Buffer.from('new'))
      await open().remove(key)
      assert.ok(bytes.equals(await buffer(stream)))
    })

    test('a reader may stop in the middle', async () => {
      const key = newKey()
      await write(open(), key, randomBytes(3_000_000))
      const stream = await open().read(key)
      await new Promise((resolve) => stream.once('data', resolve))
      stream.destroy()
      await new Promise((resolve) => stream.once('close', resolve))
      const unread = await open().read(key)
      unread.destroy()
      await new Promise((resolve) => unread.once('close', resolve))
    })

    test('concurrent writers and removers of one place do not disturb each other', {
      skip: hasFaults,
    }, async () => {
      const place = `some-place/${randomUUID()}`
      const work = Array.from({ length: 20 }, async (_, i) => {
        for (let round = 0; round < 5; round++) {
          const key = `${place}/deep/${i}`
          await write(open(), key, Buffer.from(`${i} ${round}`))
          assert.equal(String(await contentOf(open(), key)), `${i} ${round}`)
          await open().remove(key)
        }
      })
      await Promise.all(work)
    })

    test('concurrent writes of one key leave one of them whole', { skip: hasFaults }, async () => {
      const key = newKey()
      const all = Array.from({ length: 8 }, () => randomBytes(200_000))
      await Promise.all(all.map((bytes) => write(open(), key, bytes)))
      const found = await contentOf(open(), key)
      assert.ok(all.some((bytes) => bytes.equals(found)))
    })

    test('the check of the store passes and leaves nothing', async () => {
      const before = leftovers()
      await open().check()
      assert.equal(leftovers(), before)
    })
  })
}
