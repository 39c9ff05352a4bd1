/** The reason for a failed connection in one line: that of the cause, and of all addresses that were tried. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return (error.message || String((error as { code?: unknown }).code)).replace(/\s+/g, ' ').trim()
}
