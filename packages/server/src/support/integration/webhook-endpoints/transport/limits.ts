/** Times in milliseconds, sizes in bytes. */
export type TransportLimits = {
  /** The timeout of a new connection: DNS, TCP and TLS. */
  connectMs: number
  /** The timeout of a whole attempt, from connecting to the end of the response. */
  attemptMs: number
  /** The maximum size of a response's header. */
  headerBytes: number
  /** The maximum size of a response's body that is read; a longer one closes the connection but is still a success. */
  responseBytes: number
  /** The maximum size of a response's body that is stored, as UTF-8. */
  storedBodyBytes: number
  /**
   * The maximum size of everything received for one request; the other limits exclude chunk headers and 1xx responses.
   */
  wireBytes: number
  /** The limit of connections per origin. Further requests wait; their timeout starts later. */
  connectionsPerOrigin: number
  /** The idle timeout. Many receivers close after 5 s; a client that closes first loses no request. */
  idleMs: number
  /** The limit of idle connections to all origins. Beyond it, the one that has been idle the longest is closed. */
  idleConnections: number
  /** The maximum age of a connection for a further request, so that a changed DNS entry takes effect. */
  connectionLifeMs: number
}

export const defaultLimits: TransportLimits = {
  connectMs: 5_000,
  attemptMs: 15_000,
  headerBytes: 16 * 1024,
  responseBytes: 64 * 1024,
  storedBodyBytes: 8 * 1024,
  wireBytes: 1024 * 1024,
  connectionsPerOrigin: 64,
  idleMs: 4_000,
  idleConnections: 1_024,
  connectionLifeMs: 60_000,
}
