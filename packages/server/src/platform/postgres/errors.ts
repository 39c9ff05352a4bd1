/** The database is unreachable, full, shutting down or too slow. The client may retry (HTTP 503). */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The statement of a transaction that failed, by its place in it. `cause` is the error of the statement. */
export class FailedStatement extends Error {
  override name = 'FailedStatement'
  readonly place: number
  constructor(place: number, cause: unknown) {
    super(`Statement ${place} of a transaction failed`, { cause })
    this.place = place
  }
}

/** The rows of an environment are no longer on the server that was asked. Nothing was read or written. */
export class MovedAway extends DatabaseUnavailable {
  override name = 'MovedAway'
  constructor(cause: unknown) {
    super('The environment moves to another server of the cluster', { cause })
  }
}

/**
 * The SQLSTATE of a driver error (PostgreSQL, Appendix A), also of the one that failed a transaction; undefined for
 * other errors, such as `EPIPE`.
 */
export const sqlState = (error: unknown): string | undefined => {
  if (error instanceof FailedStatement) return sqlState(error.cause)
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

export const sqlStates = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  divisionByZero: '22012',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  lockNotAvailable: '55P03',
  undefinedTable: '42P01',
  undefinedObject: '42704',
  invalidText: '22P02',
  invalidStatementName: '26000',
  duplicateStatement: '42P05',
  readOnlyTransaction: '25006',
  queryCanceled: '57014',
} as const

/** An earlier change that this one depends on has failed. A write conflict: the handler runs again. */
export class Outdated extends Error {
  override name = 'Outdated'
  readonly code = sqlStates.serializationFailure
}

/** True for a write conflict: another transaction changed a row, or deleted one that this change refers to. */
export const isWriteConflict = (state: string | undefined) =>
  state === sqlStates.divisionByZero ||
  state === sqlStates.serializationFailure ||
  state === sqlStates.deadlockDetected ||
  state === sqlStates.foreignKeyViolation

/**
 * Class 08 connection, 53 resources (disk, memory, connections), 57 operator intervention (shutdown, statement
 * timeout), 58 system (I/O), 25006 read-only standby, 55P03 lock timeout, 26000 and 42P05 a statement whose
 * preparation failed just before on the same pipelined connection.
 */
const unavailableStates = /^(08|53|57|58)|^(25006|55P03|26000|42P05)$/

/** Messages of the driver and the socket for a lost connection; these errors have no SQLSTATE. */
const lostConnection =
  /terminated|not queryable|timeout|ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|closed|establishing an SSL/i

/** Messages of Citus for a server of the cluster that is away, or hands over rows; their states are general ones. */
const awayInCluster =
  /^(failure on connection marked as essential|cannot find a worker that has active placements)/

/** Converts all errors of an unavailable database into DatabaseUnavailable; returns others unchanged. */
export function toDatabaseError(error: unknown): unknown {
  const state = sqlState(error)
  if (state) {
    const isAway = unavailableStates.test(state) || awayInCluster.test((error as Error).message)
    return isAway ? unavailable(error) : error
  }
  if (!(error instanceof Error)) return error
  const code = String((error as { code?: unknown }).code ?? '')
  return lostConnection.test(code) || lostConnection.test(error.message) ? unavailable(error) : error
}

const unavailable = (cause: unknown) => new DatabaseUnavailable('The database is not available', { cause })

/**
 * True if a statement waited too long for a row of a table, or for another transaction to insert the same key. The
 * context of the error names the table or its index.
 */
export const isWaitFor = (table: string, error: unknown): boolean =>
  error instanceof DatabaseUnavailable &&
  sqlState(error.cause) === sqlStates.lockNotAvailable &&
  String((error.cause as { where?: unknown }).where).includes(table)
