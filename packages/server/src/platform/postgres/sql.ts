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

/** The name of a table or column from a definition in the code. */
export function identifier(name: string): Sql {
  if (!/^[a-z][a-z_]*$/.test(name)) throw new Error(`${name} cannot be the name of a table or column`)
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

/** A placeholder for a value in `precompile`. */
export const param = Symbol('hole')
/** A placeholder for the tenant in `precompile`, in all its places. */
export const tenantParam = Symbol('tenant')

/**
 * A statement whose text is built once. Each call supplies values for its placeholders, in order; other values are
 * fixed.
 */
export function precompile(statement: Sql): (values: unknown[], tenantId?: string) => Sql {
  const strings = ['']
  const holes: unknown[] = []
  const append = ({ strings: texts, values }: Sql) => {
    strings.push(strings.pop() + texts[0]!)
    values.forEach((value, i) => {
      if (value instanceof Sql) append(value)
      else {
        holes.push(value)
        strings.push('')
      }
      strings.push(strings.pop() + texts[i + 1]!)
    })
  }
  append(statement)
  if (holes.every((each) => each === param)) return (values) => new Sql(strings, values)
  return (values, tenantId) => {
    const rest = values.values()
    return new Sql(
      strings,
      holes.map((each) => (each === tenantParam ? tenantId : each === param ? rest.next().value : each)),
    )
  }
}

/** Prepared statements are named per connection. Statements beyond this number are unnamed. */
const maxNamedStatements = 2000
const names = new Map<string, string>()

/** Numbers the parameters. */
export function compile(query: Sql): Statement {
  const values: unknown[] = []
  return { text: write(query, values), values }
}

/** The text and name of statements without fragments, by the identity of their template. */
const flat = new WeakMap<readonly string[], Omit<Statement, 'values'>>()

/** Adds a name to the statement, so that PostgreSQL parses each text once per connection. */
export function prepare(query: Sql): Statement {
  if (query.values.some((value) => value instanceof Sql)) {
    const { text, values } = compile(query)
    return { ...named(text), values }
  }
  let known = flat.get(query.strings)
  if (!known) {
    known = named(compile(query).text)
    flat.set(query.strings, known)
  }
  return { ...known, values: query.values as unknown[] }
}

function named(text: string): Omit<Statement, 'values'> {
  let name = names.get(text)
  if (name === undefined && names.size < maxNamedStatements) {
    name = `b${names.size}`
    names.set(text, name)
  }
  return name === undefined ? { text } : { text, name }
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
