import { ApiError, type FieldError } from '../kernel/errors.ts'
import type { Route } from '../resource/resource.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import { rehearse } from '../unit-of-work/rehearse.ts'
import { holdsMany } from './validation.ts'

type Body = Record<string, unknown>
type FaultsOfBody = (body: unknown) => FieldError[]
type Input = { params: Record<string, string>; query: Record<string, unknown>; body: unknown }

/**
 * Returns the faults that only the handler finds, such as unknown references, in a body that also breaks its schema.
 * The handler is rehearsed with a body whose invalid members are left out, or those of the route's example if they are
 * required. So one response names everything that a client has to correct.
 * @param faults the faults found so far
 */
export async function handlerFaults(
  route: Route,
  contextFor: (body: unknown) => Ctx,
  input: Input,
  faults: FieldError[],
  faultsOfBody: FaultsOfBody,
): Promise<FieldError[]> {
  if (route.kind !== 'write') return []
  const repair = repaired(input.body, faults, faultsOfBody, (route.bodyExample ?? {}) as Body)
  if (!repair) return []
  const found = await rehearse(contextFor(repair.body), async (change) => {
    try {
      await (route.handle as (...args: unknown[]) => unknown)(change, { ...input, body: repair.body })
    } catch (error) {
      throw route.refusal && error instanceof ApiError ? route.refusal(error) : error
    }
  })
  const pointers = [...faults.flatMap(pointerOf), ...repair.replaced]
  const headers = new Set(faults.map((fault) => ('header' in fault ? fault.header : null)))
  return found.filter(
    (fault) =>
      !('header' in fault && headers.has(fault.header)) &&
      !pointerOf(fault).some((pointer) => pointers.some((known) => overlap(pointer, known))),
  )
}

const pointerOf = (fault: FieldError): string[] => ('pointer' in fault ? [fault.pointer] : [])

const overlap = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)

/** A valid body, and the pointers of its members that are the example's; null if there is none. */
function repaired(
  body: unknown,
  faults: FieldError[],
  faultsOfBody: FaultsOfBody,
  example: Body,
): { body: Body; replaced: string[] } | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || holdsMany(body)) return null
  const copy = structuredClone(body) as Body
  for (const pointer of faults.flatMap(pointerOf)) remove(copy, pointer)
  const replaced = faultsOfBody(copy).flatMap(pointerOf).map(firstOf)
  for (const pointer of replaced) {
    const name = memberOf(pointer)
    if (Object.hasOwn(example, name)) copy[name] = example[name]
    else delete copy[name]
  }
  return faultsOfBody(copy).length === 0 ? { body: copy, replaced } : null
}

/** Removes the member at a JSON Pointer (RFC 6901). Items of lists stay: the later ones would move. */
function remove(body: Body, pointer: string): void {
  const path = pointer.split('/').slice(1).map(unescaped)
  const name = path.pop()
  let parent: unknown = body
  for (const each of path)
    parent = typeof parent === 'object' && parent !== null ? (parent as Body)[each] : undefined
  if (name === undefined || typeof parent !== 'object' || parent === null || Array.isArray(parent)) return
  delete (parent as Body)[name]
}

const firstOf = (pointer: string): string => `/${pointer.split('/')[1] ?? ''}`
const memberOf = (pointer: string): string => unescaped(pointer.slice(1))
const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')
