import { test } from 'node:test'
import { writeFileSync } from 'node:fs'
import { service } from '../harness.ts'
import { Fixtures, routes, listRoutes } from '../contract/fixtures.ts'
import { openAnalyst } from './analysis.ts'
import { judge } from './rules.ts'
import { recordStatements } from './recorder.ts'
const recorder = recordStatements()
const api = service({ works: true })
test('x', async () => {
  const { test: client } = await api.world()
  const fixtures = new Fixtures(api, client)
  for (const route of routes) {
    if (route.kind === 'stream') continue
    try { await fixtures.run(await fixtures.call(route)) } catch (e) { console.log(route.name, String(e).slice(0, 200)) }
  }
  recorder.stop()
  const analyst = await openAnalyst(api.connection)
  const out: string[] = []
  let n = 0
  const t = performance.now()
  for (const { text, values } of recorder.all()) {
    n++
    try {
      const v = judge(await analyst.treeOf(text), values, analyst.catalog)
      if (v.length) out.push(`${v.map((x) => `${x.rule}: ${x.detail}`).join('; ')}\n    ${text.replace(/\s+/g, ' ').slice(0, 1500)}`)
    } catch (e) { out.push(`ERR ${e} ${text.slice(0, 300)}`) }
  }
  console.log(n, performance.now() - t, out.length)
  writeFileSync('/tmp/scaling-proto.txt', out.join('\n\n'))
  await analyst.close()
})
import { templatesOf, isIn } from './templates.ts'
test('y', () => {
  const all = recorder.all().map((x) => x.text).join('\0')
  const ts = templatesOf()
  const t = performance.now()
  const unseen = ts.filter((x) => !isIn(x, all))
  console.log(ts.length, unseen.length, performance.now() - t)
  writeFileSync('/tmp/scaling-unseen.txt', unseen.map((u) => u.place + '  ' + u.texts.join('§').replace(/\s+/g, ' ').slice(0, 110)).join('\n'))
})
