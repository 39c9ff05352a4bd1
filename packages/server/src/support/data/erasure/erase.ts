import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { findLastBlock } from '../../integration/audit-log/queries.ts'
import { forgetParams } from '../../jobs/actions.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { refuseHeld } from '../../people/end-users/legal-hold.ts'
import { idsOfEndUser } from '../../people/end-users/queries.ts'
import { certify } from './certificate.ts'
import { eraseConversations } from './conversations.ts'
import { emptyConversationEvents, emptyRecords, emptySessionEvents } from './events.ts'
import {
  deleteUnusedFiles,
  endSessions,
  eraseIdentity,
  eraseVotes,
  freeExternalIds,
  linkConversations,
} from './identity.ts'
import { emptyPreviews, findJobs, removeExports, wholeExports } from './jobs.ts'
import { eraseMails, findMails } from './mails.ts'
import { countRows, type ErasureRow, lastErasure } from './queries.ts'
import type { Counts, ErasureMode, ErasureState, Step } from './state.ts'

/**
 * The state of an erasure that has not begun. The row of the end user is guarded. If an earlier erasure of the person
 * ended before its work was done, what it alone knew is taken over: the texts by which it was found may be gone.
 * @throws ApiError `not_found`; `identity_conflict` for one that was merged; `legal_hold`
 */
export async function startErasure(change: Change, id: string, mode: ErasureMode): Promise<ErasureState> {
  const endUser = await change.rows.load(endUsers, id)
  if (endUser.merged_into_id !== null) throw new ApiError('identity_conflict', { reason: 'merged' })
  refuseHeld(change, endUser)
  const ids = await idsOfEndUser(change.db, change.tenantId, id)
  const named = ids.map((each) => typeId('eu', each))
  const last = await lastErasure(change.db, change.tenantId, named)
  const earlier = last && last.status !== 'succeeded' ? last.state : null
  return {
    end_user_id: endUser.id,
    mode,
    step: 'jobs',
    after: null,
    after_sequence: 0,
    deleting: earlier?.deleting ?? [],
    files: earlier?.files ?? [],
    jobs: earlier?.jobs ?? [],
    walk: { streams: [], after: null },
    counts: earlier?.counts ?? {},
    audit_head_before: await headOfLog(change),
  }
}

/** The rows that an erasure would change or delete, by table; events are those of the person's own streams. */
export async function planErasure(
  { db, tenantId }: { db: Db; tenantId: string },
  id: string,
  mode: ErasureMode,
): Promise<Counts> {
  return countRows(db, tenantId, await idsOfEndUser(db, tenantId, id), mode)
}

/** The result of a piece of an erasure. */
export type Erased = {
  state: ErasureState
  done: boolean
  /** The rows so far. */
  counts: Counts
  /** The certificate, once it is done. */
  erasure: ErasureRow | null
}

const work: Record<
  Exclude<Step, 'end'>,
  (change: Change, state: ErasureState, ids: string[]) => Promise<ErasureState>
> = {
  jobs: findJobs,
  senders: findMails,
  identity: eraseIdentity,
  sessions: endSessions,
  files: deleteUnusedFiles,
  votes: eraseVotes,
  linking: linkConversations,
  conversations: eraseConversations,
  mails: eraseMails,
  events: emptyConversationEvents,
  records: emptyRecords,
  session_events: emptySessionEvents,
  previews: emptyPreviews,
}

/**
 * Does the next piece of an erasure. The caller commits the new state with the change: a piece that is repeated from a
 * state has the same effects.
 * @throws ApiError `legal_hold` at the beginning
 */
export async function eraseSome(change: Change, state: ErasureState): Promise<Erased> {
  const ids = await idsOfEndUser(change.db, change.tenantId, state.end_user_id)
  if (state.step !== 'end') {
    const next = await work[state.step](change, state, ids)
    return { state: next, done: false, counts: next.counts, erasure: null }
  }
  await freeExternalIds(change, ids)
  await removeExports(change, ids) // perhaps some began before the person was erased
  forgetParams(change, state.jobs)
  const exports = await wholeExports(change)
  const erasure = certify(change, state, { exports, audit_head_after: await headOfLog(change) })
  return { state, done: true, counts: state.counts, erasure }
}

const headOfLog = async ({ db, tenantId }: { db: Db; tenantId: string }): Promise<string | null> =>
  (await findLastBlock(db, tenantId))?.head.toString('hex') ?? null
