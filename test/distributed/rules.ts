import type { Catalog } from './analysis.ts'
import { isNode, type Node, nodesOf, type Tree, walk } from './node-tree.ts'

/*
 * The rules for SQL of CONTRIBUTING.md as checks of analysed statements. Each rule prevents a failure that was observed on
 * Citus 13.2: an error, a statement that goes to every worker, or a result that differs from PostgreSQL.
 */

export type Rule =
  // tenant_id = $n on each distributed table that is read, updated or deleted from, and in each insert; a query over all
  // environments reads journal_heads, and joins all others by tenant_id
  | 'tenant'
  | 'one tenant' // all of these have one environment
  | 'query in values'
  // an insert from a query has a RETURNING clause: otherwise Citus copies, and a duplicate is not a 23505
  | 'told apart'
  | 'reads what it writes'
  | 'returning' // plain columns
  | 'pure' // no volatile value is written, and no stable one that depends on columns or is in a CASE or COALESCE
  | 'conflict' // on conflict do update sets from excluded, own columns and constants
  | 'lateral limit' // over all environments, a lateral query with a limit uses no column of a reference table
  | 'sorted lock' // order by with for update stands in a query of its own, below the WITH's
  | 'kind' // no merge, no system columns, no advisory locks

type Violation = { rule: Rule; detail: string }

type Scope = { catalog: Catalog; values: unknown[]; violations: Violation[]; tenants: Set<unknown> }
type Table = { name: string; placement: string; tenantColumn: string | null }

const commands = { select: '1', update: '2', insert: '3', delete: '4' }

/** Returns the violations of a statement. @param values of its parameters when it was sent */
export function judge(tree: Tree, values: unknown[], catalog: Catalog): Violation[] {
  const scope: Scope = { catalog, values, violations: [], tenants: new Set() }
  const queries = queriesIn(tree)
  const isOverAll =
    queries.some((query) =>
      [...tablesRead(query, scope)].some(({ table }) => table.name === 'journal_heads'),
    ) && queries.every((query) => tenantParameters(query, scope).length === 0)
  for (const query of queries) judgeQuery(query, scope)
  if (isOverAll) judgeJoins(queries, scope)
  if (isOverAll) for (const query of queries) judgeLaterals(query, scope)
  else for (const query of queries) judgeTenants(query, scope)
  if (scope.tenants.size > 1) add(scope, 'one tenant', `${scope.tenants.size} environments`)
  for (const top of nodesOf((tree as Tree[]).flat() as Tree)) judgeVisibility(top, scope)
  return scope.violations
}

const add = ({ violations }: Scope, rule: Rule, detail: string) => violations.push({ rule, detail })

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

function judgeQuery(query: Node, scope: Scope): void {
  const { commandType, jointree, targetList, returningList, onConflict } = query.fields
  if (!Object.values(commands).includes(commandType as string)) add(scope, 'kind', `command ${commandType}`)
  const into = targetOf(query, scope)
  if (into?.tenantColumn && into.placement !== 'reference') judgeWrite(query, into, scope)
  const parts: Tree = [targetList ?? null, returningList ?? null, jointree ?? null, onConflict ?? null]
  for (const node of own(parts)) {
    if (node.type === 'VAR' && String(node.fields.varattno).startsWith('-'))
      add(scope, 'kind', 'a system column')
    const [called] = functionsOf(node, scope)
    if (called?.name.includes('advisory')) add(scope, 'kind', called.name)
  }
  for (const { fields } of nodesOf(query.fields.cteList)) {
    const part = fields.ctequery as Node
    if (part.fields.rowMarks !== null && part.fields.sortClause !== null)
      add(scope, 'sorted lock', String(fields.ctename))
  }
}

/** Each distributed table has one environment. */
function judgeTenants(query: Node, scope: Scope): void {
  const given = tenantParameters(query, scope)
  for (const { number, table } of tablesRead(query, scope))
    if (table.placement === 'distributed' && !given.some((each) => each.number === number))
      add(scope, 'tenant', table.name)
  for (const { parameter } of given) scope.tenants.add(scope.values[parameter - 1])
}

/** The distributed tables whose environment is a parameter. */
function tenantParameters(query: Node, scope: Scope): { number: string; parameter: number }[] {
  const equal = tenantEqualities(query)
  return [...tablesRead(query, scope)].flatMap(({ number, table }) =>
    table.placement === 'distributed'
      ? equal
          .filter((each) => each.table === number && each.column === table.tenantColumn)
          .map(({ parameter }) => ({ number, parameter }))
      : [],
  )
}

/** All distributed tables are joined with `journal_heads`, directly or indirectly. */
function judgeJoins(queries: Node[], scope: Scope): void {
  for (const query of queries) {
    const joined = tenantJoins(query)
    for (const { number, table } of tablesRead(query, scope)) {
      const isApart = table.placement === 'distributed' && !joined.includes(number)
      if (isApart && table.name !== 'journal_heads') add(scope, 'tenant', table.name)
    }
  }
}

function judgeLaterals(query: Node, scope: Scope): void {
  const entries = rangeTable(query)
  for (const { fields } of entries) {
    const inner = fields.lateral === 'true' ? (fields.subquery as Node) : null
    if (!inner || inner.fields.limitCount === null) continue
    for (const { type, fields } of own(Object.values(inner.fields))) {
      const isOuter = type === 'VAR' && fields.varlevelsup === '1'
      const table = isOuter ? tableOf(entries[Number(fields.varno) - 1], scope) : null
      if (table?.placement === 'reference') add(scope, 'lateral limit', table.name)
    }
  }
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

function judgeWrite(query: Node, into: Table, scope: Scope): void {
  const { commandType, targetList, returningList, onConflict, jointree } = query.fields
  if (commandType === commands.insert) judgeInsert(query, into, scope)
  if (commandType === commands.update && targets(targetList).some(([column]) => column === into.tenantColumn))
    add(scope, 'kind', `moves rows of ${into.name} to another environment`)
  for (const node of walk([targetList ?? null, jointree ?? null])) {
    for (const { name, volatility } of functionsOf(node, scope)) {
      const isStable = volatility === 's'
      if (volatility === 'v') add(scope, 'pure', `${name}() into ${into.name}`)
      if (isStable && commandType === commands.update && [...walk(node)].some(({ type }) => type === 'VAR'))
        add(scope, 'pure', `${name}() of a column, in an update of ${into.name}`)
    }
    if (node.type !== 'CASEEXPR' && node.type !== 'COALESCEEXPR') continue
    for (const { name, volatility } of [...walk(node)].flatMap((inner) => functionsOf(inner, scope)))
      if (volatility !== 'i') add(scope, 'pure', `${name}() in a choice for ${into.name}`)
  }
  for (const [, expression] of targets(returningList))
    if (!isNode(expression, 'VAR') && !isNode(expression, 'CONST')) add(scope, 'returning', into.name)
  if (!isNode(onConflict) || onConflict.fields.action !== '2') return
  for (const node of walk([
    onConflict.fields.onConflictSet ?? null,
    onConflict.fields.onConflictWhere ?? null,
  ])) {
    for (const { name, volatility } of functionsOf(node, scope))
      if (volatility !== 'i') add(scope, 'conflict', `${name}() in ${into.name}`)
    if (isQuery(node)) add(scope, 'conflict', `a query in ${into.name}`)
  }
}

/** The functions that a node calls itself, including those of operators, aggregates and casts by text. */
function functionsOf({ type, fields }: Node, { catalog }: Scope) {
  const cast = type === 'COERCEVIAIO' ? catalog.inputs.get(fields.resulttype as string) : undefined
  const called = ['funcid', 'opfuncid', 'aggfnoid', 'winfnoid'].map((field) => fields[field] as string)
  return [...called, cast].map((oid) => catalog.functions.get(oid!)).filter((found) => found !== undefined)
}

function judgeInsert(query: Node, into: Table, scope: Scope): void {
  const [, tenant] = targets(query.fields.targetList).find(([column]) => column === into.tenantColumn) ?? []
  if (own(query.fields.targetList).some(({ type }) => type === 'SUBLINK'))
    add(scope, 'query in values', into.name)
  const isFromQuery = rangeTable(query).some(({ fields }) => fields.rtekind === '1')
  const { returningList, onConflict } = query.fields
  if (isFromQuery && into.placement === 'distributed' && !returningList && !onConflict)
    add(scope, 'told apart', into.name)
  const parameters = (tenant ? origins(tenant, query) : []).map(parameterOf)
  if (parameters.length === 0 || parameters.includes(null)) add(scope, 'tenant', `insert into ${into.name}`)
  for (const parameter of parameters) if (parameter !== null) scope.tenants.add(scope.values[parameter - 1])
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

/**
 * A table that a statement writes is not read elsewhere in it: parts of a statement do not see each other's rows on
 * PostgreSQL, and do on Citus. Reads by the write itself are safe, as part of one command. Locks are safe, because no
 * part of a change locks a row that another one writes.
 */
function judgeVisibility(top: Node, scope: Scope): void {
  const all = queriesIn(top)
  for (const writer of all.filter(({ fields }) => fields.resultRelation !== '0')) {
    const into = targetOf(writer, scope)
    const inside = queriesIn(writer)
    for (const other of all) {
      if (inside.includes(other) || other.fields.rowMarks !== null) continue
      for (const { number, table } of tablesRead(other, scope))
        if (table === into && number !== other.fields.resultRelation)
          add(scope, 'reads what it writes', table.name)
    }
  }
}
