import { ApiError, type FieldError } from '../kernel/errors.ts'
import type { Change } from './change.ts'
import type { Ctx } from './context.ts'
import { Draft } from './draft.ts'

/** Runs a handler without writing what it declares. @returns the invalid fields that it finds */
export async function rehearse(ctx: Ctx, work: (change: Change) => unknown): Promise<FieldError[]> {
  const draft = new Draft({ ...ctx, services: { ...ctx.services, catchUp: neverCatchUp } })
  try {
    await work(draft.change)
    return []
  } catch (error) {
    const isFinding = error instanceof ApiError && error.code === 'validation_failed'
    return isFinding ? (error.details.errors ?? []) : []
  } finally {
    draft.releaseLocks()
  }
}

/** The only effect of a handler that is not part of its change. */
const neverCatchUp = () => Promise.reject(new Error('A rehearsal does not move the clock'))
