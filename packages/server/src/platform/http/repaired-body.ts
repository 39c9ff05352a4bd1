import { holdsMany } from './validation.ts'

type Body = Record<string, unknown>

/** A valid body made of an invalid one. */
export type Repair = {
  body: Body
  /** The pointers of members that are the example's. */
  replaced: string[]
  /** The pointer in the original body: items of lists have moved. */
  originalOf(pointer: string): string
}

/**
 * Leaves out invalid members and items, and takes required members from an example. Pointers are JSON Pointers
 * (RFC 6901). Null if no valid body results.
 * @param faulty the pointers of everything that is invalid
 * @param faultsOf returns them for a body
 */
export function repaired(
  body: unknown,
  faulty: string[],
  faultsOf: (body: unknown) => string[],
  example: unknown,
): Repair | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || holdsMany(body)) return null
  const copy = structuredClone(body) as Body
  const cut: CutItems = new Map()
  for (const pointer of faulty) remove(copy, pointer.split('/').slice(1), '', cut)
  for (const [pointer, indexes] of cut) removeItems(copy, pointer, indexes)
  const replaced = faultsOf(copy).map(memberPointer)
  for (const pointer of replaced) {
    const name = unescaped(pointer.slice(1))
    if (Object.hasOwn(Object(example), name)) copy[name] = (example as Body)[name]
    else delete copy[name]
  }
  if (faultsOf(copy).length > 0) return null
  return { body: copy, replaced, originalOf: (pointer) => withOriginalIndex(pointer, cut) }
}

/** The indexes of the items that are left out, by the pointer of their list. */
type CutItems = Map<string, Set<number>>

/** Removes a member. In a list, notes the index of the whole item instead, because later ones move. */
function remove(parent: unknown, [segment, ...rest]: string[], at: string, cut: CutItems): void {
  if (segment === undefined || typeof parent !== 'object' || parent === null) return
  if (Array.isArray(parent)) cut.set(at, (cut.get(at) ?? new Set()).add(Number(segment)))
  else if (rest.length === 0) delete (parent as Body)[unescaped(segment)]
  else remove((parent as Body)[unescaped(segment)], rest, `${at}/${segment}`, cut)
}

/** The list is absent if it is invalid itself. */
function removeItems(body: Body, pointer: string, indexes: Set<number>): void {
  let list: unknown = body
  for (const segment of pointer.split('/').slice(1)) list = (list as Body | undefined)?.[unescaped(segment)]
  if (!Array.isArray(list)) return
  list.splice(0, list.length, ...list.filter((_, index) => !indexes.has(index)))
}

function withOriginalIndex(pointer: string, cut: CutItems): string {
  for (const [list, indexes] of cut) {
    if (!pointer.startsWith(`${list}/`)) continue
    const [index = '', ...rest] = pointer.slice(list.length + 1).split('/')
    return [list, originalIndex(Number(index), indexes), ...rest].join('/')
  }
  return pointer
}

function originalIndex(index: number, cut: Set<number>): number {
  let original = index
  for (const each of [...cut].sort((one, other) => one - other)) if (each <= original) original++
  return original
}

const memberPointer = (pointer: string): string => `/${pointer.split('/')[1] ?? ''}`
const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')
