import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import { service } from '../harness.ts'
import { refused, type Sent, send } from './http.ts'

/** More keys than are looked up at once for one address. */
const count = 400

describe('keys that look genuine and that nobody was given', () => {
  const api = service({}) // its rejections affect all clients at this address
  const use = (key: string) => send(api, { method: 'GET', path: '/v1/workspace', key })

  test('are looked up for a while, then refused with 429; known keys are served all the same', async () => {
    const { live } = await api.world()
    assert.equal((await use(live.key)).status, 200)
    for (let answers: Sent[] = []; !answers.some(({ status }) => status === 429); ) {
      answers = await Promise.all(Array.from({ length: count }, () => use(newKeySecret('test'))))
      for (const answer of answers) {
        if (answer.status === 429) assert.match(answer.headers.get('retry-after')!, /^\d+$/)
        refused(answer, answer.status === 429 ? 'rate_limited' : 'api_key_invalid')
      }
      assert.equal((await use(live.key)).status, 200)
    }
  })

  test('are remembered: the same one again is no look-up, and always 401', async () => {
    const key = newKeySecret('live')
    let first = await use(key)
    while (first.status === 429) first = await use(key) // the limit of the previous test may still apply
    const again = await Promise.all(Array.from({ length: count }, () => use(key)))
    for (const answer of [first, ...again]) refused(answer, 'api_key_invalid')
  })
})
