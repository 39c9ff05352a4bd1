import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { identifier, sql } from '@backline/server/platform/postgres/sql.ts'
import { pino } from 'pino'
import { service, type World } from '../harness.ts'
import { localNetworks } from '../hooks.ts'
import { until } from '../processes.ts'
import { type Budget, budgets, type Figures, figures, logLines } from './budgets.ts'
import { largeWorld } from './large-environment.ts'
import { type Cost, costOf, describeExecutions, type Execution, type Meter, startMeter } from './meter.ts'
import { measured, type Operation, operations, warmUps } from './operations.ts'

/** An environment with many objects may cost that much more. Buffers: each index has a level or two more. */
const growth = { factor: 1.2, plus: 4, buffersPlus: 25 }
/**
 * A budget is too high if less than this part of it is used, without pages over which rows may happen to be spread. The
 * statements of a request before its response are the same each time; those that follow depend on the rounds of jobs.
 */
const used = { before: 0.8, after: 0.5, minus: 6, buffersMinus: 20 }
const isExact = (phase: Phase, figure: (typeof figures)[number]) =>
  phase === 'before' && ['statements', 'commits', 'notifications', 'rowsWritten'].includes(figure)

type Phase = 'before' | 'after'
type Measured = Record<Phase, Figures> & { lines: string[][]; shown: string }

describe('the costs of operations', () => {
  let meter: Meter
  before(() => {
    meter = startMeter()
  })
  after(() => meter.stop())
  /** Lines of the log at its default level. */
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  // The request log is written every second, whatever the requests are: request-log.system.test.ts has its cost.
  const environment = { ...localNetworks, BACKLINE_REQUEST_LOG_DAYS: '0' }
  const api = service({ works: true, environment, log })
  /** The statements of an idle server. */
  const idle = new Set<string>()
  /** The statements that follow responses. A server may send them before the client has read its response. */
  const background = new Set<string>()
  let large: World | undefined

  before(async () => {
    await keepStatistics()
    await settled()
    meter.executions.length = 0
    await sleep(5_000)
    for (const { text } of meter.executions) idle.add(text)
  })

  /** Without autovacuum, whose new statistics could change a plan between two operations. */
  async function keepStatistics(): Promise<void> {
    const tables = await api.db.rows<{ name: string }>(
      sql`/* test */ select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    for (const { name } of tables)
      await api.db.rows(sql`/* test */ alter table ${identifier(name)} set (autovacuum_enabled = false)`)
  }

  const taken = () => meter.executions.splice(0).filter(({ text }) => !idle.has(text) && !isLeftOut(text))

  /** Waits until the audit log is sealed and only statements of an idle server are sent; returns the others. */
  async function settled(): Promise<Execution[]> {
    await until('all is sealed', async () => {
      const unsealed = await api.db.rows(sql`/* test */ select 1 from journal_heads h
        left join journal_positions p on p.tenant_id = h.tenant_id and p.follower = 'audit'
        where h.position::text::xid8 > coalesce(p.position, '0')`)
      return unsealed.length === 0
    })
    const all = taken()
    for (;;) {
      await sleep(100)
      const some = taken()
      if (some.length === 0) return all
      all.push(...some)
    }
  }

  async function measure(prepare: Operation, world: World): Promise<Measured> {
    const run = await prepare(api, world)
    for (let i = 0; i < warmUps; i++) await run(i)
    await settled()
    const runs: { before: Execution[]; after: Execution[]; lines: string[] }[] = []
    lines.length = 0
    for (let i = 0; i < measured; i++) {
      await run(warmUps + i)
      runs.push({ before: taken(), after: await settled(), lines: lines.splice(0) })
    }
    for (const { after } of runs) for (const { text } of after) background.add(text)
    const isLater = ({ text }: Execution) => background.has(text)
    const [{ before: asked, after: later }] = runs as [(typeof runs)[0]]
    return {
      shown: describeExecutions([...asked, ...later]),
      lines: runs.map(({ lines }) => lines),
      before: usual(runs.map(({ before }) => costOf(before.filter((each) => !isLater(each))))),
      after: least(runs.map(({ before, after }) => costOf([...before.filter(isLater), ...after]))),
    }
  }

  const all = Object.entries(operations) as [keyof typeof operations, Operation][]
  const costs = new Map<string, Measured>()

  for (const [name, operation] of all)
    test(`${name}: within its budget, which is not too high`, async () => {
      const cost = await measure(operation, await api.world())
      costs.set(name, cost)
      const budget: Budget = budgets[name]
      const shown = `'${name}': before: [${cost.before}], after: [${cost.after}]\n${cost.shown}`
      // A machine that is very slow may write a line about one of them.
      const quiet = cost.lines.filter(({ length }) => length <= logLines)
      assert.ok(quiet.length > measured / 2, cost.lines.flat().join(''))
      for (const phase of ['before', 'after'] as const)
        for (const [i, figure] of figures.entries()) {
          const [is, most] = [cost[phase][i]!, budget[phase][i]!]
          assert.ok(is <= most, `${figure} ${phase} the response: ${is} of ${most}\n${shown}`)
          assert.ok(
            isExact(phase, figure)
              ? is === most
              : is >= most * used[phase] - (figure === 'buffers' ? used.buffersMinus : used.minus),
            `${figure} ${phase} the response: only ${is} of ${most}\n${shown}`,
          )
        }
    })

  // After all of the former, whose indexes would otherwise have a level more.
  for (const [name, operation] of all)
    test(`${name}: costs the same in an environment with many objects`, {
      skip: (budgets[name] as Budget).grows,
    }, async () => {
      large ??= await largeWorld(api)
      const { before, shown } = await measure(operation, large)
      for (const [i, figure] of figures.entries()) {
        const few = costs.get(name)!.before[i]!
        const levels = growth.buffersPlus + costs.get(name)!.before[figures.indexOf('rowsRead')]!
        const most = few * growth.factor + (figure === 'buffers' ? levels : growth.plus)
        assert.ok(before[i]! <= most, `${figure}: ${before[i]}, and ${few} with few\n${shown}`)
      }
    })
})

/** The statements of this test, and those about a key or a session, which are read once a second for all requests. */
const isLeftOut = (text: string) =>
  text.startsWith('/* test */') || /from (api_key_secrets|end_user_sessions)\b/.test(text)

const sorted = (costs: Cost[]) =>
  figures.map((figure) => costs.map((cost) => cost[figure]).toSorted((one, other) => one - other))

/**
 * The median of each figure: a job that happens to run beside one operation does not count. Of buffers and bytes the
 * least: PostgreSQL removes dead rows from a page whenever a statement meets one that is nearly full.
 */
const usual = (costs: Cost[]): Figures =>
  sorted(costs).map((values, i) => values[/^(buffers|walBytes)$/.test(figures[i]!) ? 0 : values.length >> 1]!)

/** The least of each figure: a round that was told of more while it ran is followed by one that finds nothing. */
const least = (costs: Cost[]): Figures => sorted(costs).map((values) => values[0]!)
