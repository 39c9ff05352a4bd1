import type { Instant } from '../kernel/clock.ts'
import {
  cancelDue,
  completeDue,
  type DueRow,
  type FoundDueRow,
  lockDue,
  postponeDue,
  scheduleDue,
  scheduleUnlessDue,
} from './due.ts'
import type { Footprint } from './footprint.ts'
import { type Part, type PlanPart, planPart } from './plan.ts'

type Scheduled = Omit<DueRow, 'dueAt'> & { dueAt: Instant | null; leasedUntil: Instant | null; keep: boolean }

/** The jobs that a change schedules and cancels, and the one that it completes. A job has one due time per subject. */
export class Scheduling {
  readonly #scheduled = new Map<string, Scheduled>()
  #completing: FoundDueRow | null = null

  /** @param keep true: a job that is already scheduled keeps its time */
  schedule(job: string, subjectId: string, dueAt: Instant, keep = false): void {
    this.#scheduled.set(`${job}/${subjectId}`, { job, subjectId, dueAt, leasedUntil: null, keep })
  }

  /**
   * Schedules a job on which this process works until a real time. It renews the lease before then; otherwise the job
   * is run again, by any process.
   */
  lease(job: string, subjectId: string, dueAt: Instant, leasedUntil: Instant): void {
    this.#scheduled.set(`${job}/${subjectId}`, { job, subjectId, dueAt, leasedUntil, keep: false })
  }

  cancel(job: string, subjectId: string): void {
    this.#scheduled.set(`${job}/${subjectId}`, {
      job,
      subjectId,
      dueAt: null,
      leasedUntil: null,
      keep: false,
    })
  }

  /** Declares that this change is the job of the row; the commit fails if another process has completed it. */
  completes(row: FoundDueRow): void {
    this.#completing = row
  }

  /** The jobs that are scheduled, without leased ones. */
  get rows(): DueRow[] {
    return [...this.#scheduled.values()].flatMap(({ job, subjectId, dueAt, leasedUntil }) =>
      dueAt === null || leasedUntil !== null ? [] : [{ job, subjectId, dueAt }],
    )
  }

  addTo(footprint: Footprint): void {
    for (const [name, { keep }] of this.#scheduled)
      (keep ? footprint.shares : footprint.writes).add(`due/${name}`)
    if (this.#completing) footprint.writes.add(`due/${this.#completing.job}/${this.#completing.subjectId}`)
  }

  /**
   * Locks due rows before all other rows, and all changes use one order. Otherwise a change that frees an operator and
   * schedules routing would deadlock with the change that runs routing.
   */
  get parts(): PlanPart[] {
    const done = this.#completing
    const parts: PlanPart[] = []
    for (const { keep, ...row } of this.#scheduled.values()) {
      const { job, subjectId, dueAt } = row
      if (done?.job === job && done.subjectId === subjectId) continue
      const part = dueAt === null ? cancelDue : keep ? scheduleUnlessDue : scheduleDue
      parts.push(planPart('first', part as Part<unknown>, row))
    }
    const rows = [...this.#scheduled.values(), ...(done ? [done] : [])]
    if (done || rows.length > 1) parts.unshift(...rows.map((row) => planPart('first', lockDue, row)))
    if (!done) return parts
    const again = this.#scheduled.get(`${done.job}/${done.subjectId}`)
    return [
      ...parts,
      again?.dueAt
        ? planPart('exact', postponeDue, { ...done, next: again.dueAt, leasedUntil: again.leasedUntil })
        : planPart('exact', completeDue, done),
    ]
  }
}
