import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, holdReason, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { rounds } from '@backline/test/thorough.ts'

/*
 * Conversations with random histories on the test clock. After each step their clocks, explanation and alarm events
 * must equal those of `simulate` for the same trace.
 */

const api = service()
const turns = 12
const hour = 3600

const zones = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC']
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const randomSchedule = (random: Random) =>
  random.chance(0.25)
    ? null
    : {
        timezone: random.pick(zones),
        weekly: days
          .filter(() => random.chance(0.8))
          .concat('mon')
          .filter((day, i, all) => all.indexOf(day) === i)
          .flatMap((day) => [
            { day, from: '06:30', to: '12:00' },
            { day, from: '13:15', to: random.pick(['18:00', '24:00', '02:30']) },
          ]),
        holidays: [],
      }

const randomTerms = (random: Random) => ({
  targets: [
    {
      first_response_seconds: random.between(60, 6 * hour),
      next_response_seconds: random.chance(0.9) ? random.between(60, 4 * hour) : null,
      resolution_seconds: random.between(hour, 40 * hour),
    },
  ],
  schedule: randomSchedule(random),
  pauses_on_pending: random.chance(0.5),
  warn_at_percent: random.pick([null, 1, 50, 80, 100]),
})

type Happened = { at: string; type: string; pauses_sla?: boolean }

/** The next step; an action that the conversation rejects changes nothing in either. */
const possible = [
  'operator_reply',
  'end_user_reply',
  'hold',
  'resume',
  'resolve',
  'reopen',
  'note',
  'nothing',
]

async function live(client: Client, id: string, reasons: string[], random: Random): Promise<Happened | null> {
  const type = random.pick(possible)
  if (type === 'nothing') return null
  if (type === 'note') {
    await say(client, id, 'operator', { visibility: 'internal' })
    return null
  }
  if (type === 'operator_reply' || type === 'end_user_reply') {
    const message = await say(client, id, type === 'operator_reply' ? 'operator' : 'end_user')
    return { at: message.created_at, type }
  }
  const pauses = random.chance(0.7)
  const body = type === 'hold' ? { hold_reason_id: reasons[pauses ? 0 : 1] } : undefined
  const answer = await client.post(`/v1/conversations/${id}/${type}`, body)
  if (answer.status === 409) return null
  const at = succeeded(answer).updated_at
  return type === 'hold' ? { at, type, pauses_sla: pauses } : { at, type }
}

const names = ['first_response', 'next_response', 'resolution'] as const

/** Running clocks are read a moment after they are computed. */
function assertSame(actual: Body, expected: Body, context: string): void {
  const still = (sla: Body) =>
    Object.fromEntries(
      names.map((name) => {
        const { elapsed_seconds: _, remaining_seconds: __, spans: ___, ...rest } = sla[name] ?? { none: true }
        return [name, rest]
      }),
    )
  assert.deepEqual(still(actual), still(expected), context)
  for (const name of names) {
    const [one, other] = [actual[name]?.elapsed_seconds ?? 0, expected[name]?.elapsed_seconds ?? 0]
    assert.ok(Math.abs(one - other) <= 1, `${name}: ${one} s and ${other} s. ${context}`)
  }
}

test('each life has the clocks, the explanation and the events that a simulation has', async (t) => {
  const seed = seedOf(t)
  for (const number of cases(rounds(6, 2)))
    await assertLife(new Random(`${seed}/${number}`), `${seed}/${number}`)
})

async function assertLife(random: Random, name: string): Promise<void> {
  const { test: client } = await api.world()
  const terms = randomTerms(random)
  const config = succeeded(await client.post('/v1/sla_configs', { name: 'Random', ...terms }))
  const reasons = [await holdReason(client), await holdReason(client, { pauses_sla: false })]
  await client.post('/v1/test_clock/advance', { seconds: random.between(0, 200 * 24 * hour) })
  const { id, created_at } = await conversation(client)
  const happened: Happened[] = []
  const simulated = async (as_of: string) =>
    succeeded(
      await client.post(`/v1/sla_configs/${config.id}/simulate`, {
        started_at: created_at,
        events: happened.filter(({ at }) => at <= as_of),
        as_of,
      }),
    )
  for (let turn = 0; turn < turns; turn++) {
    await client.post('/v1/test_clock/advance', {
      seconds: random.between(1, random.pick([600, 4 * hour, 20 * hour])),
    })
    const event = await live(client, id, reasons, random)
    if (event) happened.push(event)
    const { now } = succeeded(await client.get('/v1/test_clock'))
    const context = JSON.stringify({ name, created_at, terms, happened, now })
    const expected = await simulated(now)
    assertSame((await shown(client, id)).sla, expected, context)
    const explained = succeeded(await client.get(`/v1/conversations/${id}/sla`))
    assertSame(explained, expected, context)
    for (const name of names) assertAddsUp(explained[name], context)
  }
  const list = succeeded(
    await client.get(
      `/v1/events?limit=100&types=conversation.sla_warning,conversation.sla_breached&resource_id=${id}`,
    ),
  )
  const told = list.data as Body[]
  for (const { created_at: at, data, type } of told) {
    assert.deepEqual(data.object.sla, await simulated(at), `${name}: ${type} at ${at}`)
    const field = type === 'conversation.sla_warning' ? 'warned_at' : 'breached_at'
    const news = names.filter((name) => data.object.sla[name]?.[field] && !data.previous.sla[name]?.[field])
    assert.equal(news.length, 1, `${name}: ${JSON.stringify(data)}`)
    assert.equal(data.object.sla[news[0]!][field], at)
  }
  assert.equal(
    told.length,
    new Set(
      told.map(({ created_at, type, data }) => `${created_at} ${type} ${JSON.stringify(data.previous.sla)}`),
    ).size,
  )
  assert.deepEqual(
    told.length,
    await alarmsOf(happened, simulated, created_at, succeeded(await client.get('/v1/test_clock')).now),
  )
}

/** The number of expected warnings and breaches: of each clock, and of each start of the next response. */
async function alarmsOf(
  happened: Happened[],
  simulated: (at: string) => Promise<Body>,
  created_at: string,
  now: string,
): Promise<number> {
  const seen = new Set<string>()
  for (const at of [
    created_at,
    ...happened.map(({ at }) => new Date(Date.parse(at) - 1).toISOString()),
    ...happened.map(({ at }) => at),
    now,
  ]) {
    const sla = await simulated(at < created_at ? created_at : at)
    for (const name of names) {
      const { warned_at = null, breached_at = null } = sla[name] ?? {}
      if (warned_at !== null && warned_at !== breached_at) seen.add(`${name} warned ${warned_at}`)
      if (breached_at !== null) seen.add(`${name} breached ${breached_at}`)
    }
  }
  return seen.size
}

function assertAddsUp(clock: Body, context: string): void {
  if (!clock) return
  const spans = clock.spans as Body[]
  const counted = spans
    .filter((span) => span.counted)
    .reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0)
  assert.equal(Math.floor(counted / 1000), clock.elapsed_seconds, context)
  for (const [i, span] of spans.slice(1).entries()) assert.equal(span.from, spans[i]!.to, context)
}
