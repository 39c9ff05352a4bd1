import { holdsMany } from './validation.ts'

type Body = Record<string, unknown>

/** A valid body made of an invalid one. */
export type Repair = {
  body: Body
  /** The pointers of values that are the example's. */
  replaced: string[]
  /** The pointer in the original body: items of lists have moved. */
  originalOf(pointer: string): string
}

/**
 * Leaves out invalid members and items, and takes required values from an example. Pointers are JSON Pointers
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
  const replaced = faultsOf(copy).map((pointer) => replace(copy, example, pointer))
  // Its value at one place may not fit the rest of the member.
  for (const pointer of faultsOf(copy).map(memberPointer)) replaced.push(replace(copy, example, pointer))
  if (faultsOf(copy).length > 0) return null
  return { body: copy, replaced, originalOf: (pointer) => withOriginalIndex(pointer, cut) }
}

/** Takes a value, or the one that it is part of, from the example. @returns the pointer of what was taken */
function replace(body: Body, example: unknown, pointer: string): string {
  const path = pointer.split('/').slice(1).map(unescaped)
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const [target, source] = [at(body, path.slice(0, depth)), at(example, path.slice(0, depth))]
    const name = path[depth]!
    if (!isObject(target) || !isObject(source) || !Object.hasOwn(source, name)) continue
    target[name] = structuredClone(source[name])
    return pointer.split('/', depth + 2).join('/')
  }
  delete body[path[0]!]
  return memberPointer(pointer)
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>(
    (parent, name) => (isObject(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined),
    value,
  )

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
