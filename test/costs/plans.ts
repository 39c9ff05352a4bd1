import pg from 'pg'
import { cloneDatabase } from '../databases.ts'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: Node[]
}
type Index = { name: string; table: string; columns: string[]; isUnique: boolean }

/** Indexes that never have many rows of an environment. */
const small = ['conversations_without_end_user'] // those that background work has not linked yet

/**
 * Plans statements on tables without rows, for all values of their parameters, as a server does that has just started on
 * a new database. PostgreSQL keeps these plans while the tables grow.
 * @returns the statements that would read many rows of an environment although a unique index finds the row
 */
export async function misplanned(texts: string[]): Promise<string[]> {
  const { connection, drop } = await cloneDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('set enable_seqscan = off') // as in the sessions of the server
    const { rows } = await client.query("select current_setting('server_version_num')::integer as version")
    if (rows[0].version < 18_00_00) return [] // it cannot import statistics
    const indexes = await indexesOf(client)
    const faults: string[] = []
    for (const text of texts) {
      const explained = await client.query(`explain (generic_plan, format json) ${text}`)
      for (const node of nodesOf(explained.rows[0]['QUERY PLAN'][0].Plan)) {
        const fault = faultOf(node, indexes)
        if (fault) faults.push(`${fault}\n${text}`)
      }
    }
    return faults
  } finally {
    await client.end()
    await drop()
  }
}

function faultOf(node: Node, indexes: Index[]): string | null {
  const { 'Relation Name': table, 'Node Type': type } = node
  if (table === undefined || type === 'ModifyTable') return null
  // A bitmap scan has the conditions of its indexes below it; what else is below a scan is a subquery.
  const own = type === 'Bitmap Heap Scan' ? [...nodesOf(node)] : [node]
  const compared = own.flatMap((each) => [...equalities(each['Index Cond']), ...equalities(each.Filter)])
  const isCompared = ({ columns }: Index) => columns.every((column) => compared.includes(column))
  const suitable = indexes.filter((each) => each.isUnique && each.table === table && isCompared(each))
  const used = indexes.filter(({ name }) => own.some((each) => each['Index Name'] === name))
  if (suitable.length === 0 || used.some((each) => isCompared(each) || small.includes(each.name))) return null
  return `${type} of ${table} by ${used.map(({ name }) => name)}, not by ${suitable.map(({ name }) => name)}`
}

/** The columns that a condition compares with one value, or with each of a list. */
const equalities = (condition = ''): string[] =>
  /\b(OR|NOT)\b/.test(condition)
    ? []
    : [...condition.matchAll(/\((?:\w+\.)?(\w+) = /g)].map(([, column]) => column!)

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const child of node.Plans ?? []) yield* nodesOf(child)
}

/** The indexes with their columns; an expression has no name. Those of some rows are not unique for all. */
const indexesOf = async (client: pg.Client): Promise<Index[]> =>
  (
    await client.query(`select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table,
        i.indisunique and i.indpred is null and i.indexprs is null as "isUnique",
        array(select coalesce(a.attname::text, '') from unnest(i.indkey) k
          left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k) as columns
      from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = current_schema()::regnamespace`)
  ).rows
