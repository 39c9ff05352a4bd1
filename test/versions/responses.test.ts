import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { versionOf } from '@backline/server/platform/versions/version.ts'
import { Fixtures, listRoutes, readRoutes, resources, titleOf } from '../contract/fixtures.ts'
import { send, describe as show } from '../contract/http.ts'
import { strictAjv } from '../contract/schemas.ts'
import { service, type World } from '../harness.ts'
import { bothVersions } from './both-versions.ts'
import { v2 } from './v2-example.ts'

describe('objects that v1 wrote, read by v2', () => {
  const newer = versionOf(resources, v2)
  const api = service({ versions: bothVersions() })
  let world: World
  let fixtures: Fixtures
  const ajv = strictAjv()
  const routes = newer.flatMap((resource) => resource.routes)

  before(async () => {
    world = await api.world()
    fixtures = new Fixtures(api, world.test)
  })

  for (const route of [...readRoutes, ...listRoutes]) {
    test(`have the form that v2 declares: ${titleOf(route)}`, async () => {
      const isList = route.kind === 'list'
      const { path, add } = isList
        ? await fixtures.list(route)
        : { path: (await fixtures.call(route)).request.path, add: null }
      await add?.()
      const newerPath = path.replace(/^\/v1/, '/v2')
      const answer = await send(api, { method: 'GET', path: newerPath, key: fixtures.key })
      assert.equal(answer.status, 200, show(answer))
      const { schema } = routes.find(({ name }) => name === route.name)!.reply!
      for (const item of isList ? answer.body.data : [answer.body])
        assert.ok(ajv.validate(schema, item), `${ajv.errorsText()} ${JSON.stringify(item)}`)
    })
  }
})
