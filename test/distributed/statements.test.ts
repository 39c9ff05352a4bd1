import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import pg from 'pg'
import { service } from '../harness.ts'
import { type Analyst, openAnalyst } from './analysis.ts'
import {
  callEveryRoute,
  changeSettings,
  meetTheRare,
  readEveryList,
  search,
  workAtTheDesk,
} from './everything.ts'
import { recordStatements } from './recorder.ts'
import { judge } from './rules.ts'
import { isIn, templatesOf } from './templates.ts'

const recorder = recordStatements()
const api = service({ works: true })

test('all', async (t) => {
  const world = await api.world()
  const step = async (name: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (e) {
      console.log(name, String((e as Error).stack).slice(0, 600))
    }
  }
  await step('routes', () => callEveryRoute(api, world.test))
  await step('lists', () => readEveryList(api, world.test))
  await step('desk', () => workAtTheDesk(world.test))
  await step('search', () => search(api, world.test))
  await step('settings', () => changeSettings(world.test))
  await step('rare', () => meetTheRare(api, world))
  const busy = new pg.Client(api.connection)
  await busy.connect()
  await busy.query('begin')
  await busy.query('select pg_current_xact_id()')
  await new Promise((r) => setTimeout(r, 1500))
  await busy.query('rollback')
  await busy.end()
  recorder.stop()
  const all = recorder.all()
  writeFileSync(
    '/tmp/scaling-statements.json',
    JSON.stringify(
      all.map(({ text, values }) => ({
        text,
        values: values.map((v) => (Buffer.isBuffer(v) ? { hex: v.toString('hex') } : v)),
      })),
    ),
  )
  const analyst = await openAnalyst(api.connection)
  const out: string[] = []
  for (const { text, values } of all) {
    if (/^(listen|create|drop)/.test(text)) continue
    try {
      const v = judge(await analyst.treeOf(text), values, analyst.catalog)
      if (v.length)
        out.push(
          `${v.map((x) => `${x.rule}: ${x.detail}`).join('; ')}\n    ${text.replace(/\s+/g, ' ').slice(0, 1200)}`,
        )
    } catch (e) {
      out.push(`ERR ${e} ${text.slice(0, 300)}`)
    }
  }
  await analyst.close()
  const texts = all.map((x) => x.text).join('\0')
  const unseen = templatesOf().filter((x) => !isIn(x, texts))
  console.log(all.length, out.length, unseen.length)
  writeFileSync('/tmp/scaling-proto.txt', out.join('\n\n'))
  writeFileSync(
    '/tmp/scaling-unseen.txt',
    unseen.map((u) => u.place + '  ' + u.texts.join('§').replace(/\s+/g, ' ').slice(0, 110)).join('\n'),
  )
})
