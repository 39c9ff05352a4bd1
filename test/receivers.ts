import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'

/*
 * Receivers of webhooks as bytes: they see each request as sent, and respond in pieces of any form, or not at all.
 */

export type Received = {
  /** The number of the request over all connections, from 1. */
  number: number
  /** The number of its connection, from 1. */
  connection: number
  /** Request line and header, as received. */
  head: string
  body: string
}

export type Receiver = {
  port: number
  requests: Received[]
  /** All connections so far. */
  sockets: Socket[]
}

type ReceiverOptions = {
  /** The name of a file in `test/certificates`; the receiver then uses TLS. */
  certificate?: string
  protocols?: string[]
  connected?: (socket: Socket) => void
}

/** Returns key and certificate as PEM, valid until 2120 except `expired.test`; the key of `authority` was not kept. */
export const certificate = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'certificates', `${name}.pem`), 'utf8')

/** Listens on 127.0.0.1 until the test ends. */
export async function receiver(
  t: TestContext,
  answer: (socket: Socket, request: Received) => unknown,
  { certificate: name, protocols, connected }: ReceiverOptions = {},
): Promise<Receiver> {
  const requests: Received[] = []
  const sockets: Socket[] = []
  const serve = (socket: Socket) => {
    const connection = sockets.push(socket)
    socket.on('error', () => undefined)
    socket.setNoDelay(true)
    connected?.(socket)
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = bytes.subarray(0, end).toString('latin1')
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
      if (bytes.length < end + 4 + length) return
      const body = bytes.subarray(end + 4, end + 4 + length).toString()
      bytes = bytes.subarray(end + 4 + length)
      const request = { number: requests.length + 1, connection, head, body }
      requests.push(request)
      answer(socket, request)
    })
  }
  let server: Server
  if (name) {
    const pem = certificate(name)
    server = createTlsServer({ key: pem, cert: pem, ...(protocols && { ALPNProtocols: protocols }) }, serve)
    server.on('tlsClientError', () => undefined)
  } else {
    server = createServer(serve)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, requests, sockets }
}

export const ok = (body = 'ok') =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Writes pieces in successive turns of the event loop, until the socket is closed. */
export function drip(socket: Socket, pieces: Iterable<string>): void {
  const iterator = pieces[Symbol.iterator]()
  const timer = setInterval(() => {
    const { value, done } = iterator.next()
    if (done || socket.destroyed) clearInterval(timer)
    else socket.write(value)
  }, 5)
}

/** Writes as fast as the other side reads, until the socket is closed. */
export function pour(socket: Socket, piece: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}
