import { ApiError } from '@backline/sdk'

/** What the server says about a field of a request, by its JSON Pointer; null if it says nothing. */
export const faultAt = (error: unknown, pointer: string): string | null =>
  error instanceof ApiError ? (error.errors.find((fault) => fault.pointer === pointer)?.detail ?? null) : null
