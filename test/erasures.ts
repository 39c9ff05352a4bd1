import assert from 'node:assert/strict'
import type { Environment } from '@backline/server/platform/kernel/environment.ts'
import { typeId, uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import type { Ctx } from '@backline/server/platform/unit-of-work/context.ts'
import { transact } from '@backline/server/platform/unit-of-work/transact.ts'
import { eraseSome, startErasure } from '@backline/server/support/data/erasure/erase.ts'
import type { Counts, ErasureMode, ErasureState } from '@backline/server/support/data/erasure/state.ts'
import type { Client, Service } from './harness.ts'
import { started } from './jobs.ts'

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

/** Starts an erasure by a request, and lets it fail as soon as its state is of a kind. */
export async function failedErasure(
  { context, db }: Pick<Service, 'context' | 'db'>,
  { client, env }: { client: Client; env: Environment },
  { endUserId, mode }: { endUserId: string; mode: ErasureMode },
  isEnough: (state: ErasureState) => boolean,
): Promise<void> {
  const { id } = await started(client, `/v1/end_users/${endUserId}/erase`, { mode })
  const job = sql`tenant_id = ${env.tenantId} and id = ${uuidOf('job', id)}`
  let state = (await db.maybe<{ state: ErasureState }>(sql`select state from jobs where ${job}`))!.state
  while (!isEnough(state)) state = (await written(context(env), (change) => eraseSome(change, state))).state
  await db.write(sql`update jobs set status = 'failed', started_at = created_at, ended_at = created_at,
    state = ${JSON.stringify(state)}::json, version = version + 1 where ${job}`)
  await db.write(
    sql`delete from due_work where tenant_id = ${env.tenantId} and subject_id = ${uuidOf('job', id)}`,
  )
}
