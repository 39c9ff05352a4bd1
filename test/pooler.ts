import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import pg from 'pg'
import { urlOf } from './databases.ts'

/*
 * A replacement for PgBouncer, so that the tests need none; it was compared with PgBouncer 1.18 and 1.25. It rejects
 * the startup parameters that PgBouncer rejects. In transaction mode it assigns a session for one transaction at a
 * time, the most recently returned one first. Each client brings the session that it logs in with, so that passwords
 * pass through.
 */

export type Pooler = { url: string; close(): Promise<void> }

export async function openPooler(connection: Connection, mode: 'session' | 'transaction'): Promise<Pooler> {
  const { host, port } = new pg.Client(connection)
  const sockets = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const lend = lender()
  const server = createServer((client) => {
    track(client).once('data', (startup) => {
      const refused = unknownParameter(startup as Buffer)
      if (refused) return client.end(refusal(`unsupported startup parameter: ${refused}`))
      const session = track(
        host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host),
      )
      session.write(startup)
      if (mode === 'transaction') lend(client, session)
      else {
        client.pipe(session).pipe(client)
        client.on('close', () => session.destroy())
        session.on('close', () => client.destroy())
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(urlOf(connection))
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  url.searchParams.delete('host')
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const known = 'user database client_encoding datestyle timezone standard_conforming_strings application_name'

/** A startup message has names and values after its length and protocol version, each terminated by a zero byte. */
function unknownParameter(startup: Buffer): string | undefined {
  const texts = startup.toString('latin1', 8).split('\0')
  const names = texts.filter((text, i) => i % 2 === 0 && text !== '')
  return names.find((name) => !known.split(' ').includes(name.toLowerCase()))
}

function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** Calls back with each complete message of the protocol: its type, and all of its bytes. */
function reader(onMessage: (type: string, message: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  return (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const message = rest.subarray(0, rest.readInt32BE(1) + 1)
      rest = rest.subarray(message.length)
      onMessage(String.fromCharCode(message[0]!), message)
    }
  }
}

/** A session, its current client, and the number of ReadyForQuery messages that the client still waits for. */
type Session = { socket: Socket; client: Socket | null; awaited: number }

function lender(): (client: Socket, socket: Socket) => void {
  const idle: Session[] = []
  const busy = new Map<Socket, Session>()
  return (client, socket) => {
    const own: Session = { socket, client, awaited: 1 } // until login completes
    busy.set(client, own)
    socket.on(
      'data',
      reader((type, message) => {
        own.client!.write(message)
        if (type !== 'Z' || --own.awaited > 0 || message.at(-1) !== 'I'.charCodeAt(0)) return
        busy.delete(own.client!)
        idle.push(own)
      }),
    )
    client.on(
      'data',
      reader((type, message) => {
        if (type === 'X') return client.end()
        const session = busy.get(client) ?? idle.pop()!
        session.client = client
        busy.set(client, session)
        if (type === 'Q' || type === 'S') session.awaited++
        session.socket.write(message)
      }),
    )
  }
}
