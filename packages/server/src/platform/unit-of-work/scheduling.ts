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

type Scheduled = Omit<DueRow, 'dueAt'> & { dueAt: Instant | null; keep: boolean }

/** The jobs that a change schedules and cancels, and the one that it completes. A job has one due time per subject. */
export class Scheduling {
  readonly #scheduled = new Map<string, Scheduled>()
  #completing: FoundDueRow | null = null

  /** @param keep true: a job that is already scheduled keeps its time */
  schedule(job: string, subjectId: string, dueAt: Instant, keep = false): void {
    this.#scheduled.set(`${job}/${subjectId}`, { job, subjectId, dueAt, keep })
  }

  cancel(job: string, subjectId: string): void {
    this.#scheduled.set(`${job}/${subjectId}`, { job, subjectId, dueAt: null, keep: false })
  }

  /** Declares that this change is the job of the row; the commit fails if another process has completed it. */
  completes(row: FoundDueRow): void {
    this.#completing = row
  }

  get rows(): DueRow[] {
    return [...this.#scheduled.values()].flatMap(({ job, subjectId, dueAt }) =>
      dueAt === null ? [] : [{ job, subjectId, dueAt }],
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
    for (const { job, subjectId, dueAt, keep } of this.#scheduled.values()) {
      if (done?.job === job && done.subjectId === subjectId) continue
      const part = dueAt === null ? cancelDue : keep ? scheduleUnlessDue : scheduleDue
      parts.push(planPart('first', part as Part<unknown>, { job, subjectId, dueAt }))
    }
    const rows = [...this.#scheduled.values(), ...(done ? [done] : [])]
    if (done || rows.length > 1) parts.unshift(...rows.map((row) => planPart('first', lockDue, row)))
    if (!done) return parts
    const next = this.#scheduled.get(`${done.job}/${done.subjectId}`)?.dueAt
    return [
      ...parts,
      next ? planPart('exact', postponeDue, { ...done, next }) : planPart('exact', completeDue, done),
    ]
  }
}
