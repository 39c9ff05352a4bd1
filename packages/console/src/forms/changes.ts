const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Whether two values of JSON are equal. Their members can have any order. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return Object.is(a, b)
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => isEqual(a[name], b[name]))
}

/** The members of `next` that differ from `before`. */
export const changesOf = <Body extends object>(before: Body, next: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isEqual(value, before[name as keyof Body])),
  ) as Partial<Body>

/** The draft on top of another version: what was not edited is taken from it. */
export const rebased = <Draft extends object>(draft: Draft, before: Draft, now: Draft): Draft =>
  ({ ...now, ...changesOf(before, draft) }) as Draft

/** A list with one item at another place. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const next = [...list]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}

export const replaced = <Item>(list: readonly Item[], at: number, item: Item): Item[] =>
  list.map((each, i) => (i === at ? item : each))

/** A list with members of one item changed. */
export const patched = <Item extends object>(
  list: readonly Item[],
  at: number,
  change: Partial<Item>,
): Item[] => list.map((each, i) => (i === at ? { ...each, ...change } : each))

export const without = <Item>(list: readonly Item[], at: number): Item[] => list.filter((_, i) => i !== at)

/** An empty text of a form is no value. */
export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text)
