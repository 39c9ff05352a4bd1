import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { misplanned } from '../costs/plans.ts'
import { service } from '../harness.ts'
import { type Analyst, openAnalyst } from './analysis.ts'
import { doEverything } from './everything.ts'
import { type Recorded, recordStatements } from './recorder.ts'
import { judge } from './rules.ts'
import { describeStatements, statementsFile } from './statements-file.ts'
import { isIn, templatesOf } from './templates.ts'

/** True for statements to the server itself and to the catalog of Citus, and for those of a test. */
const isNotJudged = ({ text }: Recorded) =>
  /^((listen|create database|drop database|begin|commit|rollback)\b|\/\* test \*\/)|pg_dist_/.test(text)

describe('SQL that runs on one server and on a distributed one', () => {
  const sent: Recorded[] = []
  after(async () => {
    if (!process.env.BACKLINE_WRITE_STATEMENTS) return
    const texts = sent.map(({ text }) => text).filter((text) => !text.includes('/* test */'))
    await writeFile(statementsFile, describeStatements(templatesOf(), texts))
  })

  for (const splitsWrites of [false, true])
    describe(splitsWrites ? 'as it is sent to a cluster' : 'as it is sent to one server', () => {
      let analyst: Analyst
      let own: Recorded[]
      after(() => analyst?.close()) // before the service drops the database

      let recorder: ReturnType<typeof recordStatements>
      before(() => {
        recorder = recordStatements()
      })
      const api = service({ works: true, splitsWrites })

      before(async () => {
        await doEverything(api)
        recorder.stop()
        sent.push(...recorder.all())
        own = recorder.all().filter((each) => !isNotJudged(each))
        analyst = await openAnalyst(api.connection)
      })

      test('no statement is against a rule', async () => {
        const faults: string[] = []
        for (const { text, values } of own)
          for (const { rule, detail } of judge(await analyst.treeOf(text), values, analyst.catalog))
            faults.push(`${rule}: ${detail}\n${text}`)
        assert.deepEqual(faults, [])
      })

      test('each finds a row by its unique index, also with a plan that was made before there were rows', async () => {
        const kept = own.filter(({ isPrepared }) => isPrepared)
        assert.ok(kept.length > 0)
        assert.deepEqual(await misplanned(kept.map(({ text }) => text)), [])
      })
    })

  test('every statement that there is in the source was sent', () => {
    const unsent = templatesOf().filter((template) => !sent.some(({ text }) => isIn(template, text)))
    const hint = 'Nothing here has them sent: teach test/distributed/everything.ts'
    assert.deepEqual(unsent, [], hint)
  })
})
