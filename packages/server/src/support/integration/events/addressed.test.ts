import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signedIn } from '@backline/test/console.ts'
import { conversation, operator } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { followEphemeral, type StreamReader } from '@backline/test/streams.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'

const api = service({})

const keyOf = ({ key }: Client, operatorId?: string) => ({
  authorization: `Bearer ${key}`,
  ...(operatorId ? { 'backline-operator': operatorId } : {}),
})

/** A sender of ephemeral events to one operator about one conversation. */
async function sender(options: { scope?: string } = {}) {
  const world = await api.world()
  const { test, environments } = world
  const [ada, grace] = [await operator(test), await operator(test)]
  const { id } = await conversation(test)
  const { services } = api.context(environments.test)
  const send = (data: unknown, key = 'row', streamId = uuidOf('conv', id)!) =>
    services.ephemeral.send({
      tenantId: environments.test.tenantId,
      streamId,
      name: 'example',
      data: JSON.stringify(data),
      to: { viewerId: uuidOf('op', ada)!, scope: options.scope ?? 'conversations:read', key },
    })
  return { ...world, ada, grace, id, send }
}

const all = (reader: StreamReader) => reader.named('example')
const arrives = (reader: StreamReader, count = 1) =>
  until('it arrives', async () => all(reader).length >= count)
/** A conversation that a reader learns of after everything that was sent before. */
async function settled(client: Client, readers: StreamReader[]): Promise<void> {
  const { id } = await conversation(client)
  for (const { messages } of readers)
    await until('what follows arrives', async () => messages.some(({ data }) => data.includes(id)))
}

describe('an ephemeral event to one operator', () => {
  test('reaches the streams that act for that operator, in every process, without an id', async () => {
    const { test, live, ada, grace, send } = await sender()
    const other = await api.another()
    const own = [
      await followEphemeral(api.url, keyOf(test, ada)),
      await followEphemeral(other.url, keyOf(test, ada)),
    ]
    const others = await Promise.all(
      [keyOf(test), keyOf(test, grace), keyOf(live)].flatMap((headers) =>
        [api.url, other.url].map((url) => followEphemeral(url, headers)),
      ),
    )
    send({ secret: 'for Ada alone' })
    for (const reader of own) {
      await arrives(reader)
      assert.deepEqual(all(reader), [{ secret: 'for Ada alone' }])
      assert.equal(reader.messages.find(({ event }) => event === 'example')!.id, undefined)
    }
    await settled(test, others.slice(0, 4))
    for (const reader of others) assert.deepEqual(all(reader), [])
    await other.stop()
  })

  test('reaches the sessions of that operator in the console', async () => {
    const world = await api.world()
    const { test, environments } = world
    const [ada, grace] = [await signedIn(api, world, 'agent'), await signedIn(api, world, 'agent')]
    const [own, others] = await Promise.all(
      [ada, grace].map(({ cookie }) => followEphemeral(api.url, { cookie, 'backline-console': 'test' })),
    )
    api.context(environments.test).services.ephemeral.send({
      tenantId: environments.test.tenantId,
      streamId: environments.test.tenantId,
      name: 'example',
      data: '{}',
      to: { viewerId: uuidOf('op', ada.operatorId)!, scope: 'conversations:read', key: 'row' },
    })
    await arrives(own!)
    await settled(test, [others!])
    assert.deepEqual(all(others!), [])
  })

  test('does not reach streams that may not read it, or that are about another conversation', async () => {
    const { test, ada, id, send, withScopes } = await sender()
    const { id: elsewhere } = await conversation(test)
    const scopes = ['events:read', 'operators:read']
    const [unscoped, scoped] = [
      await withScopes(...scopes),
      await withScopes(...scopes, 'conversations:read'),
    ]
    const own = await followEphemeral(api.url, keyOf(scoped, ada))
    const about = await followEphemeral(api.url, keyOf(scoped, ada), `&conversation_id=${id}`)
    const others = [
      await followEphemeral(api.url, keyOf(unscoped, ada)),
      await followEphemeral(api.url, keyOf(scoped, ada), `&conversation_id=${elsewhere}`),
      await followEphemeral(api.url, keyOf(scoped, ada), `&resource_id=${elsewhere}`),
    ]
    send(1)
    for (const reader of [own, about]) await arrives(reader)
    await settled(test, [others[0]!])
    for (const reader of others) assert.deepEqual(all(reader), [])
  })

  test('in a flood arrives once a second for each key, and the last one always', async () => {
    const { test, ada, send } = await sender()
    const other = await api.another()
    const readers = [
      await followEphemeral(api.url, keyOf(test, ada)),
      await followEphemeral(other.url, keyOf(test, ada)),
    ]
    const beganMs = performance.now()
    for (let i = 1; i <= 1000; i++) for (const key of ['one', 'two']) send({ key, i }, key)
    for (const reader of readers)
      for (const key of ['one', 'two']) {
        const own = () => all(reader).filter((each) => each.key === key)
        await until('the last one arrives', async () => own().at(-1)?.i === 1000)
        const seconds = 1 + Math.floor((performance.now() - beganMs) / 1000)
        assert.ok(own().length >= 2 && own().length <= seconds, `${own().length} in ${seconds} s`)
      }
    await other.stop()
  })
})
