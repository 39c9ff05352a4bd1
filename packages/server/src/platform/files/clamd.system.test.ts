import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { cleanUp, freePort, temporaryDirectory, until } from '@backline/test/processes.ts'
import { openClamd } from './clamd.ts'
import { ScannerUnavailable } from './scanner.ts'

/* The real clamd, with one signature instead of the database that freshclam downloads: it starts within a second. */

const isInstalled = spawnSync('clamd', ['--version']).status === 0
const needsClamd = { skip: isInstalled ? false : "no clamd: install Debian's package `clamav-daemon`" }

/** The test file of https://www.eicar.org, put together here so that no scanner finds it in this file. */
const eicar = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD', '-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)
const streamMaxLength = 2 ** 20

describe('clamd', needsClamd, () => {
  const directory = temporaryDirectory()
  const path = join(directory, 'clamd.socket')
  let port: number
  let daemon: ChildProcess
  let output = ''

  before(async () => {
    port = await freePort()
    const database = join(directory, 'database')
    mkdirSync(database)
    writeFileSync(join(database, 'test.ndb'), `Test.EICAR:0:*:${eicar.toString('hex')}\n`)
    const configuration = join(directory, 'clamd.conf')
    const settings = {
      Foreground: 'yes',
      DatabaseDirectory: database,
      TemporaryDirectory: directory,
      LocalSocket: path,
      TCPAddr: '127.0.0.1',
      TCPSocket: port,
      StreamMaxLength: streamMaxLength,
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`)
    writeFileSync(configuration, lines.join(''))
    daemon = spawn('clamd', ['--config-file', configuration])
    for (const stream of [daemon.stdout!, daemon.stderr!])
      stream.on('data', (data) => {
        output += data
      })
    await until('clamd answers', () => {
      assert.equal(daemon.exitCode, null, output)
      return openClamd({ path })
        .ping()
        .then(
          () => true,
          () => false,
        )
    })
  })

  after(async () => {
    if (daemon.exitCode === null) {
      const ended = new Promise((resolve) => daemon.once('exit', resolve))
      daemon.kill('SIGKILL')
      await ended
    }
    await cleanUp()
  })

  const addresses = { 'a TCP port': () => ({ host: '127.0.0.1', port }), 'a local socket': () => ({ path }) }
  for (const [name, address] of Object.entries(addresses)) {
    test(`${name}: malware is found, other bytes are clean`, async () => {
      const scanner = openClamd(address())
      await scanner.ping()
      const malware = Readable.from([Buffer.from('before '), eicar.subarray(0, 30), eicar.subarray(30)])
      assert.deepEqual(await scanner.scan(malware), { infected: 'Test.EICAR.UNOFFICIAL' })
      assert.deepEqual(await scanner.scan(Readable.from([Buffer.from('harmless')])), { infected: null })
      assert.deepEqual(await scanner.scan(Readable.from([])), { infected: null })
    })

    test(`${name}: a file up to StreamMaxLength is scanned as a whole`, async () => {
      const padding = Buffer.alloc(streamMaxLength - eicar.length, 'x')
      const scanned = await openClamd(address()).scan(Readable.from([padding, eicar]))
      assert.deepEqual(scanned, { infected: 'Test.EICAR.UNOFFICIAL' })
    })

    test(`${name}: a file over StreamMaxLength has no verdict, and the reason says what to do`, async () => {
      const scanner = openClamd(address())
      for (let round = 0; round < 20; round++) {
        const tooLong = Readable.from(pieces(64))
        await assert.rejects(scanner.scan(tooLong), (error) => {
          assert.ok(error instanceof ScannerUnavailable)
          assert.match(error.message, /raise StreamMaxLength/)
          return true
        })
      }
    })

    test(`${name}: several files are scanned at a time`, async () => {
      const scanner = openClamd(address())
      const scans = Array.from({ length: 20 }, async (_, i) => {
        const content = i % 2 ? eicar : Buffer.from(`harmless ${i}`)
        return (await scanner.scan(Readable.from([Buffer.alloc(100_000, 'x'), content]))).infected
      })
      const expected = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'Test.EICAR.UNOFFICIAL' : null))
      assert.deepEqual(await Promise.all(scans), expected)
    })
  }
})

function* pieces(count: number): Iterable<Buffer> {
  for (let i = 0; i < count; i++) yield Buffer.alloc(2 ** 20, 'x')
}
