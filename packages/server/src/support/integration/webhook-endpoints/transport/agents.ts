import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { TransportLimits } from './limits.ts'

/** Options of a request through these agents. */
export type AgentRequest = RequestOptions & {
  /** Aborts the opening of a connection for the request. */
  stop: AbortSignal
}

/** Opens a connection to a host of a URL. Rejects on failure. */
export type Open = (hostname: string, port: number, isSecure: boolean, stop: AbortSignal) => Promise<Socket>

export type Agents = {
  of(url: URL): http.Agent
  /** Must be called for each response: it may limit how long its connection is kept. */
  noteAnswer(answer: IncomingMessage): void
  /** Closes the idle connections to the origin of the URL. */
  closeIdle(url: URL): void
  close(): void
}

type Kept = { openedAt: number; idleMs: number }

/** The margin before the idle timeout that a receiver announces, because requests take time to arrive. */
const hintMarginMs = 2_000

/**
 * Agents of node:http and node:https that open connections with `open`. They keep connections alive per scheme, host
 * and port. They do not limit concurrent requests: an agent with such a limit does not count connections that are being
 * opened, and treats one that serves a waiting request as new.
 */
export function openAgents(open: Open, limits: TransportLimits): Agents {
  const connections = new WeakMap<Socket, Kept>()
  /** Idle connections, the one that has been idle the longest first. */
  const idle = new Set<Socket>()

  const keep = (socket: Socket): boolean => {
    const { openedAt, idleMs } = connections.get(socket)!
    if (performance.now() - openedAt >= limits.connectionLifeMs || idleMs <= 0) return false
    if (idle.size >= limits.idleConnections) {
      const [oldest] = idle
      idle.delete(oldest!)
      oldest!.destroy()
    }
    idle.add(socket)
    socket.unref()
    socket.setTimeout(idleMs, destroy)
    // Data that arrives now would be read as the response to the next request.
    socket.on('data', destroy).on('end', destroy)
    return true
  }

  const take = (socket: Socket) => {
    idle.delete(socket)
    socket.setTimeout(0, destroy)
    socket.off('data', destroy).off('end', destroy)
  }

  const withOurConnections = <A extends http.Agent>(agent: A, isSecure: boolean): A => {
    const reuse = agent.reuseSocket.bind(agent)
    return Object.assign(agent, {
      getName: nameOfDestination,
      createConnection(options: AgentRequest, created: (error: unknown, socket?: Socket) => void) {
        open(options.host!, Number(options.port), isSecure, options.stop).then(
          (socket) => {
            connections.set(socket, { openedAt: performance.now(), idleMs: limits.idleMs })
            socket.once('close', () => idle.delete(socket))
            created(null, socket)
          },
          (error) => {
            created(error)
            forgetUnused(agent, nameOfDestination(options))
          },
        )
      },
      keepSocketAlive: keep,
      reuseSocket(socket: Socket, request: ClientRequest) {
        take(socket)
        reuse(socket, request)
      },
    })
  }

  const options = { keepAlive: true, maxFreeSockets: limits.connectionsPerOrigin }
  const [plain, secure] = [
    withOurConnections(new http.Agent(options), false),
    withOurConnections(new https.Agent(options), true),
  ]
  const of = ({ protocol }: URL): http.Agent => (protocol === 'https:' ? secure : plain)

  return {
    of,
    noteAnswer({ socket, headers }) {
      const kept = connections.get(socket)
      if (kept) kept.idleMs = idleMsOf(headers['keep-alive'], limits.idleMs)
    },
    closeIdle(url) {
      const name = nameOfDestination({ host: url.hostname, port: portOf(url) })
      for (const socket of of(url).freeSockets[name] ?? []) socket.destroy()
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** Replaces the name that node builds, which request headers can change. */
const nameOfDestination = ({ host, port }: RequestOptions): string => `${host}:${port}`

export const portOf = ({ protocol, port }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** A receiver can only shorten the time. */
function idleMsOf(keepAlive: string | string[] | undefined, longestMs: number): number {
  const seconds = /timeout=(\d+)/.exec(String(keepAlive))?.[1]
  return seconds === undefined ? longestMs : Math.min(longestMs, Number(seconds) * 1000 - hintMarginMs)
}

function destroy(this: Socket): void {
  this.destroy()
}

/** Removes empty lists. An agent keeps one for each name without a connection, and customers choose the names. */
function forgetUnused({ sockets }: http.Agent, name: string): void {
  if (sockets[name]?.length === 0) delete (sockets as NodeJS.Dict<Socket[]>)[name]
}
