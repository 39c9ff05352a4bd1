import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { createMadeFile } from '../../files/making.ts'
import { createJob } from '../../jobs/actions.ts'
import { defineJobKind, type OpenJob, type Part } from '../../jobs/kinds.ts'
import type { Job } from '../../jobs/queries.ts'
import { makeDirectory, removeDirectory } from '../../jobs/running/directories.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { deleteParts } from '../exports/parts.ts'
import { storePart } from '../exports/storing.ts'
import { FamilyWriter, type LocalPart } from '../exports/writer.ts'
import { requireLead } from '../refusing.ts'
import { type Gathered, gatherPerson } from './gathering.ts'

type Params = { end_user_id: string }
/** True from the first part on: a new process writes the file anew. */
type State = { hasBegun: boolean }

/** The time for the objects of one part. */
const partMs = 100
const gzip = { header: '', isCompressed: true }

/** Starts a job that writes all data of a person to a file. */
export async function startPersonExport(change: Change, id: string): Promise<Job> {
  await requireLead(change)
  const endUser = await change.rows.load(endUsers, id)
  if (endUser.merged_into_id !== null) throw new ApiError('identity_conflict', { reason: 'merged' })
  if (endUser.erased_at !== null) throw new ApiError('identity_conflict', { reason: 'erased' })
  change.rows.guard(endUsers, endUser)
  const params: Params = { end_user_id: typeId('eu', id) }
  return createJob(change, { type: 'person_export', params, state: { hasBegun: false } satisfies State })
}

export const personExport = defineJobKind({
  type: 'person_export',
  async open(ctx, job): Promise<OpenJob> {
    const directory = await makeDirectory()
    const { end_user_id } = job.params as Params
    return openExport(ctx, uuidOf('eu', end_user_id)!, directory)
  },
  expire: deleteParts,
})

type Stored = { part: LocalPart; fileId: string; count: number; sha256: string }

function openExport(ctx: () => Ctx, endUserId: string, directory: string): OpenJob {
  const writer = new FamilyWriter(directory, 'person', gzip)
  const objects = gatherPerson(ctx(), endUserId)
  const state: State = { hasBegun: true }
  let stored: Stored | null = null
  let storing: Promise<void> | null = null

  async function store(): Promise<void> {
    const { parts, count, sha256 } = await writer.finish()
    const part = parts[0]!
    stored = { part, fileId: await storePart(ctx, part), count, sha256 }
  }

  return {
    async next(job): Promise<Part> {
      if (stored) return end(stored)
      // Another process may have begun: the file is written anew.
      if (writer.count === 0 && job.done > 0) return { done: -job.done, failed: 0, state }
      const { count, isLast } = await writeSome(objects, writer)
      if (!isLast) return { done: count, failed: 0, state }
      storing = storing ?? store() // a part that is repeated after a conflict waits for the same
      return { done: count, failed: 0, state, after: storing }
    },
    close() {
      writer.abandon()
      return removeDirectory(directory)
    },
  }
}

async function writeSome(
  objects: AsyncGenerator<Gathered>,
  writer: FamilyWriter,
): Promise<{ count: number; isLast: boolean }> {
  const begunMs = performance.now()
  let count = 0
  while (performance.now() - begunMs < partMs) {
    const some = await objects.next()
    if (some.done) return { count, isLast: true }
    const { rows } = some.value
    await writer.write(rows.map((json) => `${json}\n`))
    count += rows.length
  }
  return { count, isLast: false }
}

function end({ part, fileId, count, sha256 }: Stored): Part {
  return {
    done: 0,
    failed: 0,
    state: { hasBegun: true } satisfies State,
    write: (change) => {
      createMadeFile(change, {
        id: fileId,
        filename: 'person.ndjson.gz',
        content_type: 'application/gzip',
        size_bytes: part.bytes,
        sha256: null,
        required_scopes: ['jobs:read', 'erasure:write'],
      })
    },
    ends: {
      result: { file_id: typeId('file', fileId), bytes: part.bytes, count, sha256 },
    },
  }
}
