/** Values of forms are JSON, and their members always have the same order. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The members of `next` that differ from `before`. */
export const changesOf = <Body extends object>(before: Body, next: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(value, before[name as keyof Body])),
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

export const without = <Item>(list: readonly Item[], at: number): Item[] => list.filter((_, i) => i !== at)

/** An empty text of a form is no value. */
export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text)
