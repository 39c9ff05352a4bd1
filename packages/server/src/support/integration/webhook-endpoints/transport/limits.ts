/** Times in milliseconds, sizes in bytes. */
export type TransportLimits = {
  /** Until a connection stands: DNS, TCP and TLS. */
  connectMs: number
  /** For a whole attempt: connecting, sending, the answer's header and body. */
  attemptMs: number
  /** Of an answer's header block. */
  headerBytes: number
  /** Of an answer's body that are read; a longer one ends the connection, not the success. */
  responseBytes: number
  /** Of an answer's body that are kept, as UTF-8. */
  storedBodyBytes: number
  /** Of anything that arrives in answer to one request: chunk headers and 1xx answers are in no other limit. */
  wireBytes: number
  /** More requests to one origin wait; their time has not begun then. */
  connectionsPerOrigin: number
  /** Until an unused connection is closed; many receivers do it after 5 s, and who closes first loses no request. */
  idleMs: number
  /** Of all origins; beyond it the one that was unused for the longest time is closed. */
  idleConnections: number
  /** After which a connection is not used again, so that a changed DNS entry counts some time. */
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
