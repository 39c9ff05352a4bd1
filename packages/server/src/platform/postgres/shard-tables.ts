/** The names of tables on the server that stores an environment, by their names in statements. */
export type TableNames = ReadonlyMap<string, string>

const words =
  'as|cross|for|from|full|group|having|inner|join|left|limit|natural|offset|on|order|returning|right|select|set|union|using|values|where'

/**
 * Replaces the names of tables after the words that a table follows: `from events` becomes
 * `from events_102008 as events`. A table that has an alias keeps it; otherwise its name is the alias, so that columns
 * are found under it as before.
 */
export function renameTables(text: string, names: TableNames): string {
  if (names.size === 0) return text
  return text.replace(tablePattern, (whole, before: string, table: string, alias: string | undefined) => {
    const name = names.get(table)
    if (name === undefined) return whole
    return alias === undefined ? `${before}${name} as ${table}` : `${before}${name}${alias}`
  })
}

/** A name followed by a dot or a parenthesis without a space is a schema or a function. */
const tablePattern = new RegExp(
  `((?<!distinct )\\b(?:from|join|into|update|using)\\s+)([a-z_]+)(?![.(\\w])(\\s+as\\s+[a-z_]+|\\s+(?!(?:${words})\\b)[a-z_]+)?`,
  'g',
)

const writtenTables = /\b(?:insert into|update|delete from)\s+(?!of\b)([a-z_]+)/g

/** The tables that a statement writes, besides those that it only locks. */
export const tablesWritten = (text: string): string[] =>
  [...text.matchAll(writtenTables)].map(([, table]) => table!)

/**
 * Returns no rows of a shard that has moved away: the table may still be there, and lacks what was written since. The
 * statement and its condition have one snapshot.
 */
export const readWhilePresent = (text: string, isPresent: string): string =>
  `select * from (${text}) as found where 1 / (${isPresent}) = 1`
