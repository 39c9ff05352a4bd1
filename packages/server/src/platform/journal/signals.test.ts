import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { newUuid } from '../kernel/ids.ts'
import type { Notifications } from '../postgres/notifications.ts'
import { openEphemeral } from './ephemeral.ts'
import { SignalHub, type SignalKind } from './signals.ts'

type State = 'here' | 'busy' | 'gone'
const lastsMs = 8_000
const kind: SignalKind<string, State> = {
  name: 'presence',
  lastsMs,
  end: 'gone',
  present: ({ subject, state, expiresAt }) => ({ subject, state, expires_at: expiresAt }),
  read: ({ subject, state }) => ({ subject: subject as string, state: state as State }),
}

const tenantId = newUuid(0)
const streamId = newUuid(1)

/** Two processes that hear each other's broadcasts: at once, or when `delayed` are called. */
function processes(delayed: (() => void)[] | null = null) {
  const hearers: ((text: string) => void)[] = []
  return [0, 1].map((self) => {
    const notifications = {
      broadcast(text: string) {
        const tell = () => hearers.forEach((hear, i) => void (i !== self && hear(text)))
        if (delayed) delayed.push(tell)
        else tell()
      },
      onBroadcast: (hear: (text: string) => void) => void hearers.push(hear),
    } as Notifications
    const one = new SignalHub(kind, openEphemeral(notifications))
    const heard: { state: State; expiresAt: string }[] = []
    const leave = one.on(tenantId, (signal) => heard.push(signal))
    const report = (state: State, { id = streamId, subject = 'ada', of = tenantId } = {}) =>
      one.report(of, { streamId: id, subject, state })
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

  test('ignores a state that arrives after a newer one', () => {
    const delayed: (() => void)[] = []
    const [one, other] = processes(delayed)
    one!.report('here')
    pass(10)
    other!.report('gone')
    pass(10)
    other!.report('busy', { subject: 'grace' })
    other!.report('here', { subject: 'grace' }) // waits
    for (const arrive of delayed.splice(0)) arrive()
    for (const { current } of [one!, other!]) assert.deepEqual(current(), [['grace', 'busy']])
    pass(1_000)
    for (const arrive of delayed.splice(0)) arrive()
    for (const { current } of [one!, other!]) assert.deepEqual(current(), [['grace', 'here']])
  })

  test('keeps a state that waits when an older one of another process arrives', () => {
    const delayed: (() => void)[] = []
    const [one, other] = processes(delayed)
    one!.report('gone')
    pass(10)
    other!.report('busy')
    other!.report('here')
    for (const arrive of delayed.splice(0)) arrive()
    pass(1_000)
    assert.deepEqual(other!.said(), ['busy', 'gone', 'here'])
    assert.deepEqual(other!.current(), [['ada', 'here']])
  })

  test('takes the state that replaces a known one, from a process whose clock is behind', () => {
    const [one, other] = processes()
    pass(10_000)
    one!.report('here')
    mock.timers.setTime(Date.now() - 5_000)
    other!.report('gone')
    for (const { current } of [one!, other!]) assert.deepEqual(current(), [])
  })

  test('forgets what has expired, whether it was reported here or heard', () => {
    const all = processes()
    const report = (subjects: number) => {
      for (let i = 0; i < subjects; i++) all[0]!.report('here', { id: newUuid(i) })
    }
    report(2_000)
    pass(lastsMs + 1)
    report(1)
    for (const { one } of all) assert.equal(one.size, 1)
    report(1_999)
    for (const { one } of all) assert.equal(one.size, 2_000)
  })

  test('remembers a bounded number of states, and of no environment more than a tenth', () => {
    const all = processes()
    const { heard, report } = all[0]!
    for (let i = 0; i < 2_100; i++) report('here', { id: newUuid(i) })
    assert.equal(heard.length, 2_000)
    for (const { one } of all) assert.equal(one.size, 2_000)
    for (let tenant = 2; tenant <= 11; tenant++) {
      const of = newUuid(tenant)
      for (let i = 0; i < 2_100; i++) report('here', { id: newUuid(i), of })
    }
    for (const { one } of all) assert.equal(one.size, 20_000)
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
