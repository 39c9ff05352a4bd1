import assert from 'node:assert/strict'
import type { Environment } from '@backline/server/platform/kernel/environment.ts'
import { typeId, uuidOf } from '@backline/server/platform/kernel/ids.ts'
import type { Ctx } from '@backline/server/platform/unit-of-work/context.ts'
import { transact } from '@backline/server/platform/unit-of-work/transact.ts'
import { eraseSome, startErasure } from '@backline/server/support/data/erasure/erase.ts'
import type { Counts, ErasureMode, ErasureState } from '@backline/server/support/data/erasure/state.ts'
import type { Service } from './harness.ts'

/** Runs an erasure as a job does: each piece is a change, and its state is stored as JSON. */
export async function erase(
  { context }: Pick<Service, 'context'>,
  env: Environment,
  endUserId: string,
  mode: ErasureMode = 'anonymise',
  { crashes = false } = {},
): Promise<{ id: string; counts: Counts; pieces: number }> {
  const ctx = context(env)
  let state = await written(ctx, (change) => startErasure(change, uuidOf('eu', endUserId)!, mode))
  for (let pieces = 1; ; pieces++) {
    const from = JSON.stringify(state)
    if (crashes)
      await written(ctx, async (change) => {
        await eraseSome(change, JSON.parse(from))
        change.discard() // as if the process died before the commit
      })
    const piece = await written(ctx, (change) => eraseSome(change, JSON.parse(from) as ErasureState))
    state = piece.state
    assert.ok(pieces < 1_000, `It does not end: ${JSON.stringify(state)}`)
    if (piece.done) return { id: typeId('era', piece.erasure!.id), counts: piece.counts, pieces }
  }
}

async function written<Result>(ctx: Ctx, work: Parameters<typeof transact<Result>>[1]): Promise<Result> {
  const outcome = await transact(ctx, work)
  assert.ok(!outcome.replayed)
  return outcome.result
}
