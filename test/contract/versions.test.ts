import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { checkSettings } from '@backline/cli/doctor/machine.ts'
import { readConfig } from '@backline/server/compose/config.ts'
import { remarkOnRetirement, warnOfRetirement } from '@backline/server/platform/http/response/versions.ts'
import { pino } from 'pino'
import { service, type World } from '../harness.ts'
import { turns } from '../thorough.ts'
import { bothVersions } from '../versions/both-versions.ts'
import { faultsOf, vacantRequest } from './faults.ts'
import { Fixtures, filledLists, routes, titleOf } from './fixtures.ts'
import { publicUrl, type Request, refused, type Sent, send, describe as show } from './http.ts'

const day = 86_400
const daysFromNow = (days: number) => new Date(Date.now() + days * day * 1000).toISOString().slice(0, 10)

const releasedAt = daysFromNow(100)
const retiresAt = daysFromNow(600)
const deprecation = `@${Date.parse(releasedAt) / 1000}`
const sunset = new Date(retiresAt).toUTCString()
const successor = `<${publicUrl}/v2>; rel="successor-version"`

describe('the life of v1', () => {
  const api = service({
    environment: { BACKLINE_V2_RELEASED_AT: releasedAt, BACKLINE_V1_RETIRES_AT: retiresAt },
    versions: bothVersions(),
  })
  let world: World
  let fixtures: Fixtures
  /** Paths below /v1 that are handled before routing, or without a declared route. */
  const beside = ['/v1/openapi.json', '/v1/conversations/%zz', `/v1/conversations/${'x'.repeat(200)}`]

  before(async () => {
    world = await api.world()
    fixtures = new Fixtures(api, world.test)
  })

  const [some, someRoutes] = [turns(), turns()]
  const announced = ({ headers }: Sent) => ({
    deprecation: headers.get('deprecation'),
    sunset: headers.get('sunset'),
    successor: (headers.get('link') ?? '').includes(successor),
  })

  type Announcement = ReturnType<typeof announced>

  /** Sends requests with every outcome: success, each error, unknown paths. */
  async function everyAnswer(check: (answer: Sent) => void): Promise<void> {
    for (const route of someRoutes(routes, Math.ceil(routes.length / 3))) {
      const { request } = await fixtures.call(route)
      check(await send(api, request))
      check(await send(api, { ...request, method: 'TRACE', body: undefined }))
      for (const fault of some(faultsOf(route), 2)) {
        // No key without the scope exists here; an unknown key replaces it.
        check(await send(api, fault.spoil(vacantRequest(route, world.test.key), route, 'nonsense')!))
      }
    }
  }

  async function assertAnnounces(expected: Announcement): Promise<void> {
    await everyAnswer((answer) => assert.deepEqual(announced(answer), expected, show(answer)))
    for (const path of ['/v1/nonsense', '/v1/workspace/nonsense']) {
      const answer = await send(api, { method: 'GET', path, key: null })
      assert.deepEqual(announced(answer), expected, show(answer))
    }
    for (const path of ['/healthz', '/readyz', '/problems', '/nonsense']) {
      const answer = await send(api, { method: 'GET', path, key: null })
      assert.deepEqual(announced(answer), { deprecation: null, sunset: null, successor: false }, path)
    }
  }

  async function assertListsLinkBoth(): Promise<void> {
    for (const route of filledLists) {
      const { path, add } = await fixtures.list(route)
      if (add) for (let i = 0; i < 2; i++) await add()
      const answer = await send(api, { method: 'GET', path: `${path}?limit=1`, key: fixtures.key })
      const link = answer.headers.get('link') ?? ''
      assert.ok(link.includes(successor), link)
      assert.match(link, /<[^>]+cursor=[^>]+>; rel="next"/, titleOf(route))
    }
  }

  // All tests share one clock, which only moves forward: their order is that of v1's life.
  test('nothing is announced before v2 is released', async () => {
    await assertAnnounces({ deprecation: null, sunset: null, successor: false })
  })

  test('Deprecation and the successor from the release of v2 on', async () => {
    api.advance(101 * day)
    await assertAnnounces({ deprecation, sunset: null, successor: true })
  })

  test('Sunset from 6 months before the retirement, refusals and lists included', async () => {
    api.advance((600 - 101 - 180) * day) // six months have at least 181 days
    await assertAnnounces({ deprecation, sunset, successor: true })
    await assertListsLinkBoth()
  })

  test('the same on the day before the retirement', async () => {
    api.advance(178 * day)
    const answer = await send(api, { method: 'GET', path: '/v1/workspace', key: fixtures.key })
    assert.equal(answer.status, 200)
    assert.deepEqual(announced(answer), { deprecation, sunset, successor: true })
  })

  for (const path of beside) {
    test(`the same: GET ${path.slice(0, 40)}`, async () => {
      const answer = await send(api, { method: 'GET', path, key: null })
      assert.deepEqual(announced(answer), { deprecation, sunset, successor: true }, show(answer))
    })
  }

  test('410 version_retired for every route, unknown ones included, without a key, from then on', async () => {
    const requests: Request[] = []
    for (const route of routes) {
      const { request } = await fixtures.call(route)
      requests.push(request, { ...request, key: null }, { ...request, method: 'TRACE', body: undefined })
    }
    for (const path of ['/v1/nonsense', '/v1/', '/v1/workspace/', '/v1/workspace?nonsense=1'])
      for (const method of ['GET', 'POST']) requests.push({ method, path, key: null })
    api.advance(3 * day)
    for (const request of requests) {
      const answer = await send(api, request)
      refused(answer, 'version_retired')
      assert.deepEqual(announced(answer), { deprecation, sunset, successor: true })
    }
    for (const path of ['/healthz', '/readyz', '/problems', '/problems/version_retired'])
      assert.equal((await send(api, { method: 'GET', path, key: null })).status, 200, path)
    for (const path of ['/nonsense', '/v10', '/v1nonsense', '/v3/workspace'])
      refused(await send(api, { method: 'GET', path, key: null }), 'not_found')
  })

  for (const path of ['/v1', ...beside]) {
    test(`410 version_retired after the retirement: GET ${path.slice(0, 40)}`, async () => {
      refused(await send(api, { method: 'GET', path, key: null }), 'version_retired')
    })
  }
})

describe('v1 with no retirement in sight', () => {
  const api = service({ environment: { BACKLINE_V2_RELEASED_AT: daysFromNow(-1000) } })

  test('Deprecation and the successor', async () => {
    const { test } = await api.world()
    const { headers } = await test.get('/v1/workspace')
    assert.equal(headers.get('deprecation'), `@${Date.parse(daysFromNow(-1000)) / 1000}`)
    assert.equal(headers.get('link'), successor)
    assert.ok(!headers.has('sunset'))
  })
})

describe('v1 after its retirement, on a server without a successor', () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const retired = daysFromNow(-10)
  const environment = { BACKLINE_V2_RELEASED_AT: daysFromNow(-1000), BACKLINE_V1_RETIRES_AT: retired }
  const api = service({ environment, log })
  const warnings = () => lines.filter((line) => line.includes('BACKLINE_V1_RETIRES_AT has passed')).length

  test('goes on with Sunset, and the log warns at the start', async () => {
    const { test } = await api.world()
    const { status, headers } = await test.get('/v1/workspace')
    assert.deepEqual([status, headers.get('sunset')], [200, new Date(retired).toUTCString()])
    assert.equal(warnings(), 1)
  })

  test('is warned of daily', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let warned = 0
    const dates = { successorReleasedAt: 0, retiresAt: 1_000 }
    const end = warnOfRetirement(
      dates,
      () => 2_000,
      () => void warned++,
    )
    assert.equal(warned, 1)
    t.mock.timers.tick(3 * day * 1_000)
    assert.equal(warned, 4)
    end()
    t.mock.timers.tick(3 * day * 1_000)
    assert.equal(warned, 4)
  })

  test('is named by doctor', () => {
    const { check } = checkSettings({ ...environment })
    assert.deepEqual([check.status, check.advice], ['warning', remarkOnRetirement])
  })
})

describe('configuration of dates', () => {
  const read = (released?: string, retires?: string) =>
    readConfig({
      ...(released === undefined ? {} : { BACKLINE_V2_RELEASED_AT: released }),
      ...(retires === undefined ? {} : { BACKLINE_V1_RETIRES_AT: retires }),
    })

  const refusedPairs: [string, string | undefined, string | undefined][] = [
    ['a retirement without a release', undefined, '2030-01-01'],
    ['a retirement before the release', '2030-01-01', '2029-01-01'],
    ['a retirement with the release', '2030-01-01', '2030-01-01'],
    ['a day less than 12 months', '2030-01-02', '2031-01-01'],
    ['a second less than 12 months', '2030-01-01T00:00:01Z', '2031-01-01T00:00:00Z'],
    ['365 days over a leap day', '2028-01-01', '2028-12-31'],
    ['a leap day to the 27th', '2028-02-29', '2029-02-27'],
  ]
  for (const [what, released, retires] of refusedPairs) {
    test(`refused by name: ${what}`, () => {
      assert.throws(() => read(released, retires), /BACKLINE_V1_RETIRES_AT/)
    })
  }

  test('refused by name: what is no date', () => {
    for (const text of [
      'nonsense',
      '2030',
      '2030-02-30',
      '2030-1-1',
      '01/01/2030',
      '2030-01-01T00:00:00',
      '1893456000',
    ]) {
      assert.throws(() => read(text), /BACKLINE_V2_RELEASED_AT/, text)
      assert.throws(() => read('2020-01-01', text), /BACKLINE_V1_RETIRES_AT/, text)
    }
  })

  test('accepted: 12 calendar months and more, dates and times', () => {
    const pairs = [
      ['2030-01-01', '2031-01-01'],
      ['2028-02-29', '2029-02-28'], // the last day of February replaces the 29th
      ['2027-01-01', '2028-01-01'],
      ['2030-01-01T12:00:00Z', '2031-01-01T12:00:00Z'],
      ['2030-01-01T12:00:00+02:00', '2031-01-01T10:00:00Z'],
      ['2030-01-01', '2040-01-01'],
    ]
    for (const [released, retires] of pairs) {
      const { versionDates } = read(released, retires)
      assert.equal(versionDates.successorReleasedAt, Date.parse(released!))
      assert.equal(versionDates.retiresAt, Date.parse(retires!))
    }
    assert.equal(read('2030-01-01').versionDates.retiresAt, null)
  })
})
