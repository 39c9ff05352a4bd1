import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { type ClamdLimits, openClamd } from './clamd.ts'
import { ScannerUnavailable } from './scanner.ts'

/* The faults of clamd, by a server that has them. `clamd.system.test.ts` runs the real one. */

const patient: ClamdLimits = { connect: 30_000, idle: 30_000, reply: 30_000, ping: 30_000, scan: 30_000 }

type Peer = { socket: Socket; received(): Buffer }

/** A clamd that behaves as `serve` says. */
async function clamd(t: TestContext, serve: (peer: Peer) => void, limits = patient) {
  const peers: Socket[] = []
  const server = createServer((socket) => {
    peers.push(socket.on('error', () => undefined))
    const data: Buffer[] = []
    socket.on('data', (piece: Buffer) => data.push(piece))
    serve({ socket, received: () => Buffer.concat(data) })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const peer of peers) peer.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { ...openClamd({ host: '127.0.0.1', port }, limits), port, peers }
}

/** Calls back once the client has sent the end of its stream. */
function atTheEnd({ socket, received }: Peer, then: () => void): void {
  socket.on('data', () => {
    if (received().subarray(-4).equals(Buffer.alloc(4))) then()
  })
}

const answering = (reply: string) => (peer: Peer) => atTheEnd(peer, () => void peer.socket.end(reply))
const text = (content = 'content') => Readable.from([Buffer.from(content)])
/** A stream that never ends, at the pace of its reader. */
const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536, 'x'))
    },
  })

const unavailable = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ScannerUnavailable, String(error))
  assert.match(error.message, message)
  return true
}

test('the bytes are sent in chunks with their length, and the reply is the verdict', async (t) => {
  let sent: Buffer = Buffer.alloc(0)
  const scanner = await clamd(t, (peer) =>
    atTheEnd(peer, () => {
      sent = peer.received()
      peer.socket.end('stream: OK\0')
    }),
  )
  const bytes = Readable.from([Buffer.from('ab'), Buffer.alloc(0), Buffer.from('cde')])
  assert.deepEqual(await scanner.scan(bytes), { infected: null })
  assert.equal(sent.toString('latin1'), 'zINSTREAM\0\0\0\0\x02ab\0\0\0\x03cde\0\0\0\0')
})

test('a chunk that is larger than 1 MiB is sent in several ones', async (t) => {
  const lengths: number[] = []
  const scanner = await clamd(t, (peer) =>
    atTheEnd(peer, () => {
      const sent = peer.received()
      for (let at = 10; at < sent.length; at += 4 + sent.readUInt32BE(at)) lengths.push(sent.readUInt32BE(at))
      peer.socket.end('stream: OK\0')
    }),
  )
  const bytes = Readable.from([Buffer.alloc(2 ** 21 + 1, 'x')])
  assert.deepEqual(await scanner.scan(bytes), { infected: null })
  assert.deepEqual(lengths, [2 ** 20, 2 ** 20, 1, 0])
})

test('a finding is named', async (t) => {
  const scanner = await clamd(t, answering('stream: Win.Test.EICAR_HDB-1 FOUND\0'))
  assert.deepEqual(await scanner.scan(text()), { infected: 'Win.Test.EICAR_HDB-1' })
})

test('a reply that arrives byte by byte is read as a whole', async (t) => {
  const scanner = await clamd(t, (peer) =>
    atTheEnd(peer, async () => {
      for (const character of 'stream: Name FOUND\0') {
        await new Promise<unknown>((sent) => peer.socket.setNoDelay().write(character, sent))
        await new Promise(setImmediate)
      }
    }),
  )
  assert.deepEqual(await scanner.scan(text()), { infected: 'Name' })
})

for (const [title, reply, message] of [
  ['an error', "Can't allocate memory ERROR\0", /it answered "Can't allocate memory ERROR"/],
  ['another text', 'HTTP/1.1 400 Bad Request\0', /it answered "HTTP\/1\.1 400/],
  ['the verdict about something else', 'other: OK\0', /it answered "other: OK"/],
  ['nothing', '', /it closed the connection$/],
  ['half a reply', 'stream: OK', /it closed the connection after "stream: OK"/],
  ['a reply without an end', 'x'.repeat(100_000), /has no end/],
  ['a size limit', 'INSTREAM size limit exceeded. ERROR\0', /raise StreamMaxLength/],
] as const) {
  test(`there is no verdict if clamd answers with ${title}`, async (t) => {
    const scanner = await clamd(t, answering(reply))
    await assert.rejects(scanner.scan(text()), unavailable(message))
  })
}

test('bytes that clamd has not seen are not clean', async (t) => {
  const scanner = await clamd(t, ({ socket }) => void socket.once('data', () => socket.write('stream: OK\0')))
  const bytes = endless()
  await assert.rejects(scanner.scan(bytes), unavailable(/it answered "stream: OK"/))
  assert.ok(bytes.destroyed)
})

test('a connection that is refused has no verdict, and the stream is closed', async (t) => {
  const scanner = await clamd(t, () => undefined)
  const gone = openClamd({ host: '127.0.0.1', port: 1 }, patient)
  const bytes = endless()
  await assert.rejects(gone.scan(bytes), unavailable(/cannot be reached at 127\.0\.0\.1:1: ECONNREFUSED/))
  assert.ok(bytes.destroyed)
  const noSocket = openClamd({ path: '/no/such/clamd.socket' }, patient)
  await assert.rejects(noSocket.ping(), unavailable(/at \/no\/such\/clamd\.socket: ENOENT/))
  assert.equal(scanner.peers.length, 0)
})

test('a connection that is not established within the limit has no verdict', async () => {
  // TEST-NET-1 of RFC 5737 routes nowhere; a network that answers at once does so with an error.
  const away = openClamd({ host: '192.0.2.1', port: 3310 }, { ...patient, connect: 1 })
  await assert.rejects(away.ping(), unavailable(/cannot be reached at 192\.0\.2\.1:3310/))
})

test('a clamd that closes the connection in the middle has no verdict', async (t) => {
  const scanner = await clamd(t, ({ socket }) => void socket.once('data', () => socket.destroy()))
  const bytes = endless()
  await assert.rejects(scanner.scan(bytes), unavailable(/gave no verdict/))
  assert.ok(bytes.destroyed)
})

test('a clamd that takes no bytes has no verdict after the idle limit', async (t) => {
  const scanner = await clamd(t, ({ socket }) => void socket.pause(), { ...patient, idle: 50 })
  const bytes = endless()
  await assert.rejects(scanner.scan(bytes), unavailable(/nothing happened for 0\.05 s/))
  assert.ok(bytes.destroyed)
})

test('a clamd that does not reply has no verdict after the limit for replies', async (t) => {
  const scanner = await clamd(t, () => undefined, { ...patient, reply: 50 })
  await assert.rejects(scanner.scan(text()), unavailable(/nothing happened for 0\.05 s/))
})

test('a clamd that hangs has no verdict soon, and one that answers PING has time', async (t) => {
  let hangs = false
  let pings = 0
  const { promise: pinged, resolve } = Promise.withResolvers<void>()
  const limits = { ...patient, ping: 50 }
  const scanner = await clamd(
    t,
    ({ socket }) =>
      void socket.once('data', (data) => {
        if (hangs || !String(data).startsWith('zPING')) return
        socket.end('PONG\0')
        if (++pings === 3) resolve()
      }),
    limits,
  )
  const scan = scanner.scan(text())
  scan.catch(() => undefined)
  await pinged
  hangs = true
  await assert.rejects(scan, unavailable(/gave no verdict: .*nothing happened for 0\.05 s/))
})

test('a scan ends after its limit, although clamd goes on taking bytes', async (t) => {
  const scanner = await clamd(t, () => undefined, { ...patient, scan: 50 })
  const bytes = endless()
  await assert.rejects(scanner.scan(bytes), unavailable(/took longer than 0\.05 s/))
  assert.ok(bytes.destroyed)
})

test('a stream is read no faster than clamd takes it', async (t) => {
  const scanner = await clamd(t, ({ socket }) => void socket.pause(), { ...patient, idle: 50 })
  let read = 0
  const bytes = new Readable({
    read() {
      read += 65_536
      this.push(Buffer.alloc(65_536, 'x'))
    },
  })
  await assert.rejects(scanner.scan(bytes), unavailable(/nothing happened/))
  assert.ok(read < 16 * 2 ** 20, `${read} bytes were read`)
})

test('the error of the stream is thrown, and the connection is closed', async (t) => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const scanner = await clamd(t, ({ socket }) => void socket.once('close', () => resolve()))
  const failure = new Error('the disk is gone')
  const bytes = Readable.from(
    (async function* () {
      yield Buffer.from('beginning')
      throw failure
    })(),
  )
  await assert.rejects(scanner.scan(bytes), (error) => error === failure)
  await closed
})

test('each scan closes its connection', async (t) => {
  const closed: Promise<unknown>[] = []
  const scanner = await clamd(t, (peer) => {
    closed.push(once(peer.socket, 'close'))
    // Unlike clamd, this server leaves the connection open.
    atTheEnd(peer, () => void peer.socket.write('stream: OK\0'))
  })
  await scanner.scan(text())
  await scanner.scan(text())
  assert.equal(closed.length, 2)
  await Promise.all(closed)
})

/** A clamd in another thread: it replies and resets the connection while this thread is busy. */
const resetting = `
  const { workerData, parentPort } = require('node:worker_threads')
  const { createServer } = require('node:net')
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.pause()
      socket.write('INSTREAM size limit exceeded. ERROR\\0', () => {
        socket.resetAndDestroy()
        setTimeout(() => {
          Atomics.store(workerData, 0, 1)
          Atomics.notify(workerData, 0)
        }, 50)
      })
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

test('a reply is read although the next write fails', async (t) => {
  const hasReset = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(resetting, { eval: true, workerData: hasReset })
  t.after(() => worker.terminate())
  const [port] = await once(worker, 'message')
  let pieces = 0
  const bytes = new Readable({
    read() {
      // The reply and the reset have arrived before the third write, and this thread has not read them.
      if (++pieces === 3) Atomics.wait(hasReset, 0, 0)
      setImmediate(() => this.push(Buffer.alloc(1_000, 'x')))
    },
    highWaterMark: 1,
  })
  const scanner = openClamd({ host: '127.0.0.1', port }, patient)
  await assert.rejects(scanner.scan(bytes), unavailable(/raise StreamMaxLength/))
})

test('ping resolves if clamd answers PONG', async (t) => {
  const scanner = await clamd(t, ({ socket }) => void socket.once('data', () => socket.end('PONG\0')))
  await scanner.ping()
  const other = await clamd(t, ({ socket }) => void socket.once('data', () => socket.end('PANG\0')))
  await assert.rejects(other.ping(), unavailable(/answered PING with "PANG"/))
})
