import pg from 'pg'

export type Recorded = {
  text: string
  values: unknown[]
  /** True if it is prepared, so that its plan is kept. */
  isPrepared: boolean
}

type Sent = { name?: string; text: string; values?: unknown[] }

function statementsOf(what: string | Sent | { statements: Sent[] }): Sent[] {
  if (typeof what === 'string') return [{ text: what }]
  return 'statements' in what ? what.statements : [what]
}

/**
 * Records every statement that this process sends, by text, with the values of its first execution. It hooks the driver
 * and so also sees statements that bypass the database handle.
 */
export function recordStatements(): { all(): Recorded[]; stop(): void } {
  const recorded = new Map<string, Recorded>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [what, values] = given as [string | Sent | { statements: Sent[] }, unknown[]?]
    for (const { name, text, values: sent = values ?? [] } of statementsOf(what))
      if (!recorded.has(text)) recorded.set(text, { text, values: sent, isPrepared: name !== undefined })
    return Reflect.apply(query, this, given)
  } as typeof query
  return {
    all: () => [...recorded.values()],
    stop: () => {
      pg.Client.prototype.query = query
    },
  }
}
