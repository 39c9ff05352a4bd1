import type { Catalog } from './analysis.ts'
import { isNode, type Node, nodesOf, type Tree, walk } from './node-tree.ts'

/*
 * The rules for SQL of CONTRIBUTING.md as checks of analysed statements: one set keeps environments apart, and the other
 * is for statements that Citus executes, of which each rule prevents a failure that was observed on Citus 13.2.
 */

export type Rule =
  // tenant_id = $n on each distributed table that is read, updated or deleted from, and in each insert; a query over all
  // environments reads journal_heads
  'tenant' | 'one tenant' // all of these have one environment

export type ClusterRule =
  | 'home' // a statement about one environment is sent to its shard
  | 'joins' // over all environments, each distributed table is joined by tenant_id with another one, at last journal_heads
  | 'limit' // a lateral query with a limit names no column of a reference table
  | 'copies' // a write to a reference table names no distributed table
  | 'kind' // no merge, no system columns, no advisory locks

export type Violation<Name = Rule> = { rule: Name; detail: string }

type Scope = { catalog: Catalog }
type Table = { name: string; placement: string; tenantColumn: string | null }

const commands = { select: '1', update: '2', insert: '3', delete: '4' }

/**
 * Returns the violations of the rules for all statements.
 * @param values of its parameters when it was sent
 */
export function judge(tree: Tree, values: unknown[], catalog: Catalog): Violation[] {
  const scope = { catalog }
  const queries = queriesIn(tree)
  const violations: Violation[] = []
  const tenants = new Set<unknown>()
  for (const query of queries) {
    const given = tenantParameters(query, scope)
    if (!isOverAll(queries, scope))
      for (const { number, table } of tablesRead(query, scope))
        if (table.placement === 'distributed' && !given.some((each) => each.number === number))
          violations.push({ rule: 'tenant', detail: table.name })
    for (const { parameter } of given) tenants.add(values[parameter - 1])
    const into = insertedInto(query, scope)
    if (!into) continue
    const inserted = tenantsInserted(query, into)
    if (inserted.length === 0 || inserted.includes(null))
      violations.push({ rule: 'tenant', detail: `insert into ${into.name}` })
    for (const parameter of inserted) if (parameter !== null) tenants.add(values[parameter - 1])
  }
  if (tenants.size > 1) violations.push({ rule: 'one tenant', detail: `${tenants.size} environments` })
  return violations
}

/** Returns the violations of the rules for statements that Citus executes. */
export function judgeForCluster(tree: Tree, catalog: Catalog): Violation<ClusterRule>[] {
  const scope = { catalog }
  const queries = queriesIn(tree)
  const violations: Violation<ClusterRule>[] = []
  const add = (rule: ClusterRule, detail: string) => violations.push({ rule, detail })
  const distributed = queries.flatMap((query) =>
    [...tablesRead(query, scope)].filter(({ table }) => table.placement === 'distributed'),
  )
  for (const query of queries) {
    for (const detail of unusualIn(query, scope)) add('kind', detail)
    for (const { table } of tenantParameters(query, scope)) add('home', table.name)
    const into = insertedInto(query, scope)
    if (into && into.name !== 'journal_heads') add('home', `insert into ${into.name}`)
    for (const name of limitedByCopies(query, scope)) add('limit', name)
    const written = targetOf(query, scope)
    if (written?.placement === 'reference' && distributed.length > 0) add('copies', written.name)
  }
  if (violations.some(({ rule }) => rule === 'home')) return violations
  const joined = queries.flatMap((query) => tenantJoins(query).map((number) => ({ query, number })))
  for (const query of queries)
    for (const { number, table } of tablesRead(query, scope)) {
      const isJoined = joined.some((each) => each.query === query && each.number === number)
      if (table.placement === 'distributed' && table.name !== 'journal_heads' && !isJoined)
        add('joins', table.name)
    }
  return violations
}

/** The names of all tables of a statement. */
export const tablesOf = (tree: Tree, catalog: Catalog): string[] =>
  queriesIn(tree).flatMap((query) =>
    rangeTable(query).flatMap((entry) => tableOf(entry, { catalog })?.name ?? []),
  )

/** True for a statement over all environments: it reads the heads of their journals, and names none. */
const isOverAll = (queries: Node[], scope: Scope): boolean =>
  queries.some((query) =>
    [...tablesRead(query, scope)].some(({ table }) => table.name === 'journal_heads'),
  ) && queries.every((query) => tenantParameters(query, scope).length === 0)

const isQuery = (node: Node) => node.type === 'QUERY'
const queriesIn = (tree: Tree | undefined): Node[] => [...walk(tree)].filter(isQuery)
/** The nodes of an expression, without those of subqueries. */
const own = (tree: Tree | undefined) =>
  [...walk(tree, (node) => !isQuery(node))].filter((node) => !isQuery(node))

const rangeTable = (query: Node): Node[] => nodesOf(query.fields.rtable)

const tableOf = (entry: Node | undefined, { catalog }: Scope): Table | null =>
  entry?.fields.rtekind === '0' ? (catalog.tables.get(entry.fields.relid as string) ?? null) : null

/** The tables that a query reads, by range table index; excludes `excluded`, the row to insert. */
function* tablesRead(query: Node, scope: Scope): Generator<{ number: string; table: Table }> {
  const { onConflict, commandType, resultRelation } = query.fields
  const excluded = isNode(onConflict) ? onConflict.fields.exclRelIndex : null
  for (const [i, entry] of rangeTable(query).entries()) {
    const number = String(i + 1)
    const table = tableOf(entry, scope)
    const isTarget = commandType === commands.insert && number === resultRelation
    if (table && !isTarget && number !== excluded) yield { number, table }
  }
}

const targetOf = (query: Node, scope: Scope): Table | null =>
  tableOf(rangeTable(query)[Number(query.fields.resultRelation) - 1], scope)

function unusualIn(query: Node, scope: Scope): string[] {
  const { commandType, jointree, targetList, returningList, onConflict } = query.fields
  const parts: Tree = [targetList ?? null, returningList ?? null, jointree ?? null, onConflict ?? null]
  return [
    ...(Object.values(commands).includes(commandType as string) ? [] : [`command ${commandType}`]),
    ...[...own(parts)].flatMap((node) => {
      if (node.type === 'VAR' && String(node.fields.varattno).startsWith('-')) return ['a system column']
      return scope.catalog.functions.get(node.fields.funcid as string)?.name.match(/.*advisory.*/) ?? []
    }),
  ]
}

/** The columns of reference tables that a lateral subquery with a limit has from the query around it. */
function limitedByCopies(query: Node, scope: Scope): string[] {
  const entries = rangeTable(query)
  return entries.flatMap(({ fields }) => {
    const inner = fields.subquery
    if (fields.rtekind !== '1' || !isNode(inner) || inner.fields.limitCount === null) return []
    return outerColumns(inner).flatMap(({ varno }) => {
      const table = tableOf(entries[Number(varno) - 1], scope)
      return table?.placement === 'reference' ? [table.name] : []
    })
  })
}

/** The columns of the query around a query, at any depth below it. */
const outerColumns = (query: Node, depth = 1): Node['fields'][] =>
  [...walk(Object.values(query.fields), (node) => !isQuery(node))].flatMap((node) => {
    if (isQuery(node)) return outerColumns(node, depth + 1)
    return node.type === 'VAR' && node.fields.varlevelsup === String(depth) ? [node.fields] : []
  })

/** The distributed tables whose environment is a parameter. */
function tenantParameters(query: Node, scope: Scope): { number: string; table: Table; parameter: number }[] {
  const equal = tenantEqualities(query)
  return [...tablesRead(query, scope)].flatMap(({ number, table }) =>
    table.placement === 'distributed'
      ? equal
          .filter((each) => each.table === number && each.column === table.tenantColumn)
          .map(({ parameter }) => ({ number, table, parameter }))
      : [],
  )
}

/** The tables that a condition compares, by their first column, with a column of another table. */
const tenantJoins = (query: Node): unknown[] =>
  conditionsOf(query).flatMap((condition) => {
    const sides = condition.type === 'OPEXPR' ? nodesOf(condition.fields.args) : []
    const isJoin = sides.length === 2 && sides.every((side) => isNode(side, 'VAR'))
    const own = sides.filter(({ fields }) => fields.varlevelsup === '0' && fields.varattno === '1')
    return isJoin ? own.map(({ fields }) => fields.varno) : []
  })

/** The conditions of WHERE and of joins; those of an outer join apply to its nullable side. */
function tenantEqualities(query: Node) {
  return conditionsOf(query).flatMap((condition) => {
    if (condition.type !== 'OPEXPR') return []
    const sides = nodesOf(condition.fields.args)
    return [sides, sides.toReversed()].flatMap(([column, value]) => {
      const parameter = parameterOf(value)
      if (!isNode(column, 'VAR') || column.fields.varlevelsup !== '0' || parameter === null) return []
      return [{ table: column.fields.varno, column: column.fields.varattno, parameter }]
    })
  })
}

const conditionsOf = (query: Node): Node[] =>
  own(query.fields.jointree)
    .filter(({ type }) => type === 'FROMEXPR' || type === 'JOINEXPR')
    .flatMap(({ fields }) => conjuncts(fields.quals))

const conjuncts = (tree: Tree | undefined): Node[] =>
  nodesOf(tree).flatMap((node) =>
    node.type === 'BOOLEXPR' && node.fields.boolop === 'and'
      ? nodesOf(node.fields.args).flatMap(conjuncts)
      : [node],
  )

/** Returns the parameter of an expression that is only a parameter, perhaps with a type. */
function parameterOf(node: Node | undefined): number | null {
  if (node?.type === 'RELABELTYPE') return parameterOf(node.fields.arg as Node)
  if (node?.type !== 'FIELDSELECT' || !isNode(node.fields.arg, 'PARAM')) return null
  return Number(node.fields.fieldnum)
}

const targets = (tree: Tree | undefined): [column: string, expression: Node][] =>
  nodesOf(tree).map(({ fields }) => [fields.resno as string, fields.expr as Node])

/** The distributed table that a query inserts into, if any. */
function insertedInto(query: Node, scope: Scope): Table | null {
  if (query.fields.commandType !== commands.insert) return null
  const into = targetOf(query, scope)
  return into?.placement === 'distributed' ? into : null
}

/** The parameters of the environments of inserted rows; null for one that is not a parameter. */
function tenantsInserted(query: Node, into: Table): (number | null)[] {
  const [, tenant] = targets(query.fields.targetList).find(([column]) => column === into.tenantColumn) ?? []
  return (tenant ? origins(tenant, query) : []).map(parameterOf)
}

/** The expressions of an inserted column in its VALUES or its query. */
function origins(expression: Node, query: Node): Node[] {
  if (!isNode(expression, 'VAR')) return [expression]
  const source = rangeTable(query)[Number(expression.fields.varno) - 1]
  const column = expression.fields.varattno as string
  if (source?.fields.rtekind === '5')
    return (source.fields.values_lists as Tree[][]).map((row) => row[Number(column) - 1] as Node)
  if (source?.fields.rtekind !== '1') return [expression]
  const inner = source.fields.subquery as Node
  return targets(inner.fields.targetList)
    .filter(([each]) => each === column)
    .flatMap(([, each]) => origins(each, inner))
}
