import type { FileStore } from '../files/store.ts'
import { ApiError, type FieldError } from '../kernel/errors.ts'
import type { Change } from './change.ts'
import type { Ctx } from './context.ts'
import { Draft } from './draft.ts'

/** Runs a handler without writing what it declares. @returns the invalid fields that it finds */
export async function rehearse(ctx: Ctx, work: (change: Change) => unknown): Promise<FieldError[]> {
  const files = { ...ctx.services.files, store: noStore }
  const draft = new Draft({ ...ctx, services: { ...ctx.services, catchUp: neverCatchUp, files } })
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

/** The effects of handlers that are not part of their change: on the bytes of files, and on the clock. */
const noStore = new Proxy({} as FileStore, {
  get(_, name) {
    if (name === 'signUpload' || name === 'signDownload') return null
    throw new Error('A rehearsal does not use the store of files')
  },
})

const neverCatchUp = () => Promise.reject(new Error('A rehearsal does not move the clock'))
