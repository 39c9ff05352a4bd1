import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreFull, StoreUnavailable } from '../../../platform/files/store.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { storeBytes } from '../../files/making.ts'
import type { LocalPart } from './writer.ts'

/** The pauses between attempts while the store is away. The export would begin anew otherwise. */
const pausesMs = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000]

/** Stores a part. @returns the id of its file */
export async function storePart(ctx: () => Ctx, { path, bytes }: LocalPart): Promise<string> {
  for (const pauseMs of pausesMs) {
    try {
      return await storeBytes(ctx(), path, bytes)
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || isStoreFull(error)) throw error
      await sleep(pauseMs, undefined, { ref: false })
    }
  }
  return storeBytes(ctx(), path, bytes)
}
