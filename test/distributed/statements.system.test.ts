import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { misplanned } from '../costs/plans.ts'
import { cloneDatabase } from '../databases.ts'
import { service } from '../harness.ts'
import { suffix } from '../one-shard.ts'
import { type Analyst, openAnalyst } from './analysis.ts'
import { doEverything } from './everything.ts'
import { type Recorded, recordStatements } from './recorder.ts'
import { judge, judgeForCluster, tablesOf } from './rules.ts'
import { describeStatements, statementsFile } from './statements-file.ts'
import { isIn, templatesOf } from './templates.ts'

/** True for statements to the server itself, and for those of a test. */
const isNotJudged = ({ text }: Recorded) =>
  /^((listen|set|create|alter|insert into pg_dist_|drop database|begin|commit|rollback|savepoint)\b|\/\* test \*\/)/.test(
    text,
  )
/** True for a statement about one environment in a cluster. */
const isOfShard = ({ text }: Recorded) => text.includes(suffix)
/** True for a statement to the catalog of Citus. */
const isOfCatalog = ({ text }: Recorded) => text.includes('pg_dist_') || text.includes('lock_shard_metadata')

describe('every statement', () => {
  const sent: Recorded[] = []
  const own = () => sent.filter((each) => !isNotJudged(each))
  after(async () => {
    if (!process.env.BACKLINE_WRITE_STATEMENTS) return
    const texts = sent.map(({ text }) => text).filter((text) => !text.includes('/* test */'))
    await writeFile(statementsFile, describeStatements(templatesOf(), texts))
  })

  describe('as it is sent to one server', () => {
    const api = sending(sent, false)

    test('names one environment, or is over all of them', async () => {
      const analyst = await openAnalyst(api.connection)
      const faults = await faultsOf(own(), async ({ text, values }) =>
        judge(await analyst.treeOf(text), values, analyst.catalog),
      )
      await analyst.close()
      assert.deepEqual(faults, [])
    })

    test('finds a row by its unique index, also with a plan that was made before there were rows', async () => {
      const kept = own().filter(({ isPrepared }) => isPrepared)
      assert.ok(kept.length > 0)
      assert.deepEqual(await misplanned(kept.map(({ text }) => text)), [])
    })
  })

  describe('as it is sent to a cluster', () => {
    const inCluster: Recorded[] = []
    const api = sending(inCluster, true)
    let plain: Analyst
    let drop: () => Promise<void>
    before(async () => {
      sent.push(...inCluster.filter((each) => !isOfShard(each)))
      const ordinary = await cloneDatabase()
      drop = ordinary.drop
      plain = await openAnalyst(ordinary.connection)
    })
    after(async () => {
      await plain?.close()
      await drop?.()
    })

    test('names only tables of the shard, if it is about one environment', async () => {
      const analyst = await openAnalyst(api.connection)
      const ofShard = inCluster.filter((each) => isOfShard(each) && !isNotJudged(each))
      const faults = await faultsOf(ofShard, async ({ text }) =>
        tablesOf(await analyst.treeOf(text), analyst.catalog)
          .filter((name) => !name.endsWith(suffix) && name !== 'pg_dist_placement')
          .map((detail) => ({ rule: 'shard', detail })),
      )
      await analyst.close()
      assert.deepEqual(faults, [])
    })

    test('is one that Citus executes, if it goes to a server as such', async () => {
      const ordinary = inCluster.filter(
        (each) => !isNotJudged(each) && !isOfShard(each) && !isOfCatalog(each),
      )
      assert.ok(ordinary.length > 0)
      const faults = await faultsOf(ordinary, async ({ text }) =>
        judgeForCluster(await plain.treeOf(text), plain.catalog),
      )
      assert.deepEqual(faults, [])
    })
  })

  test('that there is in the source was sent', () => {
    const unsent = templatesOf().filter((template) => !sent.some(({ text }) => isIn(template, text)))
    const hint = 'Nothing here has them sent: teach test/distributed/everything.ts'
    assert.deepEqual(unsent, [], hint)
  })
})

/** Starts a server, and adds the statements that it sends for everything that it can do. */
function sending(recorded: Recorded[], onOneShard: boolean) {
  let recorder: ReturnType<typeof recordStatements>
  before(() => {
    recorder = recordStatements()
  })
  const api = service({ works: true, onOneShard })
  before(async () => {
    await doEverything(api)
    recorder.stop()
    recorded.push(...recorder.all())
  })
  return api
}

type Fault = { rule: string; detail: string }

async function faultsOf(
  statements: Recorded[],
  judgeOne: (each: Recorded) => Promise<Fault[]>,
): Promise<string[]> {
  const faults: string[] = []
  for (const each of statements)
    for (const { rule, detail } of await judgeOne(each)) faults.push(`${rule}: ${detail}\n${each.text}`)
  return faults
}
