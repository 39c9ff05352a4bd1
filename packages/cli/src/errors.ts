import type { Failure } from '@backline/server/compose/startup-errors.ts'
import type { FieldErrorCode } from '@backline/server/platform/kernel/errors.ts'
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
  /** A code of the API, or of the command line. */
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export type Explanation = Failure & { exitCode: 1 | 2; errors: ArgumentError[] }

/** Converts an error to a message for the terminal. */
export async function explain(error: unknown): Promise<Explanation> {
  if (error instanceof UsageError) {
    const errors = error.errors.map((fault) => ({ ...fault, detail: withoutKeys(fault.detail) }))
    return { code: 'usage', message: withoutKeys(error.message), exitCode: 2, errors }
  }
  if (error instanceof CommandError)
    return { code: error.code, message: error.message, exitCode: 1, errors: [] }
  // Loaded on demand: it loads much of the server, which commands that call the API do without.
  const { explainFailure } = await import('@backline/server/compose/startup-errors.ts')
  return { ...explainFailure(error), exitCode: 1, errors: [] }
}
