import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgedClient } from '@backline/test/forged-openid-provider.ts'
import { oidcDesk, path, publicUrl } from '@backline/test/oidc-desk.ts'
import { until } from '@backline/test/processes.ts'

/* A provider that is away, slow or broken. */

const desk = oidcDesk()

test('responses that no provider sends are an outage, without their text in the log', async () => {
  for (const [status, body, code] of [
    [400, '{"error":"invalid_grant","error_description":"ada@example.com"}', 'expired'],
    [401, '{"error":"invalid_client"}', 'unavailable'],
    [500, 'ada@example.com', 'unavailable'],
    [200, 'ada@example.com', 'unavailable'],
    [200, '{}', 'unavailable'],
    [200, '{"access_token":"a","token_type":"Bearer"}', 'unavailable'],
    [200, '{"access_token":"a","token_type":"Bearer","id_token":"ada@example.com"}', 'unavailable'],
    [200, `{"a":"${'a'.repeat(2 ** 20)}"}`, 'unavailable'],
    [302, '', 'unavailable'],
  ] as const) {
    const { state, cookie } = await desk.begin()
    desk.provider.replies.token = { status, body }
    assert.equal(await desk.outcome(`?code=c&state=${state}`, cookie), code, body.slice(0, 80))
    desk.provider.replies.token = null
  }
  assert.match(desk.lines.join(''), /401 invalid_client/)
  assert.match(desk.lines.join(''), /more than 1048576 bytes/)
  assert.ok(!desk.lines.join('').includes('ada@example.com'))
  assert.ok(!desk.lines.join('').includes(forgedClient.clientSecret))
})

test('a discovery document that cannot be used is an outage', async () => {
  for (const discovery of [
    { issuer: 'https://other.example.com' },
    { authorization_endpoint: undefined },
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint: 'nothing' },
    { jwks_uri: undefined },
    { x: 'a'.repeat(2 ** 20) },
  ]) {
    desk.provider.replies.discovery = discovery
    const { statusCode, headers } = await desk.server().inject(path)
    assert.equal(statusCode, 302)
    assert.equal(
      headers.location,
      `${publicUrl}/console/#error=unavailable`,
      JSON.stringify(discovery).slice(0, 80),
    )
  }
})

test('a provider that is away is asked again after a second, and found when it is back', async () => {
  await desk.provider.stop()
  const { headers } = await desk.app.inject(path)
  assert.equal(headers.location, `${publicUrl}/console/#error=unavailable`)
  assert.match(desk.lastLine().reason, /^fetch failed: /)
  await desk.provider.restart()
  assert.match((await desk.app.inject(path)).headers.location!, /#error=unavailable$/)
  desk.monotonic += 1_001
  assert.equal(await desk.attempt(), null)
})

test('discovery is read once for many sign-ins, and again after ten minutes or a failure', async () => {
  const reads = () => desk.provider.seen.counts.get('/.well-known/openid-configuration')
  await Promise.all([desk.begin(), desk.begin(), desk.begin()])
  assert.equal(await desk.attempt(), null)
  assert.equal(reads(), 1)
  desk.monotonic += 600_001
  assert.equal(await desk.attempt(), null)
  assert.equal(reads(), 2)
  desk.provider.replies.token = { status: 500, body: '' }
  assert.equal(await desk.attempt(), 'unavailable')
  desk.provider.replies.token = null
  assert.equal(await desk.attempt(), null)
  assert.equal(reads(), 2, 'not more than once in a second')
  desk.monotonic += 1_001
  assert.equal(await desk.attempt(), null)
  assert.equal(reads(), 3)
  desk.monotonic += 5_000
  desk.provider.replies.token = { status: 500, body: '' }
  assert.equal(await desk.attempt(), 'unavailable')
  desk.provider.replies.token = null
  assert.equal(await desk.attempt(), null)
  assert.equal(reads(), 4)
})

test('a provider that goes away during a sign-in is an outage', async () => {
  const { state, cookie } = await desk.begin()
  await desk.provider.stop()
  assert.equal(await desk.outcome(`?code=c&state=${state}`, cookie), 'unavailable')
  await desk.provider.restart()
  assert.equal(await desk.attempt(), null)
})

test('a provider that does not respond is an outage after a while', async () => {
  desk.app = desk.server(publicUrl, 0.5)
  const { state, cookie } = await desk.begin()
  desk.provider.replies.silent = ['/token']
  assert.equal(await desk.outcome(`?code=c&state=${state}`, cookie), 'unavailable')
  assert.match(desk.lastLine().reason, /timed out/)
})

test('at most 20 sign-ins wait for the provider, and four of one network', async () => {
  const begun = await Promise.all(Array.from({ length: 22 }, desk.begin))
  desk.provider.replies.silent = ['/token']
  const outcomeOf = (i: number, address: string) =>
    desk.outcome(`?code=c&state=${begun[i]!.state}`, begun[i]!.cookie, address)
  const waiting = Array.from({ length: 4 }, (_, i) => outcomeOf(i, '192.0.2.1'))
  await until('four are sent', () => desk.provider.seen.counts.get('/token') === 4)
  assert.equal(await outcomeOf(20, '192.0.2.1'), 'unavailable')
  assert.match(desk.lastLine().reason, /4 sign-ins of one network/)
  waiting.push(...Array.from({ length: 16 }, (_, i) => outcomeOf(4 + i, `198.51.100.${i}`)))
  await until('all are sent', () => desk.provider.seen.counts.get('/token') === 20)
  assert.equal(await outcomeOf(21, '203.0.113.7'), 'unavailable')
  assert.match(desk.lastLine().reason, /20 sign-ins/)
  await desk.provider.stop()
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['unavailable']))
  await desk.provider.restart()
})
