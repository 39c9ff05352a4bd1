import pg from 'pg'

/*
 * Records what PostgreSQL does for the statements of this process, as `auto_explain` reports it for each execution. The
 * figures are counts: they do not depend on the load of the machine.
 */

/** An execution of a statement, or of one that PostgreSQL runs within it to check a foreign key. */
export type Execution = { text: string; isNested: boolean; plan: PlanNode }

type PlanNode = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'WAL Bytes'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: PlanNode[]
}

const settings = {
  log_min_duration: '0',
  log_analyze: 'on',
  log_buffers: 'on',
  log_wal: 'on',
  log_timing: 'off',
  log_nested_statements: 'on',
  log_format: 'json',
  log_level: 'notice',
}

export type Meter = {
  /** The executions so far. */
  executions: Execution[]
  stop(): void
}

/** Records the executions of all statements of this process. Call it before connections are opened. */
export function startMeter(): Meter {
  const executions: Execution[] = []
  const metered = new WeakSet<pg.Client>()
  const { query } = pg.Client.prototype
  function meter(client: pg.Client): void {
    metered.add(client)
    const statements = [
      "load 'auto_explain'",
      ...Object.entries(settings).map(([name, value]) => `set auto_explain.${name} = '${value}'`),
    ]
    for (const text of statements) void Reflect.apply(query, client, [{ text, values: [] }])
    client.on('notice', ({ message = '' }) => {
      const json = /^duration: .* plan:\n([\s\S]*)$/.exec(message)?.[1]
      if (json === undefined) return
      const { 'Query Text': text, Plan: plan } = JSON.parse(json)
      executions.push({ text, isNested: text.startsWith('SELECT 1 FROM ONLY'), plan })
    })
  }
  pg.Client.prototype.query = function (this: pg.Client & { pipeline: boolean }, ...given: unknown[]) {
    if (this.pipeline && !metered.has(this)) meter(this)
    return Reflect.apply(query, this, given)
  } as typeof query
  return {
    executions,
    stop: () => {
      pg.Client.prototype.query = query
    },
  }
}

/** What PostgreSQL does, per operation. */
export type Cost = {
  statements: number
  /** Transactions that write, and are flushed to disk. */
  commits: number
  /** Calls of `pg_notify`. */
  notifications: number
  rowsRead: number
  rowsWritten: number
  buffers: number
  walBytes: number
}

export const noCost: Cost = {
  statements: 0,
  commits: 0,
  notifications: 0,
  rowsRead: 0,
  rowsWritten: 0,
  buffers: 0,
  walBytes: 0,
}

/** Adds up executions. Each statement is a transaction, unless several are sent together. */
export function costOf(executions: Execution[]): Cost {
  const total = { ...noCost }
  for (const { text, isNested, plan } of executions) {
    if (!isNested) total.statements++
    if (!isNested && [...nodesOf(plan)].some(writes)) total.commits++
    if (text.includes('pg_notify(')) total.notifications++
    total.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    total.walBytes += plan['WAL Bytes'] ?? 0
    for (const node of nodesOf(plan)) {
      if (node['Node Type'] === 'ModifyTable') total.rowsWritten += writtenBy(node)
      else if (node['Relation Name'] !== undefined) total.rowsRead += readBy(node)
    }
  }
  return total
}

/** A read that removes dead rows from a page writes to the log, too, but needs no flush. */
const writes = (node: PlanNode): boolean => ['ModifyTable', 'LockRows'].includes(node['Node Type'])

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* nodesOf(child)
}

const writtenBy = ({ Plans: [source] = [] }: PlanNode): number =>
  source ? source['Actual Rows'] * source['Actual Loops'] : 0

const readBy = (node: PlanNode): number =>
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops']

/** Describes executions for a reader: each statement with the tables and indexes that it reads and writes. */
export const describeExecutions = (executions: Execution[]): string =>
  executions
    .map(({ text, plan }) => {
      const nodes = [...nodesOf(plan)].filter((node) => node['Relation Name'] !== undefined)
      const parts = nodes.map(
        (node) =>
          `    ${node['Node Type']} ${node['Relation Name']} ${node['Index Name'] ?? ''}: ` +
          `${readBy(node)} rows, ${node['Shared Hit Blocks'] + node['Shared Read Blocks']} buffers, ${node['WAL Bytes'] ?? 0} bytes`,
      )
      return [`  ${text.replace(/\s+/g, ' ').slice(0, 110)}`, ...parts].join('\n')
    })
    .join('\n')
