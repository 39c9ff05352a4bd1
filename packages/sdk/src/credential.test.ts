import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Backline, type BacklineOptions } from './index.ts'

/** A client of a server that takes the tokens in `valid`, the tokens that arrived, and the number of calls for one. */
function clientOf(issue: (call: number) => string | Promise<string>, valid: string[]) {
  const seen: string[] = []
  const calls = { count: 0 }
  const fetching: BacklineOptions['fetch'] = async (_, { headers }) => {
    const token = new Headers(headers).get('authorization')!.replace('Bearer ', '')
    seen.push(token)
    return valid.includes(token) ? Response.json({ id: 'eu_1' }) : refused('api_key_expired')
  }
  const backline = new Backline({ apiKey: () => issue(++calls.count), fetch: fetching, maxRetries: 0 })
  return { backline, seen, calls, valid }
}

const refused = (code: string, status = 401) =>
  new Response(JSON.stringify({ status, code, detail: 'No.', request_id: 'req_1', params: {}, errors: [] }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })

const numbered = (call: number) => `token_${call}`

describe('a function as apiKey', () => {
  test('is called once for all requests, also for those that wait for its first result', async () => {
    const { backline, seen, calls } = clientOf(async (call) => numbered(call), ['token_1'])
    await Promise.all([backline.me.retrieve(), backline.me.retrieve()])
    await backline.me.retrieve()
    assert.deepEqual(seen, ['token_1', 'token_1', 'token_1'])
    assert.equal(calls.count, 1)
  })

  test('is called once more when the token is refused, for all requests that it is refused to', async () => {
    const { backline, seen, calls, valid } = clientOf(async (call) => numbered(call), ['token_1'])
    await backline.me.retrieve()
    valid[0] = 'token_2'
    await Promise.all([backline.me.retrieve(), backline.me.retrieve(), backline.me.retrieve()])
    assert.deepEqual(seen.toSorted(), [...Array(4).fill('token_1'), ...Array(3).fill('token_2')])
    assert.equal(calls.count, 2)
  })

  test('a request that is refused late uses the token that others have already', async () => {
    const late = Promise.withResolvers<Response>()
    let count = 0
    const tokens: string[] = []
    const backline = new Backline({
      apiKey: () => numbered(++count),
      fetch: async (url, { headers }) => {
        tokens.push(new Headers(headers).get('authorization')!)
        if (tokens.length === 1) return late.promise
        return tokens.at(-1) === 'Bearer token_1' ? refused('api_key_invalid') : Response.json({ url })
      },
    })
    const first = backline.me.retrieve()
    await backline.me.retrieve()
    late.resolve(refused('api_key_invalid'))
    await first
    assert.equal(tokens.at(-1), 'Bearer token_2')
    assert.equal(count, 2)
  })

  test('a write is repeated with its idempotency key', async () => {
    const keys: (string | null)[] = []
    let count = 0
    const backline = new Backline({
      apiKey: () => numbered(++count),
      fetch: async (_, { headers }) => {
        const key = keys.push(new Headers(headers).get('idempotency-key'))
        return key === 1 ? refused('api_key_expired') : Response.json({ id: 'conv_1' })
      },
    })
    await backline.me.conversations.create({ message: { body: 'Hello' } })
    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
  })

  test('a request ends with 401 if the next token is refused, too', async () => {
    const { backline, seen } = clientOf(numbered, [])
    await assert.rejects(async () => backline.me.retrieve(), { code: 'api_key_expired' })
    assert.deepEqual(seen, ['token_1', 'token_2'])
  })

  test('the same token again is not sent again', async () => {
    const { backline, seen, calls } = clientOf(() => 'token', [])
    await assert.rejects(async () => backline.me.retrieve(), { code: 'api_key_expired' })
    assert.deepEqual(seen, ['token'])
    assert.equal(calls.count, 2)
  })

  test('a request ends with the error of the function, and the next one calls it again', async () => {
    const signedOut = new Error('Signed out')
    const issue = (call: number) => (call < 3 ? Promise.reject(signedOut) : numbered(call))
    const { backline, seen } = clientOf(issue, ['token_3'])
    await assert.rejects(async () => backline.me.retrieve(), signedOut)
    await assert.rejects(async () => backline.me.retrieve(), signedOut)
    await backline.me.retrieve()
    assert.deepEqual(seen, ['token_3'])
  })

  test('a request with a signal does not wait for it longer than the signal says', async () => {
    const { backline, seen } = clientOf(() => new Promise(() => undefined), [])
    const controller = new AbortController()
    const reading = backline.me.retrieve({ signal: controller.signal })
    controller.abort(new Error('Enough'))
    await assert.rejects(async () => reading, /Enough/)
    assert.deepEqual(seen, [])
  })

  test('a result that is no key is named', async () => {
    const { backline } = clientOf(() => undefined as unknown as string, [])
    await assert.rejects(async () => backline.me.retrieve(), /apiKey is missing/)
  })

  test('a stream continues after its last event with the next token', async () => {
    const event = (id: string) => `id: ${id}\nevent: message.created\ndata: {"id":"msg_${id}"}\n\n`
    const opened: (string | null)[][] = []
    let count = 0
    const backline = new Backline({
      apiKey: () => numbered(++count),
      fetch: async (_, init) => {
        const headers = new Headers(init.headers)
        const connection = opened.push([headers.get('authorization'), headers.get('last-event-id')])
        if (connection === 2) return refused('api_key_expired')
        const pieces = connection === 1 ? `retry: 1\n${event('a')}` : event('b')
        return new Response(pieces, { headers: { 'content-type': 'text/event-stream' } })
      },
    })
    const seen: unknown[] = []
    for await (const { data } of backline.me.stream()) {
      seen.push(data)
      if (seen.length === 2) break
    }
    assert.deepEqual(seen, [{ id: 'msg_a' }, { id: 'msg_b' }])
    assert.deepEqual(opened, [
      ['Bearer token_1', null],
      ['Bearer token_1', 'a'],
      ['Bearer token_2', 'a'],
    ])
  })
})

test('a refused key that is a text is not sent again', async () => {
  let count = 0
  const fetching = async () => {
    count++
    return refused('api_key_invalid')
  }
  const backline = new Backline({ apiKey: 'bkl_test_1', fetch: fetching })
  await assert.rejects(async () => backline.me.retrieve(), { code: 'api_key_invalid' })
  assert.equal(count, 1)
})
