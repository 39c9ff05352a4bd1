import { type Connect, type Connection, openConnection } from './connection.ts'
import type { TransportLimits } from './limits.ts'

type Origin = { idle: Connection[]; lent: number; waiting: ((isFree: boolean) => void)[] }

export type Connections = {
  /** A connection to use alone, kept from before or new; waits while too many are lent. Null: closed. */
  lend(origin: string): Promise<Connection | null>
  /** A new one for one that has turned out to be closed. */
  replace(connection: Connection): Connection
  giveBack(connection: Connection, isReusable: boolean): void
  /** Of origins that are known at the moment. */
  readonly size: number
  close(): Promise<void>
}

/**
 * Keeps connections alive between requests. undici's own pools queue requests where they cannot be taken back: each
 * that has expired there would still open a connection. And they do not tell which requests went to a connection
 * that had served before. So these are undici's clients, each one connection, in our own hands.
 */
export function openConnections(connect: Connect, limits: TransportLimits): Connections {
  const origins = new Map<string, Origin>()
  const all = new Set<Connection>()
  let isClosed = false

  const open = (origin: string): Connection => {
    const connection = openConnection(origin, connect, limits, () => closedBetweenRequests(connection))
    all.add(connection)
    if (isClosed) void end(connection) // so that nothing is sent, and that is told
    return connection
  }

  const end = (connection: Connection): Promise<void> => {
    all.delete(connection)
    return connection.end()
  }

  const closedBetweenRequests = (connection: Connection) => {
    const idle = origins.get(connection.origin)?.idle ?? []
    const place = idle.indexOf(connection)
    if (place < 0) return // it is lent
    idle.splice(place, 1)
    void end(connection)
    forgetUnused(connection.origin)
  }

  /** Origins are as many as customers care to name. */
  const forgetUnused = (name: string) => {
    const origin = origins.get(name)
    if (origin?.lent === 0 && origin.idle.length === 0) origins.delete(name)
  }

  return {
    async lend(name) {
      if (isClosed) return null
      const origin = origins.get(name) ?? { idle: [], lent: 0, waiting: [] }
      origins.set(name, origin)
      if (origin.lent < limits.connectionsPerOrigin) origin.lent++
      else if (!(await new Promise<boolean>((tell) => origin.waiting.push(tell)))) return null
      // The one that was used last, so that what is not needed grows old.
      return origin.idle.pop() ?? open(name)
    },
    replace(connection) {
      void end(connection)
      return open(connection.origin)
    },
    giveBack(connection, isReusable) {
      const origin = origins.get(connection.origin)
      if (origin && isReusable && connection.isUsable) origin.idle.push(connection)
      else void end(connection)
      if (!origin) return // closed meanwhile
      const next = origin.waiting.shift()
      if (next) next(true)
      else origin.lent--
      forgetUnused(connection.origin)
    },
    get size() {
      return origins.size
    },
    async close() {
      isClosed = true
      for (const { waiting } of origins.values()) for (const tell of waiting.splice(0)) tell(false)
      origins.clear()
      await Promise.all([...all].map(end))
    },
  }
}
