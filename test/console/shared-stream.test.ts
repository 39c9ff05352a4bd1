import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { followTogether, type Source } from '../../packages/console/src/browser/shared-stream.ts'
import type { Page, Timers } from '../../packages/console/src/browser/tabs.ts'

/* Tabs that share a stream, with the locks and channels of Node, a clock of the test, and a scripted stream. */

const checkMs = 5_000
const pauseMs = 2_000
let name: string
let number = 0
let clock: ReturnType<typeof clockOfTest>
const ends: (() => void)[] = []

/** Timers that run when the test says so. Those of Node belong to everything else in the process, too. */
function clockOfTest() {
  type Timer = { run(): void; dueMs: number; everyMs: number | null }
  const waiting = new Set<Timer>()
  let nowMs = 0
  const add = (run: () => void, ms: number, everyMs: number | null) => {
    const timer = { run, dueMs: nowMs + ms, everyMs }
    waiting.add(timer)
    return timer
  }
  const timers = {
    setTimeout: (run: () => void, ms: number) => add(run, ms, null),
    setInterval: (run: () => void, ms: number) => add(run, ms, ms),
    clearInterval: (timer: Timer) => void waiting.delete(timer),
  } as unknown as Timers
  return {
    timers,
    pass(ms: number) {
      const endMs = nowMs + ms
      for (;;) {
        const [next] = [...waiting]
          .filter(({ dueMs }) => dueMs <= endMs)
          .sort((one, other) => one.dueMs - other.dueMs)
        if (!next) break
        nowMs = next.dueMs
        if (next.everyMs === null) waiting.delete(next)
        else next.dueMs += next.everyMs
        next.run()
      }
      nowMs = endMs
    },
  }
}

beforeEach(() => {
  name = `stream ${number++}`
  clock = clockOfTest()
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Lets messages, locks and promises arrive, until the condition is met: they come from outside of the event loop. */
async function until(what: string, isMet: () => boolean): Promise<void> {
  const end = performance.now() + 10_000
  while (!isMet()) {
    if (performance.now() > end) assert.fail(`never: ${what}`)
    await turn()
  }
}

/** A page that is visible or hidden. */
const pageOf = (hidden: boolean): Page => Object.assign(new EventTarget(), { hidden }) as unknown as Page

type Opened = { after: string | null; send(id: string): void; fail(code: string): void; lose(): void }

/** Follows as a tab does. `log` has the items, and what else the tab was told. */
function tabOf({ hidden = false } = {}) {
  const log: string[] = []
  const opened: Opened[] = []
  const source: Source<string> = {
    open(after, signal) {
      let queue: (string | Error)[] = []
      let wake: () => void = () => undefined
      const add = (next: string | Error) => {
        queue.push(next)
        wake()
      }
      signal.addEventListener('abort', () => add(new Error('aborted')))
      const stream = {
        cursor: after,
        onConnectionChange: undefined as ((isConnected: boolean) => void) | undefined,
        async *[Symbol.asyncIterator]() {
          stream.onConnectionChange?.(true)
          stream.cursor ??= 'start'
          try {
            for (;;) {
              while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve))
              const [next, ...rest] = queue
              queue = rest
              if (next instanceof Error) throw next
              stream.cursor = `after ${next}`
              yield next!
            }
          } finally {
            stream.onConnectionChange?.(false)
          }
        },
      }
      opened.push({
        after,
        send: add,
        fail: (code) => add(new Error(code)),
        lose: () => stream.onConnectionChange?.(false),
      })
      return stream
    },
    idOf: (item) => (item.startsWith('typing') ? null : item),
    isCursorInvalid: (error) => (error as Error).message === 'cursor_invalid',
    isSignedOut: (error) => (error as Error).message === 'signed_out',
  }
  const follower = {
    onItem: (item: string) => void log.push(item),
    onConnectionChange: (isConnected: boolean) => void log.push(isConnected ? 'connected' : 'lost'),
    onGap: () => void log.push('gap'),
    onSignedOut: () => void log.push('signed out'),
    onLeadChange: (isLeading: boolean) => void log.push(isLeading ? 'leads' : 'follows'),
  }
  ends.push(followTogether(name, pageOf(hidden), source, follower, clock.timers))
  return { log, opened, follower: ends.at(-1)! }
}

/** The place of another tab on the channel: leads without a stream, by messages of the test. */
function otherLeader() {
  const channel = new BroadcastChannel(name)
  ends.push(() => channel.close())
  return (message: object) => channel.postMessage({ kind: 'told', message })
}

const stored = (id: string, after: string | null) =>
  ({ kind: 'stored', item: id, id, after, cursor: `after ${id}` }) as const

test('one of two tabs reads, both handle each item once, and the second resumes where the first has ended', async () => {
  const first = tabOf()
  await until('the first reads', () => first.log.includes('connected'))
  const second = tabOf()
  await until('the second is told', () => second.log.includes('connected'))
  first.opened[0]!.send('a')
  first.opened[0]!.send('typing')
  first.opened[0]!.send('b')
  await until('both have the items', () => second.log.includes('b'))
  assert.deepEqual(first.log, ['leads', 'gap', 'connected', 'a', 'typing', 'b'])
  assert.deepEqual(second.log, ['connected', 'a', 'typing', 'b'])
  first.follower()
  await until('the second reads', () => second.opened.length === 1)
  second.opened[0]!.send('c')
  await until('it has the item', () => second.log.includes('c'))
  assert.equal(second.opened[0]!.after, 'after b')
  assert.deepEqual(second.log.slice(4), ['lost', 'leads', 'connected', 'c'])
})

test('a successor that is behind repeats items, which a tab that has them does not handle again', async () => {
  const tell = otherLeader()
  void navigator.locks.request(name, () => new Promise<void>((resolve) => ends.push(resolve)))
  const tab = tabOf()
  tell({ kind: 'state', isConnected: true, last: null, cursor: 'start' })
  tell(stored('a', null))
  tell(stored('b', 'a'))
  tell({ kind: 'state', isConnected: true, last: 'a', cursor: 'after a' })
  tell(stored('b', 'a'))
  tell(stored('c', 'b'))
  await until('the last one is there', () => tab.log.includes('c'))
  assert.deepEqual(tab.log, ['connected', 'a', 'b', 'c'])
})

test('a tab that has missed an item reads again what it shows, as soon as a message tells so', async () => {
  const tell = otherLeader()
  void navigator.locks.request(name, () => new Promise<void>((resolve) => ends.push(resolve)))
  const tab = tabOf()
  tell({ kind: 'state', isConnected: true, last: null, cursor: 'start' })
  tell(stored('a', null))
  tell(stored('c', 'b'))
  tell(stored('d', 'c'))
  tell({ kind: 'state', isConnected: true, last: 'e', cursor: 'after e' })
  await until('both gaps are noticed', () => tab.log.filter((each) => each === 'gap').length === 2)
  assert.deepEqual(tab.log, ['connected', 'a', 'c', 'gap', 'd', 'gap'])
})

test('a visible tab takes over from one that does not answer; a hidden one leaves it alone', async () => {
  let isStolen = false
  navigator.locks
    .request(name, () => new Promise(() => undefined))
    .catch(() => {
      isStolen = true
    })
  const hidden = tabOf({ hidden: true })
  clock.pass(10 * checkMs)
  await turn()
  assert.equal(isStolen, false)
  const visible = tabOf()
  clock.pass(4 * checkMs)
  await turn()
  assert.equal(isStolen, false)
  clock.pass(checkMs)
  await until('it has taken over', () => visible.opened.length === 1)
  await until('the other one follows', () => hidden.log.includes('connected'))
  assert.equal(isStolen, true)
  assert.equal(hidden.opened.length, 0)
})

test('a hidden tab that has lost the connection hands the stream over', async () => {
  const hidden = tabOf({ hidden: true })
  await until('the hidden one reads', () => hidden.log.includes('connected'))
  const visible = tabOf()
  await until('the visible one is told', () => visible.log.includes('connected'))
  hidden.opened[0]!.send('a')
  await until('both have the item', () => visible.log.includes('a'))
  hidden.opened[0]!.lose()
  await until('both know', () => visible.log.includes('lost'))
  clock.pass(2 * checkMs)
  await until('the visible one reads', () => visible.opened.length === 1)
  await until('the hidden one follows', () => hidden.log.at(-1) === 'connected')
  assert.equal(visible.opened[0]!.after, 'after a')
})

test('a tab that was replaced while it was suspended follows', async () => {
  const first = tabOf()
  await until('the first reads', () => first.log.includes('connected'))
  const second = tabOf()
  await until('the second is told', () => second.log.includes('connected'))
  await navigator.locks.request(name, { steal: true }, () => undefined)
  await until('the second reads', () => second.log.includes('leads'))
  await until('the first follows', () => first.log.at(-1) === 'connected')
  second.opened[0]!.send('a')
  await until('both have the item', () => first.log.includes('a'))
  assert.deepEqual(first.log, ['leads', 'gap', 'connected', 'lost', 'follows', 'connected', 'a'])
})

test('a position that the server no longer has is given up, and all tabs read again what they show', async () => {
  const first = tabOf()
  await until('the first reads', () => first.log.includes('connected'))
  const second = tabOf()
  first.opened[0]!.send('a')
  await until('both have the item', () => second.log.includes('a'))
  first.opened[0]!.fail('cursor_invalid')
  await until('the connection is lost', () => second.log.includes('lost'))
  clock.pass(pauseMs)
  await until('both know', () => second.log.includes('gap') && first.log.lastIndexOf('gap') > 1)
  assert.equal(first.opened[1]!.after, null)
  first.opened[1]!.send('b')
  await until('both go on', () => second.log.includes('b'))
  const itemsOf = ({ log }: { log: string[] }) => log.filter((each) => ['a', 'b', 'gap'].includes(each))
  assert.deepEqual(itemsOf(first), ['gap', 'a', 'gap', 'b'])
  assert.deepEqual(itemsOf(second), ['a', 'gap', 'b'])
})

test('all tabs are told that the session has ended', async () => {
  const first = tabOf()
  await until('the first reads', () => first.log.includes('connected'))
  const second = tabOf()
  await until('the second is told', () => second.log.includes('connected'))
  first.opened[0]!.fail('signed_out')
  await until('both know', () => second.log.includes('signed out'))
  assert.ok(first.log.includes('signed out'))
})
