import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moreEvents } from '@backline/test/audit.ts'
import { conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { interceptHomes } from '@backline/test/intercept.ts'
import { until } from '@backline/test/processes.ts'
import { rounds } from '@backline/test/thorough.ts'

// A server without background work and without a log of requests: only requests cause slow queries.
const api = service({ environment: { BACKLINE_REQUEST_LOG_DAYS: '0' } })

/** Holds back every slow query until the gate opens. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = 0
  const end = interceptHomes(api.db, ({ slowRows }) => ({
    slowRows: async (...given) => {
      waiting++
      await promise
      return slowRows(...given) as never
    },
  }))
  return {
    waiting: () => waiting,
    open() {
      end()
      resolve()
    },
  }
}
test('one verification in an environment and two in a process; more are refused soon', async () => {
  const [one, two, three] = [await api.world(), await api.world(), await api.world()]
  const verify = (client: Client) => client.get('/v1/audit_log/verify')
  const held = gate()
  try {
    const first = verify(one.test)
    await until('it runs', () => held.waiting() > 0)
    const refused = await verify(one.test)
    assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable'])
    assert.equal(refused.headers.get('retry-after'), '5')
    assert.deepEqual(refused.body.params, { reason: 'too_many_at_once', retry_after_seconds: 5 })
    const other = verify(two.test)
    await until('the other one runs', () => held.waiting() > 1)
    assert.equal((await verify(three.test)).status, 503)
    held.open()
    assert.equal(succeeded(await first).valid, true)
    assert.equal(succeeded(await other).valid, true)
  } finally {
    held.open()
  }
  assert.equal(succeeded(await verify(one.test)).valid, true)
})

test('one that has to wait for a moment is not refused', async () => {
  const { test: client } = await api.world()
  const answers = await Promise.all([1, 2, 3].map(() => client.get('/v1/audit_log/verify')))
  for (const answer of answers) succeeded(answer)
})

const begin = ({ test: { key } }: World, signal: AbortSignal | null = null) =>
  fetch(`${api.url}/v1/audit_log/export`, { headers: { authorization: `Bearer ${key}` }, signal })

/** Two exports run concurrently in an environment, and a third one is refused. */
async function assertTwoRun(world: World): Promise<void> {
  const held = gate()
  try {
    const begun = [begin(world), begin(world)]
    await until('both run', () => held.waiting() === 2)
    const refused = await begin(world)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
    held.open()
    for (const answer of begun) assert.match(await (await answer).text(), /^\{.*\}\n$/s)
  } finally {
    held.open()
  }
}

test('two exports in an environment and three in a process; more are refused soon', async () => {
  const [one, two, three] = [await api.world(), await api.world(), await api.world()]
  await assertTwoRun(one)
  const held = gate()
  try {
    const begun = [begin(one), begin(one), begin(two)]
    await until('three run', () => held.waiting() === 3)
    assert.equal((await begin(three)).status, 503)
    held.open()
    for (const answer of begun) assert.match(await (await answer).text(), /^\{.*\}\n$/s)
  } finally {
    held.open()
  }
})

test('an export that its reader leaves, before it begins or in the middle, makes room for another', async () => {
  const world = await api.world()
  await conversation(world.test)
  await moreEvents(api, world.environments.test.tenantId, rounds(20_000, 5_000))
  for (let i = 0; i < 3; i++) {
    const leaving = new AbortController()
    const held = gate()
    const early = assert.rejects(begin(world, leaving.signal))
    await until('it runs', () => held.waiting() > 0)
    leaving.abort()
    await early
    held.open()
  }
  for (let i = 0; i < 3; i++) {
    const leaving = new AbortController()
    const { body } = await begin(world, leaving.signal)
    await body!.getReader().read()
    leaving.abort()
  }
  await until('there is room for two', async () => {
    const answers = await Promise.all([begin(world), begin(world)])
    await Promise.all(answers.map((answer) => answer.text()))
    return answers.every(({ status }) => status === 200)
  })
})
