import type { Catalog } from './analysis.ts'
import { isNode, type Node, nodesOf, type Tree, walk } from './node-tree.ts'

/*
 * ADR 8 as checks of analysed statements. What each rule prevents on Citus was measured there: an error, a statement
 * that goes to every worker, a two-phase commit, or another result than PostgreSQL's.
 */

export type Rule =
  | 'tenant' // tenant_id = $n on each distributed table that is read, updated or deleted from
  | 'one tenant' // and all of these are of one environment
  | 'insert values' // inserts are VALUES; from a query they are pulled through the coordinator
  | 'insert tenant' // and have the tenant as a bare parameter
  | 'reads what it writes'
  | 'returning' // plain columns
  | 'volatile' // functions in what is written
  | 'conflict' // on conflict do update sets from excluded, own columns and constants
  | 'kind' // no merge, no system columns, no advisory locks beside tables

export type Violation = { rule: Rule; detail: string }

type Scope = { catalog: Catalog; values: unknown[]; violations: Violation[]; tenants: Set<unknown> }

const commands = { select: '1', update: '2', insert: '3', delete: '4' }

/** What is wrong with a statement. @param values of its parameters, when it was sent */
export function judge(tree: Tree, values: unknown[], catalog: Catalog): Violation[] {
  const scope: Scope = { catalog, values, violations: [], tenants: new Set() }
  for (const query of queriesIn(tree)) judgeQuery(query, scope)
  if (scope.tenants.size > 1) add(scope, 'one tenant', `${scope.tenants.size} environments`)
  for (const top of nodesOf((tree as Tree[]).flat() as Tree)) judgeVisibility(top, scope)
  return scope.violations
}

const add = ({ violations }: Scope, rule: Rule, detail: string) => violations.push({ rule, detail })

const queriesIn = (tree: Tree): Node[] => [...walk(tree)].filter(({ type }) => type === 'QUERY')

const isQuery = (node: Node) => node.type === 'QUERY'
/** The nodes of an expression of one query, without the queries inside of it. */
const own = (tree: Tree | undefined) => [...walk(tree, (node) => !isQuery(node))].filter((node) => !isQuery(node))

const rangeTable = (query: Node): Node[] => nodesOf(query.fields.rtable)

/** The distributed table of an entry of the range table; null for anything else. */
function distributed(entry: Node | undefined, { catalog }: Scope) {
  if (entry?.fields.rtekind !== '0') return null
  const table = catalog.tables.get(entry.fields.relid as string)
  return table?.tenantColumn ? { name: table.name, tenantColumn: table.tenantColumn } : null
}

const nameOf = (entry: Node, name: string) => {
  const alias = isNode(entry.fields.alias) ? entry.fields.alias.fields.aliasname : null
  return alias && alias !== name ? `${name} ${alias}` : name
}

function judgeQuery(query: Node, scope: Scope): void {
  const { commandType, resultRelation } = query.fields
  const known = Object.values(commands).includes(commandType as string)
  if (!known) add(scope, 'kind', `command ${commandType}`)
  const equal = tenantEqualities(query)
  for (const [i, entry] of rangeTable(query).entries()) {
    const table = distributed(entry, scope)
    const number = String(i + 1)
    if (!table || (commandType === commands.insert && number === resultRelation)) continue
    const given = equal.filter(({ table: of, column }) => of === number && column === table.tenantColumn)
    if (given.length === 0) add(scope, 'tenant', nameOf(entry, table.name))
    for (const { parameter } of given) scope.tenants.add(scope.values[parameter - 1])
  }
  const target = rangeTable(query)[Number(resultRelation) - 1]
  const into = distributed(target, scope)
  if (into) judgeWrite(query, into, scope)
  for (const node of own(partsOf(query))) {
    if (node.type === 'VAR' && String(node.fields.varattno).startsWith('-')) add(scope, 'kind', 'a system column')
    const called = scope.catalog.functions.get(node.fields.funcid as string)?.name
    if (node.type === 'FUNCEXPR' && called?.includes('advisory')) add(scope, 'kind', called)
  }
}

/** All that a query says itself. */
const partsOf = ({ fields }: Node): Tree => [
  fields.targetList ?? null,
  fields.returningList ?? null,
  fields.jointree ?? null,
  fields.onConflict ?? null,
]

/** Conditions that hold for all rows, of WHERE and of joins: those of an outer join hold for its nullable side. */
function tenantEqualities(query: Node) {
  const conditions = own(query.fields.jointree)
    .filter(({ type }) => type === 'FROMEXPR' || type === 'JOINEXPR')
    .flatMap(({ fields }) => conjuncts(fields.quals))
  return conditions.flatMap((condition) => {
    if (condition.type !== 'OPEXPR') return []
    const sides = nodesOf(condition.fields.args)
    return [sides, sides.toReversed()].flatMap(([column, value]) => {
      const parameter = parameterOf(value)
      if (!isNode(column, 'VAR') || column.fields.varlevelsup !== '0' || parameter === null) return []
      return [{ table: column.fields.varno, column: column.fields.varattno, parameter }]
    })
  })
}

const conjuncts = (tree: Tree | undefined): Node[] =>
  nodesOf(tree).flatMap((node) =>
    node.type === 'BOOLEXPR' && node.fields.boolop === 'and' ? nodesOf(node.fields.args).flatMap(conjuncts) : [node],
  )

/** Which parameter an expression is, bare but for its type. */
function parameterOf(node: Node | undefined): number | null {
  if (!node) return null
  if (node.type === 'RELABELTYPE') return parameterOf(node.fields.arg as Node)
  if (node.type !== 'FIELDSELECT' || !isNode(node.fields.arg, 'PARAM')) return null
  return Number(node.fields.fieldnum)
}

const targets = (tree: Tree | undefined): [column: string, expression: Node][] =>
  nodesOf(tree).map(({ fields }) => [fields.resno as string, fields.expr as Node])

function judgeWrite(query: Node, into: { name: string; tenantColumn: string }, scope: Scope): void {
  const { commandType, targetList, returningList, onConflict } = query.fields
  const written = targets(targetList)
  if (commandType === commands.insert) judgeInsert(query, into, scope)
  if (commandType === commands.update) {
    if (written.some(([column]) => column === into.tenantColumn)) add(scope, 'kind', `moves rows of ${into.name}`)
  }
  for (const name of functionsIn(targetList, scope, ['v'])) add(scope, 'volatile', `${name}() into ${into.name}`)
  for (const [, expression] of targets(returningList)) {
    const plain = isNode(expression, 'VAR') || isNode(expression, 'CONST')
    if (!plain) add(scope, 'returning', into.name)
  }
  if (isNode(onConflict) && onConflict.fields.action === '2') {
    const parts = [onConflict.fields.onConflictSet ?? null, onConflict.fields.onConflictWhere ?? null]
    for (const name of functionsIn(parts, scope, ['v', 's'])) add(scope, 'conflict', `${name}() in ${into.name}`)
    if ([...walk(parts)].some(isQuery)) add(scope, 'conflict', `a query in ${into.name}`)
  }
}

/** Where a function or an operator is called, its oid. */
const callFields = ['funcid', 'opfuncid']

const functionsIn = (tree: Tree | undefined, { catalog }: Scope, volatilities: string[]): string[] =>
  [...walk(tree)]
    .flatMap(({ fields }) => callFields.map((field) => catalog.functions.get(fields[field] as string)))
    .filter((called) => called !== undefined && volatilities.includes(called.volatility))
    .map((called) => called!.name)

function judgeInsert(query: Node, into: { name: string; tenantColumn: string }, scope: Scope): void {
  const [, tenant] = targets(query.fields.targetList).find(([column]) => column === into.tenantColumn) ?? []
  const sources = rangeTable(query).filter(({ fields }) => fields.rtekind === '1')
  if (sources.length > 0) add(scope, 'insert values', into.name)
  else if (own(query.fields.targetList).some(({ type }) => type === 'SUBLINK'))
    add(scope, 'insert values', `a query in VALUES for ${into.name}`)
  const given = tenant ? origins(tenant, query) : []
  const parameters = given.map(parameterOf)
  if (parameters.length === 0 || parameters.includes(null)) add(scope, 'insert tenant', into.name)
  for (const parameter of parameters) if (parameter !== null) scope.tenants.add(scope.values[parameter - 1])
}

/** What a column that is inserted is in the VALUES or the query that it comes from. */
function origins(expression: Node, query: Node): Node[] {
  if (!isNode(expression, 'VAR')) return [expression]
  const source = rangeTable(query)[Number(expression.fields.varno) - 1]
  const column = expression.fields.varattno as string
  if (source?.fields.rtekind === '5') {
    const rows = source.fields.values_lists as Tree[][]
    return rows.map((row) => row[Number(column) - 1] as Node)
  }
  if (source?.fields.rtekind !== '1') return [expression]
  const inner = source.fields.subquery as Node
  return targets(inner.fields.targetList)
    .filter(([each]) => each === column)
    .flatMap(([, each]) => origins(each, inner))
}

/**
 * A table that a statement writes is read nowhere else in it: parts of a statement do not see each other's rows on
 * PostgreSQL, and do on Citus. What a write itself reads of its table is one command to one shard, and safe.
 */
function judgeVisibility(top: Node, scope: Scope): void {
  const all = queriesIn(top)
  const writers = all.filter(({ fields }) => fields.resultRelation !== '0')
  for (const writer of writers) {
    const into = rangeTable(writer)[Number(writer.fields.resultRelation) - 1]!.fields.relid
    const inside = new Set(queriesIn(writer))
    for (const other of all) {
      if (inside.has(other)) continue
      const result = Number(other.fields.resultRelation)
      const reads = rangeTable(other).some(
        ({ fields }, i) => i + 1 !== result && fields.rtekind === '0' && fields.relid === into,
      )
      const name = scope.catalog.tables.get(into as string)?.name ?? 'a table'
      if (reads && !queriesIn(other).includes(writer)) add(scope, 'reads what it writes', name)
    }
  }
}
