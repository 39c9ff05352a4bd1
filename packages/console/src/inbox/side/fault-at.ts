import { faultsOf } from '../../texts/faults.ts'

/** The fault that the server found in a field of a request, by its JSON Pointer; null if it found none. */
export const faultAt = (error: unknown, pointer: string): string | null =>
  faultsOf(error).find((fault) => fault.pointer === pointer)?.detail ?? null
