import { type Body, succeeded } from './desk.ts'
import type { Client } from './harness.ts'
import type { Random } from './random.ts'

/* Random filters, each with an evaluation of objects as the API shows them. */

export type Shown = Body

/** The ids of a list, page by page. */
export async function listed(client: Client, path: string, query: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = null; ; ) {
    const page = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) })
    const { data, has_more, next_cursor } = succeeded(await client.get(`${path}?${page}`))
    ids.push(...data.map(({ id }: { id: string }) => id))
    if (!has_more) return ids
    cursor = next_cursor
  }
}

type Kind = 'text' | 'number' | 'time' | 'id' | 'enum' | 'list' | 'boolean'
/** A field: its value in an object as it is shown, and values for conditions. */
export type Oracle = { name: string; kind: Kind; of(row: Shown): unknown; values: unknown[] }

const operatorsOf: Record<Kind, string[]> = {
  text: ['is', 'is_not', 'in', 'not_in', 'contains', 'starts_with', 'exists'],
  number: ['is', 'is_not', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'exists'],
  time: ['is', 'is_not', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'exists', 'within'],
  id: ['is', 'is_not', 'in', 'not_in', 'exists'],
  enum: ['is', 'is_not', 'in', 'not_in', 'exists'],
  list: ['contains', 'exists'],
  boolean: ['is', 'is_not', 'exists'],
}

export type Tree = { json: object; meets(row: Shown): boolean }

const timeOf = (text: string) => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text)

function randomLeaf(random: Random, oracles: Oracle[]): Tree {
  const { name, kind, of, values } = random.pick(oracles)
  const op = random.pick(operatorsOf[kind])
  const one = random.pick(values)
  const several = [one, random.pick(values)]
  const value =
    op === 'exists'
      ? random.chance(0.5)
      : op === 'within'
        ? random.pick(['-P7D', 'P1D', '-P400D'])
        : op === 'in' || op === 'not_in'
          ? several
          : one
  const native = (each: unknown) => (kind === 'time' ? timeOf(each as string) : each) as never
  const text = (each: unknown) => (each as string).toLowerCase()
  const tests: Record<string, (present: unknown) => boolean> = {
    is: (present) => native(present) === native(one),
    in: (present) => several.some((each) => native(each) === native(present)),
    gt: (present) => native(present) > native(one),
    gte: (present) => native(present) >= native(one),
    lt: (present) => native(present) < native(one),
    lte: (present) => native(present) <= native(one),
    contains: (present) =>
      Array.isArray(present)
        ? present.some((each) => text(each) === text(one))
        : text(present).includes(text(one)),
    starts_with: (present) => (present as string).startsWith(one as string),
    within: (present) => {
      const distance = timeOf(present as string) - Date.now()
      const most = 86_400_000 * (value === 'P1D' ? 1 : value === '-P7D' ? -7 : -400)
      return most < 0 ? distance <= 0 && distance >= most : distance >= 0 && distance <= most
    },
  }
  return {
    json: { field: name, op, value },
    meets(row) {
      const present = of(row)
      const exists = present != null && !(Array.isArray(present) && present.length === 0)
      if (op === 'exists') return exists === value
      if (op === 'is_not' || op === 'not_in')
        return !(exists && tests[op === 'is_not' ? 'is' : 'in']!(present))
      return exists && tests[op]!(present)
    },
  }
}

export function randomTree(random: Random, oracles: Oracle[], levels: number): Tree {
  if (levels === 1 || random.chance(0.35)) return randomLeaf(random, oracles)
  const kind = random.pick(['all', 'any', 'not'] as const)
  if (kind === 'not') {
    const inner = randomTree(random, oracles, levels - 1)
    return { json: { not: inner.json }, meets: (row) => !inner.meets(row) }
  }
  const parts = Array.from({ length: random.between(1, 3) }, () => randomTree(random, oracles, levels - 1))
  return {
    json: { [kind]: parts.map(({ json }) => json) },
    meets: (row) =>
      kind === 'all' ? parts.every((each) => each.meets(row)) : parts.some((each) => each.meets(row)),
  }
}
