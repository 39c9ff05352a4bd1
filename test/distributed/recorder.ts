import pg from 'pg'

export type Recorded = { text: string; values: unknown[] }

/**
 * Keeps every statement that this process sends, by its text, with the values of the first time. At the driver, because
 * what goes around the project's own ways of sending is to be seen as well.
 */
export function recordStatements(): { all(): Recorded[]; stop(): void } {
  const recorded = new Map<string, Recorded>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [what, values] = given as [string | { text: string; values?: unknown[] }, unknown[]?]
    const text = typeof what === 'string' ? what : what.text
    if (!recorded.has(text))
      recorded.set(text, { text, values: (typeof what === 'string' ? values : what.values) ?? [] })
    return Reflect.apply(query, this, given)
  } as typeof query
  return {
    all: () => [...recorded.values()],
    stop: () => {
      pg.Client.prototype.query = query
    },
  }
}
