import { recorded, type Span } from '../kernel/tracing.ts'
import type { Db } from './database.ts'
import { compile, type Sql } from './sql.ts'

/**
 * A handle that records each statement as a child of a span. Rows that requests read together by id
 * (`tables/batch-loader.ts`) are recorded in the request that sends the statement.
 */
export function tracedDb(db: Db, span: Span): Db {
  const record = <Result>(query: Sql, send: () => Promise<Result>) =>
    recorded(span.child(...describe(query)), send())
  return {
    ...db,
    rows: (query) => record(query, () => db.rows(query)),
    maybe: (query) => record(query, () => db.maybe(query)),
    slowRows: (query, plan) => record(query, () => db.slowRows(query, plan)),
    rowsWithin: (query, ms) => record(query, () => db.rowsWithin(query, ms)),
    largeRows: (query, bytes, beforeReading) =>
      record(query, () => db.largeRows(query, bytes, beforeReading)),
    write: (...queries) => record(queries[0], () => db.write(...queries)),
    atOneMoment: (read) => db.atOneMoment((moment) => read(tracedDb(moment, span))),
    home: (tenantId) => tracedDb(db.home(tenantId), span),
  }
}

const longestText = 2_000

/** Name and attributes by OpenTelemetry's conventions for databases. Texts of statements have no values in them. */
function describe(query: Sql): [name: string, kind: 'client', attributes: Record<string, string>] {
  const { text } = compile(query)
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
  const table = /\b(?:from|into|update|join)\s+(?!unnest|lateral)([a-z_]+)/i.exec(text)?.[1]
  const summary = table === undefined ? operation : `${operation} ${table}`
  return [
    summary,
    'client',
    {
      ...postgres,
      'db.operation.name': operation,
      'db.query.summary': summary,
      ...(table === undefined ? {} : { 'db.collection.name': table }),
      'db.query.text': text.slice(0, longestText),
    },
  ]
}

/** The attribute of every statement. */
export const postgres = { 'db.system.name': 'postgresql' }
