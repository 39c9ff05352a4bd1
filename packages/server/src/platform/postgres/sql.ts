/**
 * SQL as text with parameters: sql`select … where id = ${id}`. A value becomes `$n`; another `Sql` is inserted with
 * its own values. Strings cannot become part of the text, which rules out SQL injection.
 */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

export type Statement = {
  text: string
  name?: string
  values: unknown[]
  /** The time until the driver stops waiting, in milliseconds; that of the connection by default. */
  query_timeout?: number
}

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

/** The name of a table or column from a definition in the code. */
export function identifier(name: string): Sql {
  if (!/^[a-z][a-z_0-9]*$/.test(name)) throw new Error(`${name} cannot be the name of a table or column`)
  return new Sql([name], [])
}

/** Usual page sizes, and one more row each to detect a next page. */
const limits = [1, 10, 11, 20, 21, 25, 26, 50, 51, 100, 101]

/**
 * `limit` with a number in the text. A plan for all values must know that few rows are needed: for a parameter
 * PostgreSQL assumes a tenth of the table and may read and sort all of it. Unusual sizes share the statement of the
 * next larger size, so that clients cannot create a hundred statements. Only the first `count` rows are valid.
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

const last = 0x10_ffff

/**
 * The first text, in the order of code points, after all texts that start with a text; null if there is none, because
 * the text is empty or consists of the last code point. In UTF-8, the order of bytes is the same.
 */
export function textAfter(start: string): string | null {
  const points = Array.from(start, (character) => character.codePointAt(0)!)
  while (points.at(-1) === last) points.pop()
  const point = points.pop()
  if (point === undefined) return null
  const next = point === 0xd7ff ? 0xe000 : point + 1 // no surrogates
  return String.fromCodePoint(...points, next)
}
