import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { openSecretBox } from '@backline/server/compose/secret-key.ts'
import { parseSecretKey } from '@backline/server/platform/kernel/secret-box.ts'
import { type Database, openDatabase } from '@backline/server/platform/postgres/database.ts'
import { cloneDatabase, urlOf } from './databases.ts'
import { cleanUp, freePort, launch, startServer, temporaryDirectory } from './processes.ts'

/* The key that encrypts secrets: created once, private, and the same for all processes of a database. */

after(cleanUp)

const secretKeys = null
const otherKey = Buffer.alloc(32, 'other').toString('base64')
const fileIn = (dataDir: string) => join(dataDir, 'secret.key')
const modeOf = (file: string) => statSync(file).mode & 0o777
const keysIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('secret.key'))

/** A data directory with this content as its key. */
function directoryWith(content: string, mode = 0o600): string {
  const dataDir = temporaryDirectory()
  writeFileSync(fileIn(dataDir), content)
  chmodSync(fileIn(dataDir), mode) // for any umask
  return dataDir
}

/** Runs a test on a new database that knows no key. */
async function withDatabase(work: (db: Database, url: string) => Promise<void>): Promise<void> {
  const { connection, drop } = await cloneDatabase()
  const db = openDatabase(connection, () => undefined)
  try {
    await work(db, urlOf(connection))
  } finally {
    await db.close()
    await drop()
  }
}

describe('a key that nobody has set', () => {
  test('is made in the data directory, for its owner alone, and is the same after a restart', async () => {
    const dataDir = join(temporaryDirectory(), 'support desk "ü"')
    const environment = { BACKLINE_DATA_DIR: dataDir }
    const first = await startServer({ environment })
    await first.firstKeys()
    await first.stop()
    const made = readFileSync(fileIn(dataDir), 'utf8')
    assert.ok(parseSecretKey(made.trim()))
    assert.equal(modeOf(fileIn(dataDir)), 0o600)
    assert.deepEqual(keysIn(dataDir), ['secret.key'])
    assert.ok(!`${first.stdout}${first.stderr}`.includes(made.trim()))

    await startServer({ environment })
    assert.equal(readFileSync(fileIn(dataDir), 'utf8'), made)
  })

  test('is one key for two servers that start at once on a directory that is not there yet', async () => {
    await withDatabase(async (_, url) => {
      const dataDir = join(temporaryDirectory(), 'not', 'there')
      const environment = { DATABASE_URL: url, BACKLINE_DATA_DIR: dataDir }
      const servers = await Promise.all([startServer({ environment }), startServer({ environment })])
      await Promise.all(servers.map((server) => server.stop()))
      assert.deepEqual(keysIn(dataDir), ['secret.key'])
      assert.equal(modeOf(dataDir), 0o700)
    })
  })

  test('is one key for many that make it in the same moment', async () => {
    await withDatabase(async (db) => {
      const dataDir = temporaryDirectory()
      const boxes = await Promise.all(
        Array.from({ length: 16 }, () => openSecretBox(db, { secretKeys, dataDir })),
      )
      const sealed = await Promise.all(boxes.map((box, i) => box.seal(String(i))))
      for (const box of boxes)
        assert.deepEqual(
          await Promise.all(sealed.map((each) => box.open(each))),
          boxes.map((_, i) => String(i)),
        )
      assert.deepEqual(keysIn(dataDir), ['secret.key'])
    })
  })

  test('is not made anew when it is lost: what to do is said in a line', async () => {
    await withDatabase(async (db) => {
      await openSecretBox(db, { secretKeys, dataDir: temporaryDirectory() })
      const dataDir = temporaryDirectory()
      const message = new RegExp(
        `${fileIn(dataDir)} does not exist: copy secret.key into ${dataDir} .*, or set BACKLINE_SECRET_KEY`,
      )
      await assert.rejects(openSecretBox(db, { secretKeys, dataDir }), { name: 'SecretKeyError', message })
      assert.deepEqual(keysIn(dataDir), [])
    })
  })
})

describe('a key in a file', () => {
  const refused = async (dataDir: string, message: RegExp) => {
    await withDatabase(async (db) => {
      await assert.rejects(openSecretBox(db, { secretKeys, dataDir }), (error: Error) => {
        assert.equal(error.name, 'SecretKeyError')
        assert.match(error.message, message)
        assert.ok(!inspect(error).includes('geheim'))
        return true
      })
    })
  }

  test('may have been made by hand, and be set in its place', async () => {
    await withDatabase(async (db) => {
      const hex = Buffer.from(otherKey, 'base64').toString('hex')
      const box = await openSecretBox(db, { secretKeys, dataDir: directoryWith(`${hex}\r\n`) })
      const unused = join(temporaryDirectory(), 'unused')
      const same = await openSecretBox(db, { secretKeys: [parseSecretKey(otherKey)!], dataDir: unused })
      assert.equal(await same.open(await box.seal('x')), 'x')
      assert.ok(!existsSync(unused))
    })
  })

  for (const mode of [0o644, 0o640, 0o604, 0o620]) {
    const octal = mode.toString(8).padStart(4, '0')
    test(`that is open to others (${octal}) is refused`, () =>
      refused(
        directoryWith(otherKey, mode),
        new RegExp(`secret\\.key is accessible to other users \\(mode ${octal}\\): .*chmod 600`),
      ))
  }

  for (const content of ['', 'geheim', `${otherKey}${otherKey}`, otherKey.slice(0, 20)]) {
    test(`that is not a key is refused and not replaced: ${JSON.stringify(content)}`, async () => {
      const dataDir = directoryWith(content)
      await refused(
        dataDir,
        /secret\.key does not contain a secret key: restore it .*BACKLINE_SECRET_KEY; a key must be 32 bytes/,
      )
      assert.equal(readFileSync(fileIn(dataDir), 'utf8'), content)
    })
  }

  test('that cannot be made or read is refused by name', async () => {
    const dataDir = directoryWith(otherKey)
    await refused(
      join(fileIn(dataDir), 'below'),
      /cannot use the secret key file .*below.*: run Backline as .*BACKLINE_SECRET_KEY/,
    )
    mkdirSync(fileIn(join(dataDir, 'directory')), { recursive: true, mode: 0o700 })
    await refused(join(dataDir, 'directory'), /cannot use the secret key file .*EISDIR/)
  })
})

describe('a second server on a database that knows its key', () => {
  let url: string
  let drop: () => Promise<void>
  let dataDir: string
  before(async () => {
    const database = await cloneDatabase()
    drop = database.drop
    url = urlOf(database.connection)
    dataDir = temporaryDirectory()
    await startServer({ environment: { DATABASE_URL: url, BACKLINE_DATA_DIR: dataDir } })
  })
  after(() => drop())

  /** Asserts that the server prints one line with this message and exits with 1. */
  async function refuses(environment: Record<string, string>, message: RegExp): Promise<void> {
    const server = launch({
      environment: { DATABASE_URL: url, PORT: String(await freePort()), ...environment },
    })
    assert.deepEqual(await server.ended(), { code: 1, signal: null })
    assert.match(server.stderr, /^[^\n]+\n$/)
    assert.match(server.stderr, message)
    assert.ok(!server.output.includes(otherKey))
  }

  test('refuses to start with another key in its file', () =>
    refuses(
      { BACKLINE_DATA_DIR: directoryWith(otherKey) },
      /^the secrets in the database are encrypted with another key than the one in \/.*secret\.key: copy secret\.key into .* from the server that created it.*, or set BACKLINE_SECRET_KEY/,
    ))

  test('refuses to start with another key as the setting, although the file has the right one', () =>
    refuses(
      { BACKLINE_DATA_DIR: dataDir, BACKLINE_SECRET_KEY: otherKey },
      /^the secrets in the database are encrypted with another key than the one in BACKLINE_SECRET_KEY: set BACKLINE_SECRET_KEY to that key/,
    ))

  test('starts with a copy of the file', async () => {
    const copy = temporaryDirectory()
    cpSync(fileIn(dataDir), fileIn(copy))
    await startServer({ environment: { DATABASE_URL: url, BACKLINE_DATA_DIR: copy } })
  })

  test('starts with the content of the file as the setting', async () => {
    const content = readFileSync(fileIn(dataDir), 'utf8')
    await startServer({ environment: { DATABASE_URL: url, BACKLINE_SECRET_KEY: content } })
  })
})
