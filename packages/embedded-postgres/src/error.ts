/** Why the embedded PostgreSQL cannot be used: one line that a person can act on. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s+/g, ' ').trim(), options)
  }
}

/** Another process has the data directory, perhaps just for a moment. */
export class DirectoryInUse extends EmbeddedPostgresError {}

/** The `code` of a system or PostgreSQL error, e.g. `ENOENT` or `57P03`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** For `promise.catch`: the fallback when the error has this code; any other error goes on. */
export const orWhen =
  <T>(code: string, fallback: T) =>
  (error: unknown): T => {
    if (codeOf(error) === code) return fallback
    throw error
  }
