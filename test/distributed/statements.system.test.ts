import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { service } from '../harness.ts'
import { type Analyst, openAnalyst } from './analysis.ts'
import { doEverything } from './everything.ts'
import { type Recorded, recordStatements } from './recorder.ts'
import { judge } from './rules.ts'
import { isIn, templatesOf } from './templates.ts'

/** True for statements to the server itself, which Citus knows as such, and for those of a test. */
const isNotJudged = ({ text }: Recorded) =>
  /^((listen|create database|drop database|begin|commit|rollback)\b|\/\* test \*\/)/.test(text)

describe('SQL that runs on one server and on a distributed one', () => {
  let analyst: Analyst
  let sent: Recorded[]
  after(() => analyst?.close()) // before the service drops the database

  let recorder: ReturnType<typeof recordStatements>
  before(() => {
    recorder = recordStatements()
  })
  const api = service({ works: true })

  before(async () => {
    await doEverything(api)
    recorder.stop()
    sent = recorder.all().filter((each) => !isNotJudged(each))
    analyst = await openAnalyst(api.connection)
  })

  test('every statement that there is in the source was sent', () => {
    const unsent = templatesOf().filter((template) => !sent.some(({ text }) => isIn(template, text)))
    const hint = 'Nothing here has them sent: teach test/distributed/everything.ts'
    assert.deepEqual(unsent, [], hint)
  })

  test('none is against a rule', async () => {
    const faults: string[] = []
    for (const { text, values } of sent)
      for (const { rule, detail } of judge(await analyst.treeOf(text), values, analyst.catalog))
        faults.push(`${rule}: ${detail}\n${text}`)
    assert.deepEqual(faults, [])
  })
})
