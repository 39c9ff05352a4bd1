import { createReadStream } from 'node:fs'
import { toInstant } from '../../platform/kernel/clock.ts'
import { newUuid } from '../../platform/kernel/ids.ts'
import type { Change } from '../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../platform/unit-of-work/context.ts'
import { files } from './entity.ts'
import { copyKey } from './keys.ts'
import type { FileRow } from './queries.ts'
import { unusedForMs } from './removal.ts'
import { reserveFirstCopy } from './tasks/queries.ts'

/*
 * Files that the server makes. Their bytes are stored before their row is created, and removed after a day if it never
 * is, whatever happens to the process.
 */

const copy = 1

export type MadeFile = Pick<
  FileRow,
  'id' | 'filename' | 'content_type' | 'size_bytes' | 'sha256' | 'required_scopes'
>

/** Stores the bytes of a local file under the id of a new one. @throws StoreUnavailable */
export async function storeBytes(ctx: Ctx, path: string, sizeBytes: number): Promise<string> {
  const id = newUuid(Date.now())
  await storeBytesAs(ctx, id, path, sizeBytes)
  return id
}

/** Stores the bytes of a local file under an id that no file has. @throws StoreUnavailable */
export async function storeBytesAs(
  { db, env, services }: Ctx,
  id: string,
  path: string,
  sizeBytes: number,
): Promise<void> {
  await reserveFirstCopy(db, env.tenantId, id, toInstant(Date.now() + unusedForMs))
  const bytes = createReadStream(path) as AsyncIterable<Buffer>
  await services.files.store.write(copyKey(env.tenantId, id, copy), bytes, sizeBytes)
}

/**
 * Creates the row of a file whose bytes are stored. The caller deletes it in time, or lets something use it.
 * @param status `scanning` if the caller also has it scanned
 */
export const createMadeFile = (
  change: Change,
  made: MadeFile,
  status: 'ready' | 'scanning' = 'ready',
): FileRow =>
  change.rows.create(
    files,
    {
      ...change.stamp(),
      ...made,
      status,
      rejected_reason: null,
      end_user_id: null,
      conversation_id: null,
      in_knowledge_base: false,
      use_count: 0,
      copy,
    },
    'file.created',
  )
