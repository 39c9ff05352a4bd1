import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Backline, ConnectionError } from './index.ts'

/*
 * Tests that replace timers, `fetch` or `document` of the whole process. In `npm test`, a process has a server as well.
 */

const unavailable = {
  status: 503,
  code: 'unavailable',
  detail: 'Not now.',
  request_id: 'req_1',
  params: {},
  errors: [],
}

/** Resolves when promises that wait for no timer have settled. */
async function immediately(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('the pause before a retry', () => {
  const startMs = Date.parse('2026-11-20T09:30:00Z')
  for (const [retryAfter, shortestMs, longestMs] of [
    ['2', 2_000, 2_000],
    ['1.5', 1_500, 1_500],
    ['Fri, 20 Nov 2026 09:30:07 GMT', 7_000, 7_000],
    ['3600', 60_000, 60_000],
    ['Sat, 21 Nov 2026 09:30:00 GMT', 60_000, 60_000],
    ['Fri, 20 Nov 2026 09:29:00 GMT', 100, 200], // a date in the past
    ['soon', 100, 200],
  ] as const) {
    test(`is ${longestMs} ms after Retry-After: ${retryAfter}`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: startMs })
      const headers = { 'content-type': 'application/problem+json', 'retry-after': retryAfter }
      let count = 0
      const respond = async () =>
        ++count === 1
          ? new Response(JSON.stringify(unavailable), { status: 503, headers })
          : Response.json({ name: 'Acme' })
      const retrieving = new Backline({ apiKey: 'k', fetch: respond }).workspace.retrieve()
      await immediately()
      t.mock.timers.tick(shortestMs - 1)
      await immediately()
      assert.equal(count, 1)
      t.mock.timers.tick(longestMs - shortestMs + 1)
      assert.equal((await retrieving).name, 'Acme')
      assert.equal(count, 2)
    })
  }

  test('grows to ten seconds without Retry-After', async (t) => {
    const pauses = withoutPauses(t)
    const fetch = () => Promise.reject(new TypeError('fetch failed'))
    const backline = new Backline({ apiKey: 'k', maxRetries: 9, timeoutMs, fetch })
    await assert.rejects(async () => backline.workspace.retrieve(), ConnectionError)
    assert.equal(pauses.length, 9)
    for (const [i, ms] of pauses.entries()) {
      const longest = Math.min(200 * 2 ** i, 10_000)
      assert.ok(ms <= longest && ms >= longest / 2, `pause ${i} is ${ms} ms`)
    }
  })

  test('ends with the signal', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const controller = new AbortController()
    const fetch = () => Promise.reject(new TypeError('fetch failed'))
    const { signal } = controller
    const retrieving = new Backline({ apiKey: 'k', fetch }).workspace.retrieve({ signal })
    await immediately()
    controller.abort(new Error('Enough'))
    await assert.rejects(async () => retrieving, /Enough/)
  })
})

const timeoutMs = 60_000

/** Ends all pauses at once and returns their lengths. Timeouts of requests never come. */
function withoutPauses(t: TestContext): number[] {
  const pauses: number[] = []
  t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
    if (ms === timeoutMs) return 0
    pauses.push(ms)
    queueMicrotask(run)
    return 0
  })
  return pauses
}

describe('a stream that was connected', () => {
  const headers = { 'content-type': 'text/event-stream' }
  const first = 'retry: 500\nid: c0\n\n'
  const event = 'id: c1\ndata: {"id":"evt_1"}\n\n'

  /** The next event of a stream whose connections send these texts, or fail. */
  async function nextEvent(connections: (string | null)[]) {
    const fetch = async () => {
      const text = connections.shift() ?? null
      if (text === null) throw new TypeError('fetch failed')
      return new Response(text, { headers })
    }
    const stream = new Backline({ apiKey: 'k', timeoutMs, fetch }).events.stream()
    const { value } = await stream[Symbol.asyncIterator]().next()
    return value?.id
  }

  test('connects again as often as it takes', async (t) => {
    withoutPauses(t)
    assert.equal(await nextEvent([first, ...Array(20).fill(null), event]), 'evt_1')
  })

  test('waits as long as the server asks, and longer after connections without a message', async (t) => {
    const pauses = withoutPauses(t)
    assert.equal(await nextEvent([first, first, '', '', first, event]), 'evt_1')
    assert.deepEqual(pauses, [500, 500, 1_000, 2_000, 500])
  })
})

test('fetch gets no this, which browsers reject', async (t) => {
  function picky(this: unknown) {
    if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation')
    return Promise.resolve(Response.json({ name: 'Acme' }))
  }
  const given = new Backline({ apiKey: 'k', fetch: picky })
  assert.equal((await given.workspace.retrieve()).name, 'Acme')
  t.mock.method(globalThis, 'fetch', picky)
  assert.equal((await new Backline({ apiKey: 'k' }).workspace.retrieve()).name, 'Acme')
})

test('a page takes the tokens of end users and publishable keys, and refuses secret keys', async (t) => {
  Object.assign(globalThis, { window: {}, document: {} })
  t.after(() => {
    Reflect.deleteProperty(globalThis, 'window')
    Reflect.deleteProperty(globalThis, 'document')
  })
  const fetching = async () => Response.json({ id: 'eu_1' })
  for (const mode of ['live', 'test']) {
    for (const apiKey of [`bkl_eut_${mode}_1`, `bkl_pub_${mode}_1`]) {
      assert.ok(new Backline({ apiKey }))
      assert.ok(await new Backline({ apiKey: () => apiKey, fetch: fetching }).me.retrieve())
    }
    const apiKey = `bkl_${mode}_1`
    assert.throws(() => new Backline({ apiKey }), /A browser must not have a secret key/)
    const asking = new Backline({ apiKey: () => apiKey, fetch: () => assert.fail('A request was sent') })
    await assert.rejects(async () => asking.me.retrieve(), /A browser must not have a secret key/)
    assert.ok(new Backline({ apiKey, dangerouslyAllowBrowser: true }))
  }
})
