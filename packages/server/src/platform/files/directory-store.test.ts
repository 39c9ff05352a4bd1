import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { contentOf, storeSuite, write } from '@backline/test/file-stores.ts'
import { cleanUp, temporaryDirectory } from '@backline/test/processes.ts'
import { openDirectoryStore } from './directory-store.ts'
import { type FileStore, StoreUnavailable } from './store.ts'

after(cleanUp)

const directory = join(temporaryDirectory(), 'data', 'files')
let store: FileStore
before(async () => {
  store = await openDirectoryStore(directory)
})

const countIn = (path: string) => readdirSync(join(path, 'incoming')).length

/** Writes of other tests are in `incoming` while they run. */
const otherTests = () => 0
storeSuite('the directory store', () => store, otherTests)

describe('after all writes', { concurrency: 1 }, () => {
  test('no temporary file is left, and the owner alone can read what there is', () => {
    assert.equal(countIn(directory), 0)
    const modes = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777
      return [entry.isFile() ? 0o600 : 0o700, mode]
    })
    assert.ok(modes.length > 10)
    for (const [expected, mode] of modes) assert.equal(mode, expected)
    assert.equal(statSync(directory).mode & 0o777, 0o700)
  })

  test('directories that became empty are gone', () => {
    assert.ok(!existsSync(join(directory, 'objects/some-place')))
    assert.ok(!existsSync(join(directory, 'objects/check')))
    assert.ok(existsSync(join(directory, 'objects')))
  })

  test('leftovers of three hours are removed, younger ones and whole files are not', async () => {
    await write(store, 'kept/file', Buffer.from('kept'))
    const [old, young] = [join(directory, 'incoming/old'), join(directory, 'incoming/young')]
    for (const file of [old, young]) writeFileSync(file, 'half')
    const secondsAgo = (seconds: number) => Date.now() / 1_000 - seconds
    utimesSync(old, secondsAgo(10_801), secondsAgo(10_801))
    utimesSync(young, secondsAgo(10_700), secondsAgo(10_700))
    const kept = join(directory, 'objects/kept/file')
    utimesSync(kept, secondsAgo(100_000), secondsAgo(100_000))
    await store.removeLeftovers()
    assert.deepEqual([existsSync(old), existsSync(young), existsSync(kept)], [false, true, true])
    rmSync(young)
  })

  test('a store that is opened again has its files', async () => {
    const again = await openDirectoryStore(directory)
    assert.equal(String(await contentOf(again, 'kept/file')), 'kept')
  })
})

/** Makes a function of node:fs/promises fail for one call of work. */
async function failing(
  name: 'link' | 'open' | 'rename' | 'copyFile' | 'opendir',
  code: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const real = fs[name]
  const fail = async () => {
    throw Object.assign(new Error(`${code}: failed by the test, ${name}`), { code, syscall: name })
  }
  Object.assign(fs, { [name]: fail })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, { [name]: real })
    syncBuiltinESMExports()
  }
}

describe('on a file system without hard links', { concurrency: 1 }, () => {
  test('a copy has bytes of its own, whole or not at all', async () => {
    const bytes = randomBytes(500_000)
    await write(store, 'copies/from', bytes)
    await failing('link', 'EPERM', async () => {
      assert.equal(await store.copy('copies/from', 'copies/to'), true)
      await write(store, 'copies/from', Buffer.from('later'))
      assert.equal(await store.copy('copies/from', 'copies/to'), true)
      assert.equal(await store.copy('copies/none', 'copies/other'), false)
    })
    assert.ok(bytes.equals(await contentOf(store, 'copies/to')))
    assert.equal(statSync(join(directory, 'objects/copies/to')).nlink, 1)
    assert.equal(statSync(join(directory, 'objects/copies/to')).mode & 0o777, 0o600)
    await failing('link', 'EPERM', () =>
      failing('rename', 'ENOSPC', () =>
        assert.rejects(store.copy('copies/from', 'copies/never'), StoreUnavailable),
      ),
    )
    assert.equal(await store.sizeOf('copies/never'), null)
    assert.equal(countIn(directory), 0)
  })
})

describe('an error of the file system names the directory and a remedy', { concurrency: 1 }, () => {
  for (const [code, remedy] of [
    ['ENOSPC', /free some space/],
    ['EDQUOT', /raise the quota/],
    ['EROFS', /mount the file system writable/],
    ['EACCES', /run Backline as the user that owns the directory/],
    ['EIO', /check the disk/],
    ['EMFILE', /raise the limit of open files/],
  ] as const) {
    test(code, async () => {
      const isClear = (error: unknown) =>
        error instanceof StoreUnavailable && error.message.includes(directory) && remedy.test(error.message)
      await failing('open', code, async () => {
        const bytes = Readable.from([Buffer.from('x')])
        await assert.rejects(store.write('a/b', bytes, 1), isClear)
        assert.equal(bytes.destroyed, true)
        await assert.rejects(store.read('kept/file'), isClear)
      })
      await failing('rename', code, () => assert.rejects(write(store, 'a/b', Buffer.from('x')), isClear))
      assert.equal(countIn(directory), 0)
      await failing('rename', code, () =>
        assert.rejects(store.check(), (error) => isClear(error) && /cannot write/.test(String(error))),
      )
      await failing('opendir', code, () => assert.rejects(store.removeLeftovers(), isClear))
    })
  }

  test('a real full disk', { skip: !existsSync('/dev/full') }, async () => {
    const real = fs.open
    Object.assign(fs, {
      open: (file: string, flags: string, mode: number) =>
        real(flags === 'wx' ? '/dev/full' : file, flags === 'wx' ? 'w' : flags, mode),
    })
    syncBuiltinESMExports()
    try {
      const full = (error: unknown) =>
        error instanceof StoreUnavailable && /ENOSPC.*free some space/.test(error.message)
      await assert.rejects(write(store, 'full/disk', randomBytes(1_000_000)), full)
    } finally {
      Object.assign(fs, { open: real })
      syncBuiltinESMExports()
    }
    assert.equal(await store.sizeOf('full/disk'), null)
  })
})

test('a directory that disappears is a store that is away, not files that do not exist', async () => {
  const path = join(temporaryDirectory(), 'files')
  const volume = await openDirectoryStore(path)
  await write(volume, 'a/b', Buffer.from('x'))
  renameSync(path, `${path}.unmounted`)
  mkdirSync(path) // the mount point
  const isAway = (error: unknown) =>
    error instanceof StoreUnavailable && /does not exist: mount or restore/.test(error.message)
  await assert.rejects(volume.read('a/b'), isAway)
  await assert.rejects(volume.sizeOf('a/b'), isAway)
  await assert.rejects(volume.copy('a/b', 'a/c'), isAway)
  await assert.rejects(volume.remove('a/b'), isAway)
  await assert.rejects(write(volume, 'a/c', Buffer.from('y')), isAway)
  await assert.rejects(volume.removeLeftovers(), isAway)
  await assert.rejects(volume.check(), StoreUnavailable)
  assert.deepEqual(readdirSync(path), [])
  rmSync(path, { recursive: true })
  renameSync(`${path}.unmounted`, path)
  assert.equal(String(await contentOf(volume, 'a/b')), 'x')
})

test('a directory that cannot be used is refused when it is opened', async () => {
  const parent = temporaryDirectory()
  writeFileSync(join(parent, 'file'), '')
  for (const path of [join(parent, 'file'), join(parent, 'file/files')])
    await assert.rejects(openDirectoryStore(path), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable)
      return error.message.includes(path) && /remove the file that is in the place/.test(error.message)
    })
  await assert.rejects(openDirectoryStore('/proc/backline/files'), StoreUnavailable)
})

test('a directory of another user is refused when it is opened', {
  skip: process.getuid?.() === 0,
}, async () => {
  const path = join(temporaryDirectory(), 'files')
  await openDirectoryStore(path)
  chmodSync(join(path, 'incoming'), 0o500)
  await assert.rejects(openDirectoryStore(path), /run Backline as the user that owns the directory/)
})
