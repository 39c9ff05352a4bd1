import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { type Clamd, eicar, needsClamd, startClamd } from '@backline/test/clamd.ts'
import { cleanUp } from '@backline/test/processes.ts'
import { openClamd } from './clamd.ts'
import { ScannerUnavailable } from './scanner.ts'

const streamMaxLength = 2 ** 20

describe('clamd', needsClamd, () => {
  let clamd: Clamd

  before(async () => {
    clamd = await startClamd({ streamMaxLength })
  })
  after(async () => {
    await clamd?.stop()
    await cleanUp()
  })

  const addresses = {
    'a TCP port': () => ({ host: '127.0.0.1', port: clamd.port }),
    'a local socket': () => ({ path: clamd.path }),
  }
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
