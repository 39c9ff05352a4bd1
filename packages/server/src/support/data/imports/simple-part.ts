import { ApiError } from '../../../platform/kernel/errors.ts'
import { sqlState, sqlStates } from '../../../platform/postgres/errors.ts'
import { Shape } from '../../../platform/resource/schema.ts'
import { Batch } from '../../../platform/unit-of-work/batch.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { Draft } from '../../../platform/unit-of-work/draft.ts'
import { Footprint } from '../../../platform/unit-of-work/footprint.ts'
import type { WritePlan } from '../../../platform/unit-of-work/plan.ts'
import type { ResultFault } from '../../jobs/queries.ts'
import { faultsOf } from '../../jobs/running/each.ts'
import { faultsOfTimes, instantOf, Time } from './conversation-schema.ts'
import { type LineType, lineTypes, type SimpleType, scopeOf } from './params.ts'
import { map, mapAs, operatorsOf } from './people.ts'
import { type Known, unknown } from './queries.ts'
import { idOf, simples } from './simple-types.ts'
import type { PlacedRecord } from './spool.ts'
import { type LineReference, referencesIn, translated, untranslated } from './translating.ts'
import { lacksScope, lineValidator, noSuch, type Validator } from './validating.ts'
import { failedLine, type LineResult, type LinesDone, markImported, succeeded, type Work } from './work.ts'

/** Lines of a simple type that were imported together, and the offset of the next one; null for the end. */
export type SimpleDone = LinesDone & { taken: number; next: number | null }

/** A line that the database has refused. */
export type Refusal = { number: number; faults: ResultFault[] }

const validators = new Map<unknown, Validator>()
const validatorOf = (schema: Parameters<typeof lineValidator>[0]): Validator => {
  const validator = validators.get(schema) ?? lineValidator(schema)
  validators.set(schema, validator)
  return validator
}

const validateCreation = lineValidator(Shape({ created_at: Time() }))

/** The faults of the time at which an object was created in the source. */
const faultsOfCreation = async (created_at: unknown, ctx: Ctx): Promise<ResultFault[]> =>
  created_at === undefined
    ? []
    : validateCreation({ created_at }, ctx, faultsOfTimes({ created_at }, ctx.now(), ['created_at']))

type Line = { number: number; externalId: string; object: Record<string, unknown> }

/**
 * Imports lines, each as one change, until one depends on an earlier one: that is the first of the next part.
 * @param refused the line that the database refused when it was alone, if it did
 */
export async function simplePart(
  work: Work,
  type: SimpleType,
  records: PlacedRecord[],
  refused: Refusal | null,
): Promise<SimpleDone> {
  const { db, env } = work.ctx
  const lines = records.map(({ number, text }): Line => {
    const object = JSON.parse(text)
    return { number, externalId: object.external_id, object }
  })
  const known = await work.resolver.find(
    db,
    env.tenantId,
    type,
    lines.map(({ externalId }) => externalId),
  )
  const done: SimpleDone = { changes: [], results: [], failed: 0, taken: 0, next: null }
  const batch = new Batch()
  const earlier = new Footprint()
  const seen = new Set<string>()
  for (const [i, line] of lines.entries()) {
    if (seen.has(line.externalId)) break // it repeats an earlier one
    seen.add(line.externalId)
    const mark = work.resolver.mark()
    const outcome: Outcome =
      refused?.number === line.number
        ? { result: failedLine(line.number, refused.faults) }
        : await lineOutcome(work, type, line, known.get(line.externalId) ?? unknown, batch)
    // Refused upon what an earlier line may change: it is asked again after that one.
    if (outcome.isRefused && done.changes.length > 0) {
      work.resolver.resetTo(mark)
      break
    }
    const footprint = new Footprint()
    if (outcome.change) {
      outcome.change.draft.addTo(footprint, outcome.change.plan)
      if (!work.isDry && footprint.dependsOn(earlier)) {
        work.resolver.resetTo(mark)
        break
      }
      earlier.add(footprint)
      if (!work.isDry) done.changes.push(outcome.change)
    }
    done.results.push(outcome.result)
    if (outcome.result.status === 'failed') done.failed++
    done.taken++
    done.next = records[i]!.end
  }
  return done
}

type Outcome = {
  result: LineResult
  change?: { draft: Draft; plan: WritePlan }
  /** True if stored objects were the reason. */
  isRefused?: boolean
}

/** A refusal is decided upon what the database has now, not upon what this process remembers. */
async function lineOutcome(
  work: Work,
  type: SimpleType,
  line: Line,
  known: Known,
  batch: Batch,
): Promise<Outcome> {
  const mark = work.resolver.mark()
  for (let trustsMemory = true; ; trustsMemory = false) {
    const draft = new Draft(work.ctx, batch, trustsMemory)
    try {
      const id = await importLine(draft.change, work, type, line, known)
      const plan = markImported(await draft.plan(null))
      return { result: succeeded(line.number, id), change: { draft, plan } }
    } catch (error) {
      work.resolver.resetTo(mark)
      if (error instanceof Faulty) {
        const isRefused = error.faults.some(({ code }) => code === 'not_found')
        return { result: failedLine(line.number, error.faults), isRefused }
      }
      if (!(error instanceof ApiError)) throw error
      if (trustsMemory && draft.usesMemory) continue
      const faults = untranslated(faultsOf(error), simples[type].references)
      return { result: failedLine(line.number, faults), isRefused: true }
    }
  }
}

class Faulty extends Error {
  readonly faults: ResultFault[]
  constructor(faults: ResultFault[]) {
    super('A line is invalid')
    this.faults = faults
  }
}

const isErased: ResultFault = {
  pointer: '/external_id',
  code: 'not_allowed',
  detail: 'must not be that of an erased end user',
}

/** @returns the id of the object; null if a dry run would make it */
async function importLine(
  change: Change,
  work: Work,
  type: SimpleType,
  line: Line,
  known: Known,
): Promise<string | null> {
  const scope = scopeOf[type]
  if (!work.ctx.principal.allows(scope)) throw new Faulty([lacksScope(scope)])
  const { entity, created, patched, create, update, adopt, showsExternalId } = simples[type]
  const { type: _, external_id: __, ...object } = line.object
  const { body, faults } = await withIds(change, work, type, object)
  const { created_at, ...given } = body
  const validate = async (schema: typeof created) => {
    const own = untranslated(await validatorOf(schema)(given, work.ctx), simples[type].references)
    const all = [...own, ...(await faultsOfCreation(created_at, work.ctx)), ...faults]
    if (all.length > 0) throw new Faulty(all)
  }
  const existing = async (id: string): Promise<string> => {
    if (work.params.on_conflict === 'update') {
      await validate(patched)
      await update(change, id, given)
    }
    return idOf(type, id)
  }
  const row = known.id === null ? null : await change.rows.find(entity, known.id)
  if (row) {
    if ('erased_at' in row && row.erased_at !== null) throw new Faulty([isErased])
    if (!known.isMapped) {
      change.rows.guard(entity, row) // one who is erased meanwhile must not be named
      map(change, work, type, line.externalId, row.id)
    }
    return existing(row.id)
  }
  await validate(created)
  const found = (await adopt?.(change, given)) ?? null
  const mapTo = (id: string) => mapAs(change, work, type, line.externalId, id, known.isMapped)
  if (found) {
    mapTo(found.id)
    return existing(found.id)
  }
  const externalId = showsExternalId ? { external_id: known.isTaken ? null : line.externalId } : {}
  const made = await create(change, { ...given, ...externalId })
  const createdAt = instantOf(created_at as string | null | undefined)
  if (createdAt !== null) change.rows.update(entity, made, { created_at: createdAt })
  mapTo(made.id)
  return work.isDry ? null : idOf(type, made.id)
}

/** The line with ids in place of external ids, and the faults of references to nothing. */
async function withIds(
  change: Change,
  work: Work,
  type: SimpleType,
  object: Record<string, unknown>,
): Promise<{ body: Record<string, unknown>; faults: ResultFault[] }> {
  const types = simples[type].references
  const references = referencesIn(object, types)
  const ids = new Map<string, string>()
  const faults: ResultFault[] = []
  const key = (of: LineType, externalId: string) => `${of} ${externalId}`
  for (const of of lineTypes) {
    const named = references.filter((each) => each.type === of)
    if (named.length === 0) continue
    const found = await objectsOf(change, work, of, named)
    for (const { externalId, pointer } of named) {
      const id = found.get(externalId)
      if (id !== undefined) ids.set(key(of, externalId), idOf(of as SimpleType, id))
      else if (!(work.isDry && work.declared.get(of)?.has(externalId)))
        faults.push(noSuch(pointer, of.replace('_', ' ')))
    }
  }
  return { body: translated(object, types, (of, externalId) => ids.get(key(of, externalId)) ?? null), faults }
}

async function objectsOf(
  change: Change,
  work: Work,
  type: LineType,
  named: LineReference[],
): Promise<Map<string, string>> {
  const externalIds = named.map(({ externalId }) => externalId)
  if (type === 'operator') return operatorsOf(change, work, externalIds)
  const found = await work.resolver.find(change.db, change.tenantId, type, externalIds)
  return new Map([...found].flatMap(([externalId, { id }]) => (id === null ? [] : [[externalId, id]])))
}

/**
 * The reason why the only change of a part was refused by the database, such as a name that another object has taken;
 * null if the change may succeed when it is made again.
 */
export async function refusalOf(
  type: SimpleType,
  { changes, results }: SimpleDone,
  error: unknown,
): Promise<Refusal | null> {
  const [only, ...others] = changes
  if (!only || others.length > 0 || sqlState(error) !== sqlStates.uniqueViolation) return null
  try {
    await only.draft.explainDuplicate()
    return null
  } catch (refusal) {
    if (!(refusal instanceof ApiError)) throw refusal
    const number = results.find(({ status }) => status === 'succeeded')!.place
    return { number, faults: untranslated(faultsOf(refusal), simples[type].references) }
  }
}
