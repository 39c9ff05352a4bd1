import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Body, conversation } from './desk.ts'
import { type Answer, type Client, service } from './harness.ts'

/* Mistakes that developers make from habit, and the responses that name the request to send. */

describe('a mistake of habit', () => {
  const api = service()
  let client: Client
  let id: string

  before(async () => {
    client = (await api.world()).test
    id = (await conversation(client)).id
  })

  /** The details of the invalid fields, by pointer. */
  const detailsOf = ({ body }: Answer): Record<string, string> =>
    Object.fromEntries(body.errors.map(({ pointer, detail }: Body) => [pointer, detail]))

  test('of changing a field by PATCH names the action that changes it', async () => {
    const body = { status: 'resolved', assignee_id: null }
    const answer = await client.patch(`/v1/conversations/${id}`, body)
    assert.equal(answer.status, 422)
    const details = detailsOf(answer)
    assert.match(details['/status']!, /^cannot be changed here; use POST \/resolve, /)
    assert.match(details['/assignee_id']!, /^cannot be changed here; use POST \/assign /)
  })

  test('of changing what cannot change is said, and no other field is suggested', async () => {
    const body = { external_user_id: 'u', created_at: '2026-01-01T00:00:00Z', id }
    assert.deepEqual(detailsOf(await client.patch(`/v1/conversations/${id}`, body)), {
      '/external_user_id': 'cannot be changed',
      '/created_at': 'cannot be changed',
      '/id': 'cannot be changed',
    })
  })

  test('in the name of a field lists the fields of a body that has at most 20', async () => {
    const assigned = await client.post(`/v1/conversations/${id}/assign`, { user_id: 'op_1' })
    assert.deepEqual(detailsOf(assigned), {
      '/assignee_id': 'is required unless department_id is set',
      '/user_id': 'is not a field of this request, which has assignee_id, department_id',
    })
    const claimed = await client.post(`/v1/conversations/${id}/reopen`, { note: 'x' })
    assert.match(detailsOf(claimed)['/note']!, /^is not a field of this request, which has /)
    const endpoint = await client.post('/v1/webhook_endpoints', { events: ['*'] })
    assert.match(detailsOf(endpoint)['/events']!, /which has url, description, enabled_events, /)
    assert.equal(detailsOf(endpoint)['/url'], 'is required')
  })

  test('of another name for a field is corrected where its spelling is far away', async () => {
    const { id: department_id } = (await client.post('/v1/departments', { name: 'Billing' })).body
    const answer = await client.post('/v1/categories', { name: 'Refunds', department_id })
    assert.match(detailsOf(answer)['/department_id']!, /; did you mean default_department_id\?$/)
  })

  test('of names of other products in a path is answered with the path here', async () => {
    const suggestions: Record<string, string | null> = {
      '/v1/users': '/v1/end_users',
      '/v1/customers': '/v1/end_users',
      '/v1/contacts/eu_1': '/v1/end_users/eu_1',
      '/v1/agents': '/v1/operators',
      '/v1/tickets': '/v1/conversations',
      '/v1/teams': '/v1/departments',
      '/v1/groups': '/v1/departments',
      '/v1/canned_responses': '/v1/message_templates',
      '/v1/messages': '/v1/conversations/{id}/messages',
      '/v1/kb': '/v1/kb/articles',
      '/v1/conversations/': '/v1/conversations',
      '/v1/conversations/?limit=1': '/v1/conversations',
      [`/v1/tickets/${id}/comments`]: `/v1/conversations/${id}/messages`,
      [`/v1/conversations/${id}/`]: `/v1/conversations/${id}`,
      [`/v1/conversations/${id}/unhold`]: `/v1/conversations/${id}/resume`,
      [`/v1/conversations/${id}/unsnooze`]: `/v1/conversations/${id}/resume`,
      [`/v1/conversations/${id}/snooze`]: `/v1/conversations/${id}/hold`,
      [`/v1/conversations/${id}/reply`]: `/v1/conversations/${id}/messages`,
      [`/v1/conversations/${id}/notes`]: `/v1/conversations/${id}/messages`,
      '/v1/constructor': null,
    }
    for (const [path, suggestion] of Object.entries(suggestions))
      for (const answer of [await client.get(path), await client.post(path, {})]) {
        assert.deepEqual([answer.status, answer.body.code], [404, 'route_not_found'], path)
        assert.deepEqual(answer.body.params, { suggestion }, path)
      }
  })

  test('of a word in place of an id is said, whatever the method', async () => {
    for (const word of ['bulk', 'export']) {
      const read = await client.get(`/v1/conversations/${word}`)
      assert.deepEqual([read.status, read.body.code, read.body.params.is_id], [404, 'not_found', false])
      assert.match(read.body.detail, /does not have the id of a conversation: .* conv_/)
      const written = await client.post(`/v1/conversations/${word}`, {})
      assert.deepEqual([written.status, written.body.code], [404, 'route_not_found'])
    }
  })

  test('of deleting an end user names what there is instead', async () => {
    const { end_user_id } = (await client.get(`/v1/conversations/${id}`)).body
    const { status, body } = await client.delete(`/v1/end_users/${end_user_id}`)
    assert.deepEqual([status, body.params], [409, { hint: 'block_or_merge' }])
    assert.match(body.detail, /; block it, or merge it into another one, instead\.$/)
  })

  test('of an ETag without its quotes is said', async () => {
    const patch = (tag: string) =>
      client.patch(`/v1/conversations/${id}`, { subject: 'x' }, { 'if-match': tag })
    const unquoted = await patch('1')
    assert.deepEqual([unquoted.status, unquoted.body.params], [412, { etag: '"1"', unquoted: true }])
    assert.match(unquoted.body.detail, /^ETags are quoted\./)
    assert.deepEqual((await patch('"7"')).body.params, { etag: '"1"' })
  })

  test('of a denied file names its extension and the setting', async () => {
    const file = { filename: 'Setup.EXE', content_type: 'application/octet-stream', size_bytes: 3 }
    const details = detailsOf(await client.post('/v1/files', file))
    assert.match(details['/filename']!, /^must not end in \.exe, .* file_types_denied /)
  })

  test('of sending an encoded body is told to send it unencoded', async () => {
    const { status, body } = await client.post('/v1/tags', { name: 'x' }, { 'content-encoding': 'gzip' })
    assert.deepEqual([status, body.code], [415, 'unsupported_media_type'])
    assert.deepEqual(body.params, { supported: ['application/json'], encoding: 'gzip' })
    assert.match(body.detail, /^Send the body unencoded/)
  })
})
