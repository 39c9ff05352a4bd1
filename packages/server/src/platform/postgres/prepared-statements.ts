import { compile, Sql, type Statement } from './sql.ts'

/** Makes the statement that is sent from a query. */
export type Prepare = (query: Sql) => Statement

/** The form in which statements are sent to one place; their names must differ from those of other forms. */
export type Form = {
  prefix: string
  /** Changes a text, once for each text. */
  textOf(text: string): string
}

/** Statements as they are. */
const asTheyAre: Form = { prefix: 'b', textOf: (text) => text }

/** Without names: each statement is parsed and planned for its values. */
export const unprepared =
  ({ textOf }: Form = asTheyAre): Prepare =>
  (query) => {
    const { text, values } = compile(query)
    return { text: textOf(text), values }
  }

/** Statements beyond this number are unnamed. */
const maxNames = 2000

type Named = Omit<Statement, 'values'>

/** Names statements by their text, so that PostgreSQL parses and plans each text once per connection. */
export function preparedStatements({ prefix, textOf }: Form = asTheyAre): Prepare {
  const names = new Map<string, Named>()
  /** Statements without fragments, by the texts between their values. */
  const flat = new WeakMap<readonly string[], Named>()

  function named(text: string): Named {
    let known = names.get(text)
    if (known) return known
    if (names.size >= maxNames) return { text: textOf(text) }
    known = { text: textOf(text), name: `${prefix}${names.size}` }
    names.set(text, known)
    return known
  }

  return (query) => {
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
}
