import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { TransportLimits } from './limits.ts'

/** Options of a request through these agents. */
export type AgentRequest = RequestOptions & {
  /** Ends a connection that is opened for the request and does not stand yet. */
  stop: AbortSignal
}

/** A new connection to a host of a URL. It rejects when there is none. */
export type Open = (hostname: string, port: number, isSecure: boolean, stop: AbortSignal) => Promise<Socket>

export type Agents = {
  of(url: URL): http.Agent
  /** Has to be told of each answer that arrives: how long its connection may be kept. */
  noteAnswer(answer: IncomingMessage): void
  /** Closes the idle connections to where the URL leads. */
  closeIdle(url: URL): void
  close(): void
}

type Kept = { openedAt: number; idleMs: number }

/** An idle connection is closed so long before the time that its receiver names: requests are some time on the way. */
const hintMarginMs = 2_000

/**
 * The agents of node:http and node:https with connections of our own. They keep connections alive between requests,
 * each for its scheme, host and port. How many requests there are at a time is not for them to limit: an agent that
 * lets requests wait counts no connection that is being opened, and takes one that serves a waiting request for new.
 */
export function openAgents(open: Open, limits: TransportLimits): Agents {
  const connections = new WeakMap<Socket, Kept>()
  /** The one that has been idle for the longest time comes first. */
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
    // Whatever arrives now would be read as the answer to the next request.
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

/** In place of node's name, which the request's headers may change. */
const nameOfDestination = ({ host, port }: RequestOptions): string => `${host}:${port}`

export const portOf = ({ protocol, port }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** What a receiver says can only shorten the time. */
function idleMsOf(keepAlive: string | string[] | undefined, longestMs: number): number {
  const seconds = /timeout=(\d+)/.exec(String(keepAlive))?.[1]
  return seconds === undefined ? longestMs : Math.min(longestMs, Number(seconds) * 1000 - hintMarginMs)
}

function destroy(this: Socket): void {
  this.destroy()
}

/** An agent keeps an empty list for each name to which it found no connection, and names are as many as customers like. */
function forgetUnused({ sockets }: http.Agent, name: string): void {
  if (sockets[name]?.length === 0) delete (sockets as NodeJS.Dict<Socket[]>)[name]
}
