import { isEqual } from '../../forms/changes.ts'

export type Change = { from: unknown; to: unknown }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces changes of objects by those of their members, named by their path: `sla.first_response.met_at`. */
export function leavesOf(changes: Record<string, Change>): [path: string, change: Change][] {
  return Object.entries(changes).flatMap(([path, { from, to }]) => {
    if (!isObject(from) || !isObject(to)) return [[path, { from, to }]]
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    const differing = names.filter((name) => !isEqual(from[name], to[name]))
    return leavesOf(
      Object.fromEntries(differing.map((name) => [`${path}.${name}`, { from: from[name], to: to[name] }])),
    )
  })
}
