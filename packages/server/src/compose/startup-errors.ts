import { EmbeddedPostgresError } from '@backline/embedded-postgres'
import { StoreUnavailable } from '../platform/files/store.ts'
import { ApiError } from '../platform/kernel/errors.ts'
import { PlacementError } from '../platform/postgres/distribution.ts'
import { DatabaseUnavailable, sqlState, toDatabaseError } from '../platform/postgres/errors.ts'
import { MigrationError } from '../platform/postgres/migrate.ts'
import { PoolerError } from '../platform/postgres/session.ts'
import { ConfigError } from './config.ts'
import { ListenError } from './port.ts'
import { reasonOf } from './reason.ts'
import { SecretKeyError } from './secret-key.ts'
import { UnusableDatabase } from './usable-database.ts'

export type Failure = {
  code: string
  message: string
  /** The stack of internal errors. */
  stack?: string | undefined
}

/** Converts a server error to a message for the terminal. */
export function explainFailure(error: unknown): Failure {
  const failure = (code: string, message: string): Failure => ({ code, message })
  if (error instanceof ApiError) return failure(error.code, error.message)
  if (error instanceof ConfigError) return failure('config_invalid', error.message)
  if (error instanceof SecretKeyError) return failure('secret_key_invalid', error.message)
  if (error instanceof EmbeddedPostgresError) return failure('unavailable', error.message)
  if (error instanceof PoolerError) return failure('pooler_not_supported', error.message)
  if (error instanceof MigrationError) return failure('migration_failed', error.message)
  if (error instanceof PlacementError) return failure('not_distributable', error.message)
  if (error instanceof ListenError) return failure('address_unavailable', error.message)
  if (error instanceof StoreUnavailable) return failure('unavailable', error.message)
  if (error instanceof UnusableDatabase) return failure('unavailable', error.message)
  if (toDatabaseError(error) instanceof DatabaseUnavailable || isRefusal(error))
    return failure('unavailable', `cannot use the database: ${reasonOf(error)}`)
  return {
    ...failure('internal_error', `internal error in Backline: ${reasonOf(error)}`),
    stack: error instanceof Error ? error.stack : undefined,
  }
}

/** Class 28 authentication, 3D000 unknown database, 42501 missing privilege: an administrator must act. */
const isRefusal = (error: unknown) => /^28|^(3D000|42501)$/.test(sqlState(error) ?? '')
