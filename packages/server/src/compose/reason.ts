import { DatabaseUnavailable } from '../platform/postgres/errors.ts'

/** The most informative message in one line: that of the cause, and of all addresses that were tried. */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable && error.cause) return reasonOf(error.cause)
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  const text =
    error instanceof Error ? error.message || String((error as { code?: unknown }).code) : String(error)
  return text.replace(/\s+/g, ' ').trim()
}
