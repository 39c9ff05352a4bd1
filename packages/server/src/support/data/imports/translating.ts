import type { ResultFault } from '../../jobs/queries.ts'
import type { LineType } from './params.ts'

/** A reference of a line: where it stands, and the external id. */
export type LineReference = { type: LineType; pointer: string; externalId: string }

/** The types that references name, by the beginning of their names, such as `parent` of `parent_external_id`. */
export type ReferenceTypes = { readonly [stem: string]: LineType }

/** The ids of references, by type and external id; null for one whose object is not there yet. */
export type Ids = (type: LineType, externalId: string) => string | null

/** No reference is nested more deeply. */
const mostLevels = 8

const suffix = /^(.+)_external_(ids?)$/

/** All references of a line, those in its lists of objects included. */
export function referencesIn(line: object, types: ReferenceTypes): LineReference[] {
  const found: LineReference[] = []
  const visit = (object: object, at: string, level: number): void => {
    if (level > mostLevels) return // the schema refuses it
    for (const [name, value] of Object.entries(object)) {
      const pointer = `${at}/${name}`
      const [, stem = ''] = suffix.exec(name) ?? []
      const type = Object.hasOwn(types, stem) ? types[stem]! : null
      if (type !== null)
        for (const [i, externalId] of [value].flat().entries())
          if (typeof externalId === 'string' && externalId !== '')
            found.push({ type, pointer: Array.isArray(value) ? `${pointer}/${i}` : pointer, externalId })
      if (Array.isArray(value))
        for (const [i, item] of value.entries())
          if (typeof item === 'object' && item !== null) visit(item, `${pointer}/${i}`, level + 1)
    }
  }
  visit(line, '', 1)
  return found
}

/** A line as the body of a request: with ids of this server in place of external ids. References without one go. */
export function translated(line: object, types: ReferenceTypes, idOf: Ids): Record<string, unknown> {
  const bodyOf = (object: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
        const [, stem = '', ending] = suffix.exec(name) ?? []
        const type = Object.hasOwn(types, stem) ? types[stem]! : null
        if (type === null) return [[name, Array.isArray(value) ? value.map(itemOf) : value]]
        const id = (each: unknown) => (typeof each === 'string' ? (idOf(type, each) ?? undefined) : each)
        const own = `${stem}_${ending}`
        if (Array.isArray(value)) return [[own, value.map(id).filter((each) => each !== undefined)]]
        const one = id(value)
        return one === undefined ? [] : [[own, one]]
      }),
    )
  const itemOf = (item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? bodyOf(item) : item
  return bodyOf(line)
}

/** The faults of a translated line, at the members of the line. */
export const untranslated = (faults: ResultFault[], types: ReferenceTypes): ResultFault[] =>
  faults.map((fault) => ({ ...fault, pointer: fault.pointer && originalPointer(fault.pointer, types) }))

const originalPointer = (pointer: string, types: ReferenceTypes): string =>
  pointer
    .split('/')
    .map((part) => {
      const [, stem = '', ending] = /^(.+)_(ids?)$/.exec(part) ?? []
      return Object.hasOwn(types, stem) ? `${stem}_external_${ending}` : part
    })
    .join('/')
