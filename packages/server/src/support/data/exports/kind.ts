import { endOfJournal } from '../../../platform/journal/heads.ts'
import { toSortKey } from '../../../platform/journal/positions.ts'
import type { Instant } from '../../../platform/kernel/clock.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Snapshot } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { storedConversationFilter } from '../../desk/conversations/finding/body-filter.ts'
import { createMadeFile, type MadeFile } from '../../files/making.ts'
import { defineJobKind, JobFailed, type OpenJob, type Part } from '../../jobs/kinds.ts'
import type { Job } from '../../jobs/queries.ts'
import { makeDirectory, removeDirectory } from '../../jobs/running/directories.ts'
import { csvHeader, csvLine } from './csv.ts'
import { type FamilyName, families } from './families.ts'
import type { ExportParams, ExportPart, ExportResult, ExportState } from './params.ts'
import { deleteParts } from './parts.ts'
import { everything, objectsOf, type Some } from './reading.ts'
import { storePart } from './storing.ts'
import { FamilyWriter } from './writer.ts'

/** The time for the objects of one part. */
const partMs = 100
/** PostgreSQL keeps old versions of rows for a snapshot, so that it cannot be kept for ever. */
const longestSnapshotMs = 6 * 3_600_000

export const exportKind = defineJobKind({
  type: 'export',
  async open(ctx, job): Promise<OpenJob> {
    const { db } = ctx()
    const directory = await makeDirectory()
    try {
      return new Export(ctx, job, await db.snapshot(), directory)
    } catch (error) {
      await removeDirectory(directory)
      throw error
    }
  },
  expire: deleteParts,
})

/** The files of an export, whose bytes are stored. */
type Stored = { parts: ExportPart[]; made: MadeFile[]; objects: ExportResult['manifest']['objects'] }

/** An export that this process carries out. Its snapshot ends with it, and another one begins anew. */
class Export implements OpenJob {
  readonly #ctx: () => Ctx
  readonly #params: ExportParams
  readonly #restarts: number
  readonly #directory: string
  readonly #begunMs = performance.now()
  #snapshot: Snapshot | null
  #begun: { objects: AsyncGenerator<Some>; feedCursor: string } | null = null
  readonly #writers = new Map<FamilyName, FamilyWriter>()
  #stored: Stored | null = null
  #stores: Promise<void> | null = null

  constructor(ctx: () => Ctx, job: Job, snapshot: Snapshot, directory: string) {
    const { hasBegun, restarts } = job.state as ExportState
    this.#ctx = ctx
    this.#params = job.params as ExportParams
    this.#restarts = hasBegun ? restarts + 1 : restarts
    this.#snapshot = snapshot
    this.#directory = directory
  }

  async next(job: Job): Promise<Part> {
    const state: ExportState = { hasBegun: true, restarts: this.#restarts }
    if (this.#stored) return this.#end(state, this.#stored)
    if (!this.#begun) {
      this.#begun = await this.#begin()
      return { done: -job.done, failed: 0, state }
    }
    const { count, isLast } = await this.#read(this.#begun.objects)
    return { done: count, failed: 0, state, ...(isLast ? { after: this.#storing() } : {}) }
  }

  async #begin() {
    const { env, now } = this.#ctx()
    const { db } = this.#snapshot!
    const head = await endOfJournal(db, env.tenantId) // the first statement: the snapshot is that of this moment
    const at: Instant = now()
    const ctx: Ctx = { ...this.#ctx(), db, now: () => at }
    const { objects, filter, format, compression } = this.#params
    const read = filter === null ? everything : await storedConversationFilter(ctx, filter)
    if (!read)
      throw new JobFailed({ code: 'view_broken', detail: 'The filter names a field that was deleted.' })
    for (const name of objects) {
      const header = format === 'csv' ? csvHeader(families[name].wire) : ''
      const isCompressed = compression === 'gzip'
      this.#writers.set(name, new FamilyWriter(this.#directory, name, { header, isCompressed }))
    }
    return {
      objects: objectsOf(ctx, objects, read, at),
      feedCursor: ctx.services.feedCursor(env.tenantId, toSortKey(head)),
    }
  }

  async #read(objects: AsyncGenerator<Some>): Promise<{ count: number; isLast: boolean }> {
    const begunMs = performance.now()
    if (begunMs - this.#begunMs > longestSnapshotMs) {
      const detail = `The export took longer than ${longestSnapshotMs / 3_600_000} hours. Export fewer families, or use a filter.`
      throw new JobFailed({ code: 'export_too_long', detail })
    }
    let count = 0
    while (performance.now() - begunMs < partMs) {
      const some = await objects.next()
      if (some.done) return { count, isLast: true }
      const { name, json } = some.value
      await this.#writers.get(name)!.write(json.map((each) => this.#lineOf(name, each)))
      count += json.length
    }
    return { count, isLast: false }
  }

  #lineOf(name: FamilyName, json: string): string {
    return this.#params.format === 'csv' ? csvLine(families[name].wire, json) : `${json}\n`
  }

  /** A part that is repeated after a conflict waits for the same. */
  #storing(): Promise<void> {
    this.#stores ??= this.#store()
    return this.#stores
  }

  /** Stores all files, which needs no place among the jobs of this process. */
  async #store(): Promise<void> {
    await this.#closeSnapshot()
    const stored: Stored = { parts: [], made: [], objects: {} }
    for (const [name, writer] of this.#writers) {
      const { parts, count, sha256 } = await writer.finish()
      stored.objects[name] = { count, sha256 }
      for (const [i, part] of parts.entries()) {
        const id = await storePart(this.#ctx, part)
        stored.parts.push({ object: name, file_id: typeId('file', id), bytes: part.bytes })
        stored.made.push({
          id,
          ...nameAndType(this.#params, name, i),
          size_bytes: part.bytes,
          sha256: null,
          required_scopes: ['jobs:read', families[name].scope],
        })
      }
    }
    this.#stored = stored
  }

  #end(state: ExportState, { parts, made, objects }: Stored): Part {
    const result: ExportResult = {
      parts,
      manifest: { objects, feed_cursor: this.#begun!.feedCursor },
      snapshot_restarts: this.#restarts,
    }
    return {
      done: 0,
      failed: 0,
      state,
      write: (change) => {
        for (const each of made) createMadeFile(change, each)
      },
      ends: { result },
    }
  }

  async #closeSnapshot(): Promise<void> {
    const snapshot = this.#snapshot
    this.#snapshot = null
    await snapshot?.close()
  }

  async close(): Promise<void> {
    await this.#closeSnapshot()
    for (const writer of this.#writers.values()) writer.abandon()
    await removeDirectory(this.#directory)
  }
}

function nameAndType({ format, compression }: ExportParams, name: FamilyName, part: number) {
  const filename = `${name}${part === 0 ? '' : `-${part + 1}`}.${format}`
  if (compression === 'gzip') return { filename: `${filename}.gz`, content_type: 'application/gzip' }
  return { filename, content_type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' }
}
