import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { openEphemeral } from '../../../platform/journal/ephemeral.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import { type Typing, TypingHub } from './hub.ts'

const tenantId = newUuid(0)
const conversationId = newUuid(1)

describe('the hub of typing', () => {
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

  function hub() {
    const one = new TypingHub(openEphemeral())
    const heard: Typing[] = []
    const leave = one.on(tenantId, (typing) => heard.push(typing))
    const report = (typing: boolean, id = conversationId) =>
      one.report(tenantId, { conversationId: id, side: 'operator', typing })
    return { one, heard, leave, report, said: () => heard.map(({ typing }) => typing) }
  }

  test('passes on renewals once a second, with a later end', () => {
    const { heard, report } = hub()
    for (let i = 0; i < 25; i++) {
      report(true)
      pass(100)
    }
    assert.equal(heard.length, 3)
    assert.equal(heard[2]!.expiresAtMs - heard[0]!.expiresAtMs, 2_000)
  })

  test('passes on an end at once, and only once', () => {
    const { report, said } = hub()
    report(true)
    pass(10)
    for (let i = 0; i < 5; i++) report(false)
    assert.deepEqual(said(), [true, false])
  })

  test('keeps a new start within the second until it is over, unless it ends before', () => {
    const { report, said } = hub()
    report(true)
    report(false)
    report(true)
    report(true)
    assert.deepEqual(said(), [true, false])
    pass(1_000)
    assert.deepEqual(said(), [true, false, true])
    report(false)
    report(true)
    report(false)
    pass(5_000)
    assert.deepEqual(said(), [true, false, true, false])
  })

  test('forgets what has expired, and remembers a bounded number', () => {
    const { one, heard, report } = hub()
    for (let i = 0; i < 20_100; i++) report(true, newUuid(i))
    assert.equal(one.size, 20_000)
    assert.equal(heard.length, 20_000)
    pass(8_001)
    report(true)
    assert.equal(one.size, 1)
  })

  test('tells only those who listen to the environment', () => {
    const { one, heard, leave, report } = hub()
    one.report(newUuid(7), { conversationId, side: 'end_user', typing: true })
    assert.deepEqual(heard, [])
    leave()
    report(true)
    assert.deepEqual(heard, [])
  })
})
