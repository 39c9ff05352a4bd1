import { explainFailure, type Failure } from '@backline/server/compose/startup-errors.ts'
import { ApiError, type ErrorCode, type FieldErrorCode } from '@backline/server/platform/kernel/errors.ts'
import { withoutKeys } from './text.ts'

export type ArgumentError = { argument: string; code: FieldErrorCode; detail: string }

/** The command line is invalid; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
  /** The command whose help is relevant, if it is known. */
  readonly command: string | null
  readonly errors: ArgumentError[]

  constructor(message: string, command: string | null = null, errors: ArgumentError[] = []) {
    super(message)
    this.command = command
    this.errors = errors
  }
}

/** The command line is valid and the command failed; exit code 1. */
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

export type Explanation = Failure & { exitCode: 1 | 2; errors: ArgumentError[] }

/** Converts an error to a message for the terminal. */
export function explain(error: unknown): Explanation {
  if (error instanceof UsageError) {
    const errors = error.errors.map((fault) => ({ ...fault, detail: withoutKeys(fault.detail) }))
    return { code: 'usage', message: withoutKeys(error.message), exitCode: 2, errors }
  }
  const failure =
    error instanceof CommandError ? { code: error.code, message: error.message } : explainFailure(error)
  return { ...failure, exitCode: 1, errors: [] }
}

/**
 * Runs `work`, which validates `body` by the rules of the API. Errors of a field are reported for the argument of the
 * field. @throws UsageError that lists every invalid argument
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
