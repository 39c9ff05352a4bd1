import { ConfigError } from '../config.ts'
import { PlacementError } from '../db/distribution.ts'
import { EmbeddedPostgresError } from '../db/embedded/error.ts'
import { DatabaseUnavailable, sqlState, toDatabaseError } from '../db/errors.ts'
import { MigrationError } from '../db/migrate.ts'
import { PoolerError } from '../db/session.ts'
import { ApiError, type ErrorCode, type FieldErrorCode } from '../lib/errors.ts'
import { SecretKeyError } from '../secret-key.ts'
import { invocation } from './command.ts'
import { withoutKeys } from './text.ts'

export type ArgumentError = { argument: string; code: FieldErrorCode; detail: string }

/** The command was not typed as it must be; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
  /** The command whose help is worth reading, when it is known. */
  readonly command: string | null
  readonly errors: ArgumentError[]

  constructor(message: string, command: string | null = null, errors: ArgumentError[] = []) {
    super(message)
    this.command = command
    this.errors = errors
  }
}

/** The command was understood and cannot be carried out; exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly code: string

  constructor(
    code: ErrorCode | 'migrations_pending' | 'not_distributable',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause })
    this.code = code
  }
}

export type Explanation = {
  code: string
  message: string
  exitCode: 1 | 2
  errors: ArgumentError[]
  /** For defects of ours: what finds them. */
  stack?: string | undefined
}

/** What an error means to the person at the terminal. */
export function explain(error: unknown): Explanation {
  const failure = (code: string, message: string): Explanation => ({ code, message, exitCode: 1, errors: [] })
  if (error instanceof UsageError) {
    const errors = error.errors.map((fault) => ({ ...fault, detail: withoutKeys(fault.detail) }))
    return { code: 'usage', message: withoutKeys(error.message), exitCode: 2, errors }
  }
  if (error instanceof CommandError) return failure(error.code, error.message)
  if (error instanceof ApiError) return failure(error.code, sentenceOf(error))
  if (error instanceof ConfigError) return failure('config_invalid', error.message)
  if (error instanceof SecretKeyError) return failure('secret_key_invalid', error.message)
  if (error instanceof EmbeddedPostgresError) return failure('unavailable', error.message)
  if (error instanceof PoolerError) return failure('pooler_not_supported', error.message)
  if (error instanceof MigrationError) return failure('migration_failed', error.message)
  if (error instanceof PlacementError) return failure('not_distributable', error.message)
  if (isListenError(error)) {
    const hint = `see ${invocation} doctor`
    return failure('address_unavailable', `cannot serve: ${reasonOf(error)}; ${hint}`)
  }
  if (toDatabaseError(error) instanceof DatabaseUnavailable || isRefusal(error))
    return failure('unavailable', `cannot use the database: ${reasonOf(error)}`)
  return {
    ...failure('internal_error', `internal error in Backline: ${reasonOf(error)}`),
    stack: error instanceof Error ? error.stack : undefined,
  }
}

const sentenceOf = (error: ApiError): string =>
  [error.message, ...Object.entries(error.params).map(([name, value]) => `${name}: ${value}`)].join(', ')

const isListenError = (error: unknown) =>
  error instanceof Error && 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind')

/** Class 28 authentication, 3D000 no such database, 42501 a right is missing: a person must act. */
const isRefusal = (error: unknown) => /^28|^(3D000|42501)$/.test(sqlState(error) ?? '')

/** The message that says most, in one line: that of the cause, and of all addresses that were tried. */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable && error.cause) return reasonOf(error.cause)
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  const text =
    error instanceof Error ? error.message || String((error as { code?: unknown }).code) : String(error)
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Does `work`, which checks `body` by the API's rules: what is wrong with a field is said of the argument that the
 * field came from. @throws UsageError naming every faulty argument
 */
export async function checkingArguments<Result>(
  command: string,
  argumentOf: Record<string, string>,
  body: Record<string, unknown>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error
    const errors = (error.details.errors ?? []).map((fault): ArgumentError => {
      const [field = '', item] = 'pointer' in fault ? fault.pointer.slice(1).split('/') : []
      const given = item === undefined ? body[field] : (body[field] as unknown[])[Number(item)]
      const quoted = item === undefined ? '' : `${JSON.stringify(given)} `
      return {
        argument: argumentOf[field] ?? field,
        code: fault.code,
        detail: quoted + fault.detail,
      }
    })
    const message = errors.map(({ argument, detail }) => `${argument} ${detail}`).join('; ')
    throw new UsageError(message, command, errors)
  }
}
