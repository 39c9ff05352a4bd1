import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { newUuid } from '../kernel/ids.ts'
import type { Notifications } from '../postgres/notifications.ts'
import { openEphemeral } from './ephemeral.ts'
import { hubsOf } from './signals.ts'

type State = 'here' | 'busy' | 'gone'
const lastsMs = 8_000
const hubOf = hubsOf<string, State>({
  name: 'presence',
  lastsMs,
  end: 'gone',
  present: ({ subject, state, expiresAt }) => ({ subject, state, expires_at: expiresAt }),
  read: ({ subject, state }) => ({ subject: subject as string, state: state as State }),
})

const tenantId = newUuid(0)
const streamId = newUuid(1)

/** Two processes that hear each other's broadcasts. */
function processes() {
  const hearers: ((text: string) => void)[] = []
  return [0, 1].map((self) => {
    const notifications = {
      broadcast: (text: string) => hearers.forEach((hear, i) => void (i !== self && hear(text))),
      onBroadcast: (hear: (text: string) => void) => void hearers.push(hear),
    } as Notifications
    const one = hubOf({ ephemeral: openEphemeral(notifications) })
    const heard: { state: State; expiresAt: string }[] = []
    const leave = one.on(tenantId, (signal) => heard.push(signal))
    const report = (state: State, { id = streamId, subject = 'ada' } = {}) =>
      one.report(tenantId, { streamId: id, subject, state })
    const said = () => heard.map(({ state }) => state)
    const current = () =>
      one.current(tenantId, streamId).map(({ subject, state }): [string, State] => [subject, state])
    return { one, heard, leave, report, said, current }
  })
}

describe('a hub of signals', () => {
  let nowMs = 0
  const pass = (ms: number) => {
    nowMs += ms
    mock.timers.tick(ms)
  }
  beforeEach(() => {
    nowMs = 100_000
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    mock.method(performance, 'now', () => nowMs)
  })
  afterEach(() => {
    mock.timers.reset()
    mock.restoreAll()
  })
  const hub = () => processes()[0]!

  test('passes on repetitions once a second, with a later end', () => {
    const { heard, report } = hub()
    for (let i = 0; i < 25; i++) {
      report('here')
      pass(100)
    }
    assert.equal(heard.length, 3)
    assert.equal(Date.parse(heard[2]!.expiresAt) - Date.parse(heard[0]!.expiresAt), 2_000)
  })

  test('passes on the end at once, and only once', () => {
    const { report, said } = hub()
    report('here')
    pass(10)
    for (let i = 0; i < 5; i++) report('gone')
    assert.deepEqual(said(), ['here', 'gone'])
  })

  test('keeps a new start within the second until it is over, unless it ends before', () => {
    const { report, said } = hub()
    for (const state of ['here', 'gone', 'here', 'here'] as const) report(state)
    assert.deepEqual(said(), ['here', 'gone'])
    pass(1_000)
    assert.deepEqual(said(), ['here', 'gone', 'here'])
    for (const state of ['gone', 'here', 'gone'] as const) report(state)
    pass(5_000)
    assert.deepEqual(said(), ['here', 'gone', 'here', 'gone'])
  })

  test('passes on a change at once, and the last of many when the second is over', () => {
    const { report, said } = hub()
    report('here')
    pass(1_000)
    for (const state of ['busy', 'here', 'busy', 'here'] as const) report(state)
    assert.deepEqual(said(), ['here', 'busy'])
    pass(1_000)
    assert.deepEqual(said(), ['here', 'busy', 'here'])
    for (const state of ['busy', 'here'] as const) report(state)
    pass(5_000)
    assert.deepEqual(said(), ['here', 'busy', 'here'])
  })

  test('knows the states that hold, also those that another process has passed on', () => {
    const [one, other] = processes()
    one!.report('here')
    other!.report('busy', { subject: 'grace' })
    one!.report('busy', { id: newUuid(2) })
    for (const { current } of [one!, other!])
      assert.deepEqual(current().toSorted(), [
        ['ada', 'here'],
        ['grace', 'busy'],
      ])
    pass(1_000)
    other!.report('gone')
    for (const { current } of [one!, other!]) assert.deepEqual(current(), [['grace', 'busy']])
    pass(lastsMs - 1_001)
    assert.equal(one!.current().length, 1)
    pass(1)
    for (const { current } of [one!, other!]) assert.deepEqual(current(), [])
  })

  test('passes on who comes back by another process than that of the end', () => {
    const [one, other] = processes()
    one!.report('here')
    other!.report('gone')
    one!.report('here')
    pass(1_000)
    assert.deepEqual(other!.said(), ['here', 'gone', 'here'])
  })

  test('forgets what has expired, and remembers a bounded number', () => {
    const { one, heard, report, current } = hub()
    for (let i = 0; i < 20_100; i++) report('here', { id: newUuid(i) })
    assert.equal(one.size, 20_000)
    assert.equal(heard.length, 20_000)
    pass(lastsMs + 1)
    report('here')
    assert.equal(one.size, 1)
    assert.equal(current().length, 1)
  })

  test('tells only those who listen to the environment', () => {
    const { one, heard, leave, report } = hub()
    one.report(newUuid(7), { streamId, subject: 'ada', state: 'here' })
    assert.deepEqual(heard, [])
    leave()
    report('here')
    assert.deepEqual(heard, [])
  })
})
