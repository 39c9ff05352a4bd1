/** The embedded PostgreSQL cannot be used. The message is one actionable line. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s+/g, ' ').trim(), options)
  }
}

/** Another process owns the data directory, perhaps only briefly. */
export class DirectoryInUse extends EmbeddedPostgresError {}

/** The `code` of a system or PostgreSQL error, such as `ENOENT` or `57P03`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** For `promise.catch`: returns the fallback for errors with this code and rethrows others. */
export const orWhen =
  <T>(code: string, fallback: T) =>
  (error: unknown): T => {
    if (codeOf(error) === code) return fallback
    throw error
  }
