import { ApiError, type FieldError, ofOneValue, unless } from '../../kernel/errors.ts'
import type { Route } from '../../resource/resource.ts'
import type { Ctx } from '../../unit-of-work/context.ts'
import { rehearse } from '../../unit-of-work/rehearse.ts'
import { type Repair, repaired } from '../request/repaired-body.ts'

type Input = { params: Record<string, string>; query: Record<string, unknown>; body: unknown }

/**
 * Returns the faults that only the handler finds in a body that also breaks its schema: unknown references, time zones
 * that do not exist, forbidden addresses. So one response names all of them. The handler is rehearsed with a repaired
 * body. Findings that depend on other fields are left out, because these fields may be invalid.
 * @param faults the faults found so far
 */
export async function handlerFaults(
  route: Route,
  contextFor: (body: unknown) => Ctx,
  input: Input,
  faults: FieldError[],
  faultsOfBody: (body: unknown) => FieldError[],
): Promise<FieldError[]> {
  if (route.kind !== 'write') return []
  const pointers = faults.flatMap(pointerOf)
  const repair = repaired(
    input.body,
    pointers,
    (body) => faultsOfBody(body).flatMap(pointerOf),
    route.bodyExample,
  )
  if (!repair) return []
  const found = await rehearse(contextFor(repair.body), async (change) => {
    try {
      await (route.handle as (...args: unknown[]) => unknown)(change, { ...input, body: repair.body })
    } catch (error) {
      throw route.refusal && error instanceof ApiError ? route.refusal(error) : error
    }
  })
  return newFindings(found, faults, repair)
}

function newFindings(found: FieldError[], faults: FieldError[], repair: Repair): FieldError[] {
  const known = [...faults.flatMap(pointerOf), ...repair.replaced]
  const headers = new Set(faults.map((fault) => ('header' in fault ? fault.header : null)))
  return found
    .filter((fault) => isOfOneValue(fault, known) && !('header' in fault && headers.has(fault.header)))
    .map((fault) => ('pointer' in fault ? { ...fault, pointer: repair.originalOf(fault.pointer) } : fault))
    .filter((fault) => !pointerOf(fault).some((pointer) => known.some((each) => overlap(pointer, each))))
}

/** True if the values of other fields that are invalid play no part. */
const isOfOneValue = (fault: FieldError, known: string[]): boolean =>
  fault.code === 'not_found' ||
  fault.code === 'bad_format' ||
  'header' in fault ||
  fault[ofOneValue] === true ||
  (fault[unless] !== undefined && !known.some((pointer) => overlap(pointer, fault[unless]!)))

const pointerOf = (fault: FieldError): string[] => ('pointer' in fault ? [fault.pointer] : [])

const overlap = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)
