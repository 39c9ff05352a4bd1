import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { FailedStatement } from './errors.ts'
import type { Statement } from './sql.ts'

/*
 * Several statements that PostgreSQL receives at once and carries out as one transaction: between two Sync messages of
 * the extended query protocol there is one, without BEGIN and COMMIT. After an error PostgreSQL skips everything up to
 * the Sync and rolls back (PostgreSQL documentation, 55.2.3 and 55.2.4).
 */

/** Makes a row from its raw values, in the order of the columns. */
type MakeRow = (values: (string | null)[]) => object

/**
 * The descriptions of prepared statements by name, per connection. PostgreSQL returns the same column descriptions for
 * each execution of a statement; requesting and processing them for every query took a fifth of a read by id (fifty
 * columns).
 */
const described = new WeakMap<object, Map<string, MakeRow | null>>()

/** The internals of the driver (`pg` 8.23) that this class depends on. */
type Connection = {
  stream: { cork(): void; uncork(): void; destroy(): void }
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(message: object): void
  bind(message: object): void
  describe(message: object): void
  execute(message: object): void
  sync(): void
}
type DriverQuery = {
  /** Wrapped by the client, which stops waiting after its `query_timeout`. */
  callback: (error: Error | null, rows?: object[]) => void
  submit(connection: Connection): Error | null
}
type Field = { name: string; dataTypeID: number }
const Query = pg.Query as unknown as new (
  statement: object,
  values: undefined,
  callback: DriverQuery['callback'],
) => DriverQuery

/**
 * Sends statements as one transaction; resolves to the rows of the last one.
 * @throws FailedStatement with the one that failed, if there are several; the error itself otherwise
 */
export const sendPipelined = <Row>(
  client: pg.Client,
  statements: Statement[],
  types: pg.CustomTypesConfig,
): Promise<Row[]> =>
  new Promise<Row[]>((resolve, reject) => {
    const query = new PipelinedQuery(statements, types, (error, rows) =>
      error ? reject(error) : resolve(rows as Row[]),
    )
    client.query(query as unknown as pg.Submittable)
  })

class PipelinedQuery extends Query {
  readonly statements: readonly Statement[]
  readonly #types: pg.CustomTypesConfig
  /** Read by the client. */
  readonly query_timeout: number | undefined
  #connection!: Connection
  #known!: Map<string, MakeRow | null>
  /** The place of the statement that PostgreSQL answers next. */
  #place = 0
  /** The places of the statements that this query lets PostgreSQL parse. */
  readonly #parses = new Set<number>()
  #silence: NodeJS.Timeout | undefined
  #makeRow: MakeRow | null = null
  #rows: object[] = []
  #failure: Error | null = null

  /** Converts values to parameters here: a value that fails must do so before anything is sent. */
  constructor(statements: Statement[], types: pg.CustomTypesConfig, callback: DriverQuery['callback']) {
    super({ text: '' }, undefined, callback)
    this.statements = statements.map((each) => ({ ...each, values: each.values.map(utils.prepareValue) }))
    this.#types = types
    const limits = statements.flatMap(({ query_timeout }) => query_timeout ?? [])
    this.query_timeout = limits.length > 0 ? limits.reduce((sum, each) => sum + each) : undefined
    // The client notes the present statement as prepared when PostgreSQL has parsed it, and forgets it after an error.
    const present = () => (this.#parses.has(this.#place) ? this.statements[this.#place] : undefined)
    Object.defineProperty(this, 'name', { get: () => present()?.name })
    Object.defineProperty(this, 'text', { get: () => present()?.text })
  }

  override submit(connection: Connection): Error | null {
    this.#connection = connection
    this.#known = described.get(connection) ?? new Map()
    described.set(connection, this.#known)
    for (const { name, text } of this.statements)
      if (name !== undefined && ![undefined, text].includes(this.#textOf(name)))
        return new Error(`The prepared statement ${name} has another text`)
    connection.stream.cork()
    for (const [place, { name, text, values }] of this.statements.entries()) {
      if (name === undefined || this.#textOf(name) === undefined) {
        this.#parses.add(place)
        connection.parse({ name, text })
        if (name !== undefined) connection.submittedNamedStatements[name] = text
      }
      connection.bind({ portal: '', statement: name, values, binary: false })
      if (name === undefined || !this.#known.has(name)) connection.describe({ type: 'P', name: '' })
      connection.execute({ portal: '', rows: 0 })
    }
    connection.sync()
    connection.stream.uncork()
    this.#begin()
    return null
  }

  /** The text of a statement that PostgreSQL has prepared, or will have when it reads this one. */
  #textOf(name: string): string | undefined {
    const { parsedStatements, submittedNamedStatements } = this.#connection
    return parsedStatements[name] ?? submittedNamedStatements[name]
  }

  #begin(): void {
    const { name } = this.statements[this.#place] ?? {}
    this.#makeRow = (name !== undefined && this.#known.get(name)) || null
    this.#rows = []
    this.#waitAnew()
  }

  /** The limit of the client is for all statements. A server that is silent for longer than that of one is given up. */
  #waitAnew(): void {
    clearTimeout(this.#silence)
    const limit = this.statements[this.#place]?.query_timeout
    if (limit === undefined || this.statements.length === 1) return
    this.#silence = setTimeout(() => {
      this.handleError(new Error('Query read timeout'))
      this.#connection.stream.destroy()
    }, limit)
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#makeRow = rowMaker(fields, this.#types)
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(this.#makeRow!(values))
    } catch (error) {
      this.#failure = error as Error
    }
  }

  handleCommandComplete(): void {
    const { name } = this.statements[this.#place]!
    if (name !== undefined) this.#known.set(name, this.#makeRow)
    if (this.#place === this.statements.length - 1) return
    this.#place++
    this.#begin()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete()
  }

  handleError(error: Error): void {
    clearTimeout(this.#silence)
    // PostgreSQL skips these, and so does not parse them.
    for (const place of this.#parses)
      if (place >= this.#place)
        delete this.#connection.submittedNamedStatements[this.statements[place]!.name!]
    this.callback(this.statements.length === 1 ? error : new FailedStatement(this.#place, error))
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#silence)
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
