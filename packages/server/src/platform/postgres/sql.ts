/**
 * SQL as text with parameters: sql`select … where id = ${id}`. A value becomes `$n`; another `Sql` is spliced
 * in with its own values. There is no way to put a string that somebody sent into the text, so there is nothing to inject.
 */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

export type Statement = { text: string; name?: string; values: unknown[] }

export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Sql => new Sql(strings, values)

/** Puts a separator, itself SQL, between fragments: join(conditions, sql` and `). */
export function join(fragments: readonly Sql[], separator: Sql): Sql {
  if (fragments.length === 0) throw new Error('join() of no fragments is not SQL')
  const strings = ['']
  const values: unknown[] = []
  fragments.forEach((fragment, i) => {
    if (i > 0) {
      strings.push('')
      values.push(separator)
    }
    strings.push('')
    values.push(fragment)
  })
  return new Sql(strings, values)
}

export const comma = sql`, `
export const and = sql` and `
export const none = sql``

/** The name of a table or column, as definitions in the code give it. */
export function identifier(name: string): Sql {
  if (!/^[a-z][a-z_]*$/.test(name)) throw new Error(`${name} cannot be the name of a table or column`)
  return new Sql([name], [])
}

/** Sizes that pages usually have, and with the row more that tells whether there are more. */
const limits = [1, 10, 11, 20, 21, 25, 26, 50, 51, 100, 101]

/**
 * `limit` with a number in the text. A plan that is kept for all values has to know that few rows are wanted: with a parameter it is
 * made for a tenth of the table, and may read and sort all of it. Pages of unusual sizes share a statement with larger ones, so that
 * nobody can ask for a hundred statements: of what comes, only `count` rows count.
 */
export function limitTo(count: number): Sql {
  if (!Number.isSafeInteger(count)) throw new RangeError(`${count} rows`)
  return new Sql([`limit ${limits.find((limit) => limit >= count) ?? count}`], [])
}

/** Numbers the parameters. */
export function compile(query: Sql): Statement {
  const values: unknown[] = []
  return { text: write(query, values), values }
}

function write(query: Sql, values: unknown[]): string {
  let text = query.strings[0]!
  for (let i = 0; i < query.values.length; i++) {
    const value = query.values[i]
    text += value instanceof Sql ? write(value, values) : `$${values.push(value)}`
    text += query.strings[i + 1]!
  }
  return text
}
