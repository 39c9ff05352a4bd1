import { compile, Sql, type Statement } from './sql.ts'

/** Statements beyond this number are unnamed. */
const maxNames = 2000

type Named = Omit<Statement, 'values'>

/** Names statements by their text, so that PostgreSQL parses and plans each text once per connection. */
export function preparedStatements(): (query: Sql) => Statement {
  const names = new Map<string, string>()
  /** Statements without fragments, by the texts between their values. */
  const flat = new WeakMap<readonly string[], Named>()

  function named(text: string): Named {
    let name = names.get(text)
    if (name === undefined && names.size < maxNames) {
      name = `b${names.size}`
      names.set(text, name)
    }
    return name === undefined ? { text } : { text, name }
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
