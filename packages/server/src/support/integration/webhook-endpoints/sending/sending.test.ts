import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import {
  deliveriesOf,
  endpoint,
  type Hook,
  hookReceiver,
  localNetworks,
  openWorker,
  tag,
} from '@backline/test/hooks.ts'
import { until } from '@backline/test/processes.ts'
import { Webhook } from 'standardwebhooks'

const api = service({ environment: localNetworks })

const typesOf = (hooks: Hook[]) => hooks.map(({ event }) => event.type)
const pause = (client: Client, { id }: Body, status: string) =>
  client.patch(`/v1/webhook_endpoints/${id}`, { status })
const shown = async (client: Client, { id }: Body): Promise<Body> =>
  succeeded(await client.get(`/v1/webhook_endpoints/${id}`))
const recover = async (client: Client, { id }: Body, since: string): Promise<number> =>
  succeeded(await client.post(`/v1/webhook_endpoints/${id}/recover`, { since })).events

/** Waits for a new event to arrive; all earlier events have been sent by then. */
async function settle(client: Client, to: { hooks: Hook[] }): Promise<void> {
  const { id } = await tag(client)
  await until('the last one arrives', async () => to.hooks.some(({ event }) => event.resource.id === id))
}

describe('deliveries', () => {
  before(async () => {
    await openWorker(api)
  })

  test('each event arrives once, signed so that the official library verifies it, as the feed shows it', async () => {
    const { test } = await api.world()
    const to = await hookReceiver()
    const { secret } = await endpoint(test, to.url, {
      headers: { 'X-Token': 'é of theirs'.replace('é', 'e') },
    })
    for (let i = 0; i < 5; i++) await tag(test)
    await until('they arrive', async () => to.hooks.length === 5)
    const { data } = (await test.get('/v1/events?types=tag.*')).body
    const found = to.hooks.map(({ body, headers }) => {
      const { timestamp, ...event } = new Webhook(secret).verify(body, headers) as Body
      assert.equal(timestamp, event.created_at)
      assert.equal(headers['webhook-id'], event.id)
      assert.equal(headers['x-token'], 'e of theirs')
      assert.match(headers['content-type']!, /^application\/json/)
      return event
    })
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set(data.map(({ id }: Body) => id)))
    for (const event of found)
      assert.deepEqual(
        event,
        data.find(({ id }: Body) => id === event.id),
      )
  })

  test('`thin` omits data, and its signature is valid', async () => {
    const { test } = await api.world()
    const to = await hookReceiver()
    const { secret } = await endpoint(test, to.url, { payload: 'thin' })
    await tag(test)
    await until('it arrives', async () => to.hooks.length === 1)
    const { body, headers, event } = to.hooks[0]!
    new Webhook(secret).verify(body, headers)
    assert.equal('data' in event, false)
    assert.equal(event.type, 'tag.created')
  })

  test('an endpoint receives only subscribed events, and only those after its creation', async () => {
    const { test } = await api.world()
    await tag(test)
    const [tags, all] = [await hookReceiver(), await hookReceiver()]
    await endpoint(test, tags.url, { enabled_events: ['tag.updated', 'message.*'] })
    await endpoint(test, all.url, { enabled_events: ['*'] })
    const { id } = await conversation(test)
    await say(test, id, 'end_user')
    const { id: tagId } = await tag(test)
    succeeded(await test.patch(`/v1/tags/${tagId}`, { color: '#112233' }))
    await until('the last arrives at both', async () =>
      [tags, all].every(({ hooks }) => typesOf(hooks).includes('tag.updated')),
    )
    assert.deepEqual(new Set(typesOf(tags.hooks)), new Set(['message.created', 'tag.updated']))
    await until('all', async () => all.hooks.length >= 4)
    assert.ok(!typesOf(all.hooks).includes('webhook_endpoint.created'), 'its own creation comes before it')
  })

  test('an endpoint receives no events of the other environment', async () => {
    const { test, live } = await api.world()
    const [ofTest, ofLive] = [await hookReceiver(), await hookReceiver()]
    await endpoint(test, ofTest.url)
    await endpoint(live, ofLive.url)
    await settle(test, ofTest)
    await settle(live, ofLive)
    assert.ok(ofTest.hooks.every(({ event }) => event.environment === 'test'))
    assert.ok(ofLive.hooks.every(({ event }) => event.environment === 'live'))
  })

  test('both secrets sign during a rotation; without a grace period, only the new one', async () => {
    const { test } = await api.world()
    const to = await hookReceiver()
    const made = await endpoint(test, to.url)
    const rotate = async (grace: number): Promise<string> =>
      succeeded(await test.post(`/v1/webhook_endpoints/${made.id}/rotate_secret`, { grace_seconds: grace }))
        .secret
    const second = await rotate(3600)
    await settle(test, to)
    const verifies = (secret: string, { body, headers }: Hook) => {
      try {
        new Webhook(secret).verify(body, headers)
        return true
      } catch {
        return false
      }
    }
    const both = to.hooks.at(-1)!
    assert.deepEqual([verifies(made.secret, both), verifies(second, both)], [true, true])
    const third = await rotate(0)
    await settle(test, to)
    const last = to.hooks.at(-1)!
    assert.deepEqual([verifies(second, last), verifies(third, last)], [false, true])
  })

  test('a failed delivery is retried until it succeeds, with one webhook-id, and lists every attempt', async () => {
    const { test } = await api.world()
    const answers = [500, 302, 404]
    const to = await hookReceiver((_, outgoing) => {
      const status = answers.shift() ?? 200
      outgoing.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(`said ${status}`)
    })
    const made = await endpoint(test, to.url)
    await tag(test)
    await until('it failed', async () => (await shown(test, made)).consecutive_failures >= 2)
    const [delivery] = await until('it has succeeded', async () => {
      const found = await deliveriesOf(test, made)
      return found[0]?.status === 'succeeded' && found
    })
    assert.equal(new Set(to.hooks.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.deepEqual(
      delivery!.attempts.map((attempt: Body) => [
        attempt.response_status,
        attempt.response_body,
        attempt.error,
      ]),
      [500, 302, 404, 200].map((status) => [status, `said ${status}`, null]),
    )
    for (const { at, duration_ms } of delivery!.attempts) assert.ok(Date.parse(at) > 0 && duration_ms >= 0)
    assert.equal(delivery!.next_attempt_at, null)
    assert.deepEqual((await test.get(`/v1/webhook_deliveries/${delivery!.id}`)).body, delivery)
    assert.equal((await shown(test, made)).consecutive_failures, 0)
    const timestamps = to.hooks.map(({ headers }) => Number(headers['webhook-timestamp']))
    assert.deepEqual(timestamps, timestamps.toSorted())
  })

  test('410 disables the endpoint at once, with an event; enabling it resets its failures', async () => {
    const { test } = await api.world()
    let gone = true
    const to = await hookReceiver((_, outgoing) => outgoing.writeHead(gone ? 410 : 200).end())
    const made = await endpoint(test, to.url)
    await tag(test)
    const disabled = await until('it is disabled', async () => {
      const found = await shown(test, made)
      return found.status === 'disabled' && found
    })
    assert.equal(disabled.disabled_reason, 'gone')
    const { data } = (await test.get('/v1/events?types=webhook_endpoint.disabled')).body
    assert.deepEqual(
      data.map(({ actor, resource }: Body) => [actor.type, resource.id]),
      [['system', made.id]],
    )
    assert.deepEqual(
      (await deliveriesOf(test, made)).map(({ status }) => status),
      ['failed'],
    )
    gone = false
    succeeded(await pause(test, made, 'enabled'))
    await settle(test, to)
    const enabled = await shown(test, made)
    assert.deepEqual(
      [enabled.status, enabled.disabled_reason, enabled.consecutive_failures],
      ['enabled', null, 0],
    )
  })

  test('`recover` sends the events of a paused endpoint once each, however often it is called', async () => {
    const { test } = await api.world()
    const to = await hookReceiver()
    const made = await endpoint(test, to.url)
    const since = new Date(Date.now() - 60_000).toISOString()
    await settle(test, to)
    succeeded(await pause(test, made, 'paused'))
    const missed: string[] = []
    for (let i = 0; i < 3; i++) missed.push((await tag(test)).id)
    succeeded(await pause(test, made, 'enabled'))
    await settle(test, to)
    assert.ok(
      !to.hooks.some(({ event }) => missed.includes(event.resource.id)),
      'un-pausing sends nothing by itself',
    )
    const counts = await Promise.all([recover(test, made, since), recover(test, made, since)])
    assert.ok(counts.includes(3), String(counts)) // the other one is 0 if the two ran one after the other
    assert.ok(
      counts.every((count) => count === 3 || count === 0),
      String(counts),
    )
    await until('they arrive', async () =>
      missed.every((id) => to.hooks.some(({ event }) => event.resource.id === id)),
    )
    assert.equal(await recover(test, made, since), 0)
    await settle(test, to)
    assert.equal(
      new Set(to.hooks.map(({ headers }) => headers['webhook-id'])).size,
      to.hooks.length,
      'nothing came twice',
    )
  })

  test('a manual retry sends a delivery again, and a test event is sent like others', async () => {
    const { test } = await api.world()
    const to = await hookReceiver()
    const made = await endpoint(test, to.url)
    await tag(test)
    const [delivery] = await until('it is done', async () => {
      const found = await deliveriesOf(test, made, 'status=succeeded')
      return found.length === 1 && found
    })
    assert.equal((await test.post(`/v1/webhook_deliveries/${delivery!.id}/retry`)).status, 202)
    await until('it came again', async () => to.hooks.length === 2)
    assert.equal(to.hooks[0]!.headers['webhook-id'], to.hooks[1]!.headers['webhook-id'])
    const tried = await test.post(`/v1/webhook_endpoints/${made.id}/test`, {
      event_type: 'conversation.resolved',
    })
    assert.equal(tried.status, 202)
    await until('the test came', async () => to.hooks.length === 3)
    assert.equal(to.hooks[2]!.event.type, 'conversation.resolved')
    new Webhook(made.secret).verify(to.hooks[2]!.body, to.hooks[2]!.headers)
    const feed = await test.get('/v1/events?types=conversation.resolved')
    assert.deepEqual(feed.body.data, [], 'it never happened')
  })

  test('a redacted text is no longer sent, and is erased from stored responses', async () => {
    const { test } = await api.world()
    let fails = true
    const to = await hookReceiver(({ body }, outgoing) =>
      outgoing.writeHead(fails ? 500 : 200).end(body.slice(0, 4000)),
    )
    const made = await endpoint(test, to.url, { enabled_events: ['message.created'] })
    const { id } = await conversation(test)
    const message = await say(test, id, 'end_user', { body: 'my secret illness' })
    await until('it was tried', async () => (await deliveriesOf(test, made))[0]?.attempts.length >= 1)
    succeeded(await test.post(`/v1/messages/${message.id}/redact`))
    fails = false
    await until('it succeeds', async () => (await deliveriesOf(test, made, 'status=succeeded')).length === 1)
    assert.doesNotMatch(to.hooks.at(-1)!.body, /illness/)
    assert.doesNotMatch(JSON.stringify(await deliveriesOf(test, made)), /illness/)
  })

  test('a text that is redacted while its delivery waits is not sent', async () => {
    const { test } = await api.world()
    const held: (() => void)[] = []
    let hangs = true
    const to = await hookReceiver((_, outgoing) => {
      const end = () => outgoing.writeHead(200).end()
      if (hangs) held.push(end)
      else end()
    })
    await endpoint(test, to.url, { enabled_events: ['message.created'] })
    const { id } = await conversation(test)
    const messages = []
    for (let i = 0; i < 15; i++) messages.push(await say(test, id, 'end_user', { body: `my illness ${i}` }))
    await until('the first is under way', async () => held.length === 1)
    for (const message of messages) succeeded(await test.post(`/v1/messages/${message.id}/redact`))
    hangs = false
    for (const end of held) end()
    await until('all have arrived', async () => new Set(to.hooks.map(({ event }) => event.id)).size === 15)
    for (const { body } of to.hooks.slice(1)) assert.doesNotMatch(body, /illness/)
  })

  test('a manual retry during an attempt is sent, whatever the result of the attempt', async () => {
    const { test } = await api.world()
    const held: (() => void)[] = []
    const to = await hookReceiver((_, outgoing) => {
      if (to.hooks.length > 1) outgoing.writeHead(200).end()
      else held.push(() => outgoing.writeHead(410).end())
    })
    const made = await endpoint(test, to.url)
    await tag(test)
    await until('it is under way', async () => held.length === 1)
    const [delivery] = await deliveriesOf(test, made)
    assert.equal((await test.post(`/v1/webhook_deliveries/${delivery!.id}/retry`)).status, 202)
    // The request that was answered with 410 went to the former URL.
    succeeded(await test.patch(`/v1/webhook_endpoints/${made.id}`, { url: `${to.url}/new` }))
    held[0]!()
    await until('it is sent again', async () => to.hooks.length === 2)
    const done = await until('it has succeeded', async () => {
      const [found] = await deliveriesOf(test, made, 'status=succeeded')
      return found
    })
    assert.deepEqual(
      done!.attempts.map((attempt: Body) => attempt.response_status),
      [410, 200],
    )
    assert.equal((await shown(test, made)).status, 'enabled')
  })

  test('unreachable receivers are retried; names and addresses that are not allowed receive nothing', async () => {
    const { test } = await api.world()
    const made = await endpoint(test, 'https://127.0.0.1:1/')
    await tag(test)
    await until('two attempts failed', async () => (await deliveriesOf(test, made))[0]?.attempts.length >= 2)
    const [{ attempts, status }] = (await deliveriesOf(test, made)) as [Body]
    assert.equal(status, 'pending')
    assert.deepEqual([attempts[0].response_status, attempts[0].response_body], [null, null])
    assert.match(attempts[0].error, /refused/)
  })

  test('an endpoint that hangs delays no other endpoint of any environment', async () => {
    const [here, elsewhere] = [await api.world(), await api.world()]
    const hung = await hookReceiver(() => undefined)
    const [beside, apart] = [await hookReceiver(), await hookReceiver()]
    for (let i = 0; i < 10; i++) await endpoint(here.test, `${hung.url}/${i}`)
    await endpoint(here.test, beside.url)
    await endpoint(elsewhere.test, apart.url)
    for (let i = 0; i < 40; i++) await tag(here.test)
    await until('it hangs', async () => hung.hooks.length >= 10)
    await settle(here.test, beside)
    await settle(elsewhere.test, apart)
    assert.equal(beside.hooks.length, 41)
    assert.equal(hung.hooks.length, 10, 'one attempt at each')
  })
})
