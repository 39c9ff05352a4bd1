import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunning } from '@backline/embedded-postgres'
import { sealed } from '../audit.ts'
import { clientOf } from '../harness.ts'
import { localNetworks } from '../hooks.ts'
import { type Load, startLoad } from '../load.ts'
import {
  cleanUp,
  killEverything,
  postmasterPid,
  startServer,
  temporaryDirectory,
  until,
} from '../processes.ts'
import { assertLinear, learnFrom, newKnowledge, startReader } from './history.ts'
import { isFull } from './lengths.ts'
import { assertDelivered, assertFollowed, assertOrdered, followFeed, receiveCreated } from './readings.ts'
import {
  assertRefusals,
  assertWritten,
  isAcknowledged,
  retryAll,
  sharedConversations,
  writesAreDone,
} from './written.ts'

/*
 * A write that was acknowledged exists exactly once, whatever process is killed at whatever time: the promise of
 * idempotency keys. The times of kills are random; the marks of writes name their round.
 */

const clients = isFull ? 32 : 16
const readers = 3
const rounds = Number(process.env.BACKLINE_FAULT_ROUNDS ?? (isFull ? 30 : 4))
/** The number of rounds between comparisons of all writes; another one follows at the end. */
const roundsBetweenComparisons = isFull ? 6 : 2
const victims = ['everything', 'the server alone', 'PostgreSQL alone', 'everything'] as const

after(cleanUp)

test('nothing acknowledged is lost and nothing done twice when everything is killed under load', async (t) => {
  const dataDir = temporaryDirectory()
  const settings = { ...localNetworks, BACKLINE_WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1,1,1' }
  let server = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir, ...settings } })
  const apiKey = (await server.firstKeys()).test
  const { environment } = server
  const received = await receiveCreated(server.url, apiKey)
  const follower = followFeed(server.url, apiKey)
  t.after(() => follower.stop().catch(() => undefined))
  const shared = await sharedConversations(server, apiKey)
  const history = [...shared.writes]
  const knowledge = newKnowledge()

  for (let number = 1; number <= rounds; number++) {
    const victim = victims[(number - 1) % victims.length]!
    let isOver = false
    await t.test(`round ${number}: ${victim} is killed`, async (t) => {
      const load = startLoad({
        url: server.url,
        apiKey,
        name: `round ${number}`,
        clients,
        shared: shared.ids,
        onSilence: victim === 'PostgreSQL alone' ? 'fail' : 'end',
        onAcknowledged: learnFrom(knowledge),
      })
      const reading = Array.from({ length: readers }, (_, i) =>
        startReader(server.url, apiKey, `round ${number} reader ${i}`, shared.ids, knowledge),
      )
      t.after(() => Promise.allSettled([load.stop(), ...reading.map((reader) => reader.stop())]))
      await writesAreDone(load)
      const delayMs = Math.floor(Math.random() * 1000)
      await sleep(delayMs)
      const done = load.writes.filter(isAcknowledged).length
      if (victim === 'PostgreSQL alone') {
        await killPostgresUnder(load, dataDir)
      } else {
        if (victim === 'everything') await killEverything(server, dataDir)
        else await server.stop('SIGKILL') // its PostgreSQL continues as an orphan
        await load.stop()
        server = await startServer({ environment })
      }
      await Promise.all(reading.map((reader) => reader.stop()))
      history.push(...load.writes)
      const reads = reading.reduce((sum, reader) => sum + reader.reads, 0)
      t.diagnostic(`after ${delayMs} ms: ${done} done, ${load.writes.length} tried, ${reads} reads`)
      await retryAll(server, apiKey, load.writes)
      assert.deepEqual(knowledge.contradictions, [])
      if (number % roundsBetweenComparisons === 0 || number === rounds)
        await assertWritten(server, apiKey, (await findRunning(dataDir))!, history)
      assert.equal(server.keys?.test, apiKey) // no start has created others
      isOver = true
    })
    if (!isOver) return // the rounds after a failed one would show nothing
  }

  await t.test('every conversation has one history, which agrees with real time', () =>
    assertLinear(server.url, apiKey, shared.ids, history, knowledge),
  )
  await t.test('the feed, the webhooks and the audit log have every event', async (t) => {
    const events = await assertFollowed(follower, apiKey)
    assertOrdered(events)
    const startedAt = performance.now()
    await assertDelivered(events, received)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    t.diagnostic(`${events.length} events; the last webhook came ${seconds} s after the last round`)
    const { valid, first_fault, unsealed, entries_checked } = await sealed(clientOf(server.url, apiKey))
    assert.deepEqual(
      { valid, first_fault, unsealed, entries_checked },
      { valid: true, first_fault: null, unsealed: 0, entries_checked: events.length },
    )
  })
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})

/** Kills only the postmaster: requests fail meanwhile, and the server restarts it. */
async function killPostgresUnder(load: Load, dataDir: string): Promise<void> {
  const killed = await postmasterPid(dataDir)
  process.kill(killed!, 'SIGKILL')
  await until('some requests are refused', () => load.refusals.length > 0)
  await until('another PostgreSQL runs', async () => {
    const pid = await postmasterPid(dataDir)
    return pid !== null && pid !== killed
  })
  await writesAreDone(load)
  await load.stop()
  assertRefusals(load)
}
