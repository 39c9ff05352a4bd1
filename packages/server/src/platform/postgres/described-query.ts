import pg from 'pg'
import utils from 'pg/lib/utils.js'
import type { Send } from './pipelines.ts'
import type { Statement } from './sql.ts'

/*
 * PostgreSQL returns the same column descriptions for each execution of a statement. Requesting and processing them
 * for every query took a fifth of a read by id (fifty columns). So each connection requests them once per prepared
 * statement.
 */

/** Makes a row from its raw values, in the order of the columns. */
type MakeRow = (values: (string | null)[]) => object

/** The descriptions of prepared statements by name, per connection. */
const described = new WeakMap<object, Map<string, MakeRow>>()

/** The internals of the driver (`pg` 8.23) that this class depends on. */
type Connection = {
  bind(message: object): void
  execute(message: object): void
  sync(): void
}
type DriverQuery = {
  name: string | undefined
  values: unknown[]
  /** Wrapped by the client, which stops waiting after its `query_timeout`. */
  callback: (error: Error | null, rows?: object[]) => void
  submit(connection: Connection): Error | null
  prepare(connection: Connection): void
}
type Field = { name: string; dataTypeID: number }
const Query = pg.Query as unknown as new (
  statement: object,
  values: undefined,
  callback: DriverQuery['callback'],
) => DriverQuery

/** Sends a statement whose columns PostgreSQL describes once per connection. */
export const sendDescribed: Send = <Row>(
  client: pg.Client,
  statement: Statement,
  types: pg.CustomTypesConfig,
) =>
  new Promise<Row[]>((resolve, reject) => {
    const query = new DescribedQuery(statement, types, (error, rows) =>
      error ? reject(error) : resolve(rows as Row[]),
    )
    client.query(query as unknown as pg.Submittable)
  })

/** A query for pipelined connections whose callback receives the rows. */
class DescribedQuery extends Query {
  readonly #types: pg.CustomTypesConfig
  /** Read by the client. */
  readonly query_timeout: number | undefined
  readonly #rows: object[] = []
  #known: Map<string, MakeRow> | null = null
  #makeRow: MakeRow | null = null
  #failure: Error | null = null

  /** Converts values to parameters here: a value that fails must do so before the query is sent. */
  constructor(statement: Statement, types: pg.CustomTypesConfig, callback: DriverQuery['callback']) {
    super({ ...statement, values: statement.values.map(utils.prepareValue) }, undefined, callback)
    this.#types = types
    this.query_timeout = statement.query_timeout
  }

  override submit(connection: Connection): Error | null {
    this.#known = described.get(connection) ?? new Map()
    described.set(connection, this.#known)
    return super.submit(connection)
  }

  override prepare(connection: Connection): void {
    const { name: statement, values } = this
    this.#makeRow = (statement !== undefined && this.#known!.get(statement)) || null
    if (this.#makeRow) {
      connection.bind({ portal: '', statement, values, binary: false })
      connection.execute({ portal: '', rows: 0 })
      connection.sync()
    } else super.prepare(connection)
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#makeRow = rowMaker(fields, this.#types)
    if (this.name !== undefined) this.#known!.set(this.name, this.#makeRow)
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(this.#makeRow!(values))
    } catch (error) {
      this.#failure = error as Error
    }
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(this.#failure, this.#rows)
  }
}

/** Copying an object that already has all keys is faster than adding keys one by one. */
function rowMaker(fields: Field[], types: pg.CustomTypesConfig): MakeRow {
  const empty = JSON.parse(`{${fields.map(({ name }) => `${JSON.stringify(name)}:null`).join(',')}}`)
  const names = fields.map(({ name }) => name)
  const parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'))
  return (values) => {
    const row = { ...empty }
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      if (value !== null) row[names[i]!] = parsers[i]!(value)
    }
    return row
  }
}
