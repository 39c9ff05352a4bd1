import { readStored, writeStored } from '../browser/stored.ts'
import type { Environment } from '../data/environment.tsx'

/*
 * How often something was chosen in the palette, and when last: by the name of a command or the id of an object. The
 * browser keeps it for each operator and environment. It has no name of a person and no text of a conversation.
 */

type Uses = Record<string, { count: number; at: number }>

const mostKept = 200

const storedAs = ({ name, operator }: Environment): string => `backline.used.${name}.${operator.id}`

export function readUses(environment: Environment): Uses {
  try {
    return JSON.parse(readStored(storedAs(environment)) ?? '{}')
  } catch {
    return {}
  }
}

export function noteUse(environment: Environment, id: string): void {
  const uses = readUses(environment)
  uses[id] = { count: (uses[id]?.count ?? 0) + 1, at: Date.now() }
  const kept = latest(uses).slice(0, mostKept)
  writeStored(
    storedAs(environment),
    JSON.stringify(Object.fromEntries(kept.map((each) => [each, uses[each]]))),
  )
}

/** The names and ids that were used, the latest first. */
export const latest = (uses: Uses): string[] => Object.keys(uses).sort((a, b) => uses[b]!.at - uses[a]!.at)
