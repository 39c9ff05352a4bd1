import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { service } from '../harness.ts'
import { part } from '../thorough.ts'
import { eventless, titleOf, writeRoutes } from './fixtures.ts'
import { send, describe as show } from './http.ts'
import { environment, nameOf } from './journal.ts'
import { idOfKey } from './keys.ts'

type Entry = {
  action: string
  actor: object
  target: { type: string; id: string }
  changes: Record<string, { from: unknown; to: unknown }>
  request_id: string
  ip: string
  user_agent: string | null
}

const everyResource = ['id', 'object', 'created_at', 'updated_at', 'version']
/** The fields with texts of people outside, which the values of such resources leave out. */
const texts: Record<string, string[]> = {
  conversation: ['subject', 'external_user_id', 'custom_fields', 'metadata'],
  message: ['body', 'body_html', 'metadata', 'attachments'],
  end_user: ['external_id', 'name', 'emails', 'phones', 'avatar_url', 'custom_fields', 'metadata'],
  email_suppression: ['address'],
  file: ['filename'],
  inbound_email: ['from', 'to', 'cc', 'reply_to', 'subject', 'mail_from'],
  job: ['params', 'progress', 'result', 'error'],
}

/** The entry of something that was created or removed has its values, and no texts of people. */
function showsValues(
  type: string,
  changes: Entry['changes'],
  former?: object | null,
  latter?: object | null,
): void {
  const without = texts[type]
  for (const [field, value] of Object.entries((former ?? latter)!)) {
    if (without?.includes(field)) assert.ok(!(field in changes), `${type}: ${field}`)
    const isShown = !without && value !== null && !everyResource.includes(field)
    if (isShown) assert.ok(field in changes, `${type}: ${field}`)
  }
  assert.ok(Object.keys(changes).length > 0, type)
}

describe('the audit log', () => {
  const api = service()

  for (const route of part(writeRoutes)) {
    test(`${eventless.has(route.name) ? 'no entry' : 'an entry for each resource that changed, with what changed'}: ${titleOf(route)}`, async () => {
      const { fixtures, everything } = await environment(api)
      const { request } = await fixtures.call(route)
      const log = async (limit: number) => {
        const path = `/v1/audit_log?include=total&limit=${limit}`
        const answer = await send(api, { method: 'GET', path, key: fixtures.key })
        assert.equal(answer.status, 200, show(answer))
        return answer.body as { data: Entry[]; total: number }
      }
      const before = await everything()
      const { total } = await log(1)
      const headers = { 'user-agent': `agent ${randomUUID()}` }
      const answer = await send(api, { ...request, headers: { ...request.headers, ...headers } })
      assert.equal(answer.status, route.status, show(answer))
      const { data, total: now } = await log(100)
      assert.equal(now > total, !eventless.has(route.name))
      const after = await everything()

      const entries = data.slice(0, now - total)
      assert.equal(new Set(entries.map(({ target }) => target.id)).size, entries.length)
      for (const { action, actor, target, changes, ...facts } of entries) {
        assert.partialDeepStrictEqual(actor, { type: 'api_key', id: await idOfKey(api, fixtures.key) })
        assert.partialDeepStrictEqual(facts, {
          request_id: answer.headers.get('request-id'),
          ip: '127.0.0.1',
          user_agent: headers['user-agent'],
        })
        assert.ok(action.startsWith(`${target.type}.`))
        if (action.startsWith('conversation.follower_')) continue // of a follower, whom no route shows alone
        const name = nameOf(target)
        const [former, latter] = [before.get(name), after.get(name)]
        if ((!former || !latter) && action !== 'tag.merged') showsValues(target.type, changes, former, latter)
        for (const [field, { from, to }] of Object.entries(changes)) {
          assert.notDeepEqual(from, to, field)
          const erased = action === 'message.redacted' && field === 'body'
          if (!former) assert.equal(from, null, field)
          else if (!erased) assert.deepEqual(from, former[field], field)
          if (!latter) assert.ok(to === null || action === 'tag.merged', field)
          else if (!/_count$/.test(field)) assert.deepEqual(to, latter[field], field) // 0 when it was created
        }
      }
    })
  }
})
