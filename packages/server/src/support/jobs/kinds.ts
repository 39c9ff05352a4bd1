import type { Change } from '../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../platform/unit-of-work/context.ts'
import type { Draft } from '../../platform/unit-of-work/draft.ts'
import type { WritePlan } from '../../platform/unit-of-work/plan.ts'
import type { Job, JobError, JobResult, JobType } from './queries.ts'

/** The end of a job. */
export type Ending = { result?: Record<string, unknown> | null; error?: JobError }

/** A part of the work. It is written as one transaction with the progress of the job. */
export type Part = {
  /** Changes with their plans, in order. */
  changes?: { draft: Draft; plan: WritePlan }[]
  /** Further writes, by a change of the server itself. */
  write?(change: Change): Promise<void> | void
  /** Objects or lines that are done with this part, and how many of them have failed. */
  done: number
  failed: number
  /** The number of all objects or lines, once it is known. */
  total?: number
  results?: Omit<JobResult, 'job_id'>[]
  /** Where the work goes on after this part. */
  state: unknown
  /** Work that has to end before the next part, and that takes no place among the jobs of this process. */
  after?: Promise<void>
  /** Given if this is the last part. */
  ends?: Ending
}

/** How the work has gone so far. */
export type Pace = {
  /** The number of times in a row that the part was not written, because others wrote the same rows. */
  conflicts: number
  /**
   * The number of unexpected failures of this part in a row, after each of which the work was opened again. Those of a
   * database that is away or takes too long do not count.
   */
  failures: number
  /** The time that the last part took until it was written, in milliseconds; null for the first one. */
  lastMs: number | null
}

/** The work on a job in this process. */
export type OpenJob = {
  /** Returns the next part after the state of the job. */
  next(job: Job, pace: Pace): Promise<Part>
  /** Called with the error of a part that was not written, before it is tried again. */
  refused?(error: unknown): Promise<void>
  /** Called at the end, and when the work is handed to another process or begins again at the state of the job. */
  close?(): Promise<void> | void
}

export type JobKind = {
  type: JobType
  /** Opens the work where the state of the job says. @param ctx makes changes in the name of the job's starter */
  open(ctx: () => Ctx, job: Job): Promise<OpenJob> | OpenJob
  /** Removes what the job has left, when its results expire. */
  expire?(change: Change, job: Job): Promise<unknown>
}

const kinds = new Map<JobType, JobKind>()

/** Declares the work of a type of jobs. */
export function defineJobKind(kind: JobKind): JobKind {
  kinds.set(kind.type, kind)
  return kind
}

export function kindOf({ type }: Job): JobKind {
  const kind = kinds.get(type)
  if (!kind) throw new Error(`Unknown type of jobs ${type}; a newer version of Backline may have created it`)
  return kind
}

/** An error that ends the job as failed, with its code and detail. */
export class JobFailed extends Error {
  override name = 'JobFailed'
  readonly reason: JobError
  constructor(reason: JobError) {
    super(reason.detail)
    this.reason = reason
  }
}
