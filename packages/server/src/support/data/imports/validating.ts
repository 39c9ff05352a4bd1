import { bodyValidator } from '../../../platform/http/request/validation.ts'
import { ApiError, type FieldError } from '../../../platform/kernel/errors.ts'
import type { TSchema } from '../../../platform/resource/schema.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import type { ResultFault } from '../../jobs/queries.ts'
import { faultsOf } from '../../jobs/running/each.ts'

export type Validator = (body: unknown, ctx: Ctx, extra?: FieldError[]) => Promise<ResultFault[]>

/** Validates lines as requests are validated. Returns all faults of a line at once. */
export function lineValidator(schema: TSchema): Validator {
  const validate = bodyValidator(schema)
  return async (body, ctx, extra) => {
    try {
      await validate(body, ctx, extra)
      return []
    } catch (error) {
      if (error instanceof ApiError) return faultsOf(error)
      throw error
    }
  }
}

/** The fault of a reference to an object that does not exist. */
export const noSuch = (pointer: string, noun: string): ResultFault => ({
  pointer,
  code: 'not_found',
  detail: `must be the external id of a known ${noun}`,
})

export const lacksScope = (scope: string): ResultFault => ({
  pointer: null,
  code: 'scope_missing',
  detail: `The starter of the import lacks the scope ${scope}.`,
})
