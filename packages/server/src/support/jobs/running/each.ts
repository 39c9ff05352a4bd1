import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { sqlState, sqlStates } from '../../../platform/postgres/errors.ts'
import { Batch } from '../../../platform/unit-of-work/batch.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { Draft } from '../../../platform/unit-of-work/draft.ts'
import type { Entity, ResourceRow } from '../../../platform/unit-of-work/entity.ts'
import { Footprint } from '../../../platform/unit-of-work/footprint.ts'
import { lengthOf, type WritePlan } from '../../../platform/unit-of-work/plan.ts'
import { keyOf } from '../../../platform/unit-of-work/rows.ts'
import type { JobResult, ResultFault } from '../queries.ts'

/** An object of a job: its place in the selection, and its id as a UUID. */
export type Item = { place: number; id: string }

type Changes = JobResult['changes']

/** The work of a job on each object, as one change. */
export type Action<Row extends ResourceRow> = {
  entity: Entity<Row>
  /** Like the handler of a request. A dry run returns the fields that it would change. */
  perform(change: Change, id: string): Promise<Changes>
  dryRun: boolean
}

type Outcome =
  | { item: Item; draft: Draft; plan: WritePlan; changes: Changes }
  | { item: Item; error: ApiError }

/** Objects that are done, with the changes to write and the results; `left` are the others, in order. */
export type Done = {
  changes: { draft: Draft; plan: WritePlan }[]
  results: Omit<JobResult, 'job_id'>[]
  failed: number
  left: Item[]
}

/** The objects that are worked on at a time. Requests wait while what all of them have read is processed. */
const atOnce = 16

/** The maximum size of the events of a part, in characters; memory holds them several times. */
const maxLength = 4 * 1024 * 1024

/**
 * Performs an action on objects at the same time, each as one change. Those whose changes depend on one another are not
 * done together: the later ones are left.
 */
export async function performEach<Row extends ResourceRow>(
  ctx: () => Ctx,
  action: Action<Row>,
  items: Item[],
): Promise<Done> {
  const batch = new Batch()
  await preload(ctx(), action.entity, items, batch)
  const outcomes: Outcome[] = []
  for (let i = 0; i < items.length; i += atOnce) {
    const some = items.slice(i, i + atOnce)
    outcomes.push(...(await Promise.all(some.map((item) => performOne(ctx, action, item, batch)))))
    await yieldToOthers()
  }
  const done: Done = { changes: [], results: [], failed: 0, left: [] }
  const earlier = new Footprint()
  let length = 0
  for (const outcome of outcomes) {
    const { item } = outcome
    if ('error' in outcome) {
      // Refused upon what an earlier object may change: it is asked again after that one.
      if (done.left.length > 0) done.left.push(item)
      else refuse(done, action.entity, item, outcome.error)
      continue
    }
    const { draft, plan, changes } = outcome
    const footprint = new Footprint()
    draft.addTo(footprint, plan)
    if (length > maxLength || (!action.dryRun && footprint.dependsOn(earlier))) {
      done.left.push(item)
      continue
    }
    earlier.add(footprint)
    length += lengthOf(plan)
    if (!action.dryRun) done.changes.push({ draft, plan })
    done.results.push(resultOf(action.entity, item, { status: 'succeeded', errors: null, changes }))
  }
  return done
}

async function preload<Row extends ResourceRow>(
  { db, env }: Ctx,
  entity: Entity<Row>,
  items: Item[],
  { known }: Batch,
): Promise<void> {
  const rows = await entity.table.findMany(
    db,
    env.tenantId,
    items.map(({ id }) => id),
  )
  for (const { id } of items) known.set(keyOf(entity, id), null)
  for (const row of rows) known.set(keyOf(entity, row.id), row)
}

/** A refusal is decided upon what the database has now, not upon what this process remembers. */
async function performOne<Row extends ResourceRow>(
  ctx: () => Ctx,
  { perform }: Action<Row>,
  item: Item,
  batch: Batch,
): Promise<Outcome> {
  for (let trustsMemory = true; ; trustsMemory = false) {
    const draft = new Draft(ctx(), batch, trustsMemory)
    try {
      const changes = await perform(draft.change, item.id)
      return { item, draft, plan: await draft.plan(null), changes }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!(trustsMemory && draft.usesMemory)) return { item, error }
    }
  }
}

/** Records that an object was refused. */
export function refuse<Row extends ResourceRow>(
  done: Pick<Done, 'results' | 'failed'>,
  entity: Entity<Row>,
  item: Item,
  error: ApiError,
): void {
  done.results.push(resultOf(entity, item, { status: 'failed', errors: faultsOf(error), changes: null }))
  done.failed++
}

const resultOf = <Row extends ResourceRow>(
  { prefix }: Entity<Row>,
  { place, id }: Item,
  rest: Pick<JobResult, 'status' | 'errors' | 'changes'>,
): Omit<JobResult, 'job_id'> => ({ place, object_id: typeId(prefix, id), ...rest })

/** The faults of an error as results show them. */
export const faultsOf = ({ code, message, details: { errors = [] } }: ApiError): ResultFault[] =>
  errors.length === 0
    ? [{ pointer: null, code, detail: message }]
    : errors.map((fault) => ({
        pointer: 'pointer' in fault ? (fault.pointer ?? null) : null,
        code: fault.code,
        detail: fault.detail,
      }))

/**
 * The reason why the only change of a part was refused by the database, such as a name that another object has taken;
 * null if the change may succeed when it is made again.
 */
export async function refusalOf({ changes }: Done, error: unknown): Promise<ApiError | null> {
  const [only, ...others] = changes
  if (!only || others.length > 0 || sqlState(error) !== sqlStates.uniqueViolation) return null
  try {
    await only.draft.explainDuplicate()
    return null
  } catch (refusal) {
    if (refusal instanceof ApiError) return refusal
    throw refusal
  }
}
