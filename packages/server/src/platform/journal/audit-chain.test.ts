import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { changesDigest, changesOf, entryDigest, erasedBetween, firstLink, nextLink } from './audit-chain.ts'

/* A second implementation from the definition, as a client writes it to check an export. */

const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const facts = {
  id: 'aud_01kah1vgm0e1tbm5ye8n2m9q7c',
  action: 'conversation.resolved',
  actor: { type: 'api_key', id: 'key_01kah1vgm0e1tbm5ye8n2m9q7d', operator_id: null },
  target: { type: 'conversation', id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7e' },
  request_id: 'req_01kah1vgm0e1tbm5ye8n2m9q7f',
  ip: '127.0.0.1',
  user_agent: 'curl/8.5.0 "ü"',
  created_at: '2026-11-20T09:30:00.000Z',
}

describe('the chain', () => {
  test('is what its definition says', () => {
    const changes = { status: { from: 'open', to: 'resolved' }, a: { to: 1.5, from: null } }
    const [a, status] = ['{"from":null,"to":1.5}', '{"from":"open","to":"resolved"}'].map((text) =>
      sha256(text).toString('hex'),
    )
    const digested = sha256(`{"a":"${a}","status":"${status}"}`).toString('hex')
    assert.equal(changesDigest(changes), digested)
    const text =
      '{"action":"conversation.resolved","actor":{"id":"key_01kah1vgm0e1tbm5ye8n2m9q7d","operator_id":null,"type":"api_key"},' +
      `"changes_digest":"${digested}","created_at":"2026-11-20T09:30:00.000Z","id":"aud_01kah1vgm0e1tbm5ye8n2m9q7c",` +
      '"ip":"127.0.0.1","request_id":"req_01kah1vgm0e1tbm5ye8n2m9q7f","target":{"id":"conv_01kah1vgm0e1tbm5ye8n2m9q7e","type":"conversation"},' +
      '"user_agent":"curl/8.5.0 \\"ü\\""}'
    const digest = entryDigest(facts, digested)
    assert.deepEqual(digest, sha256(text))
    const first = firstLink('0199c0de-0000-7000-8000-000000000000')
    assert.deepEqual(first, sha256('backline audit log of 0199c0de-0000-7000-8000-000000000000'))
    const second = nextLink(first, digest)
    assert.deepEqual(second, sha256(first, digest))
    assert.deepEqual(nextLink(second, digest), sha256(second, digest), 'what was handed out stays as it is')
    assert.deepEqual(second, sha256(first, digest))
  })

  test('keeps what an erasure took, and nothing else', () => {
    const before = { body: { from: 'one', to: 'two' }, edited_at: { from: null, to: 'now' } }
    const after = { ...before, body: { from: '', to: '' } }
    const erased = erasedBetween(before, after)
    assert.deepEqual(Object.keys(erased), ['body'])
    assert.deepEqual(changesDigest(after, erased), changesDigest(before))
    for (const forged of [
      { ...after, body: { from: '', to: 'three' } },
      { ...after, edited_at: { from: null, to: 'then' } },
      { edited_at: after.edited_at },
      { ...after, more: { from: '', to: '' } },
    ])
      assert.notDeepEqual(changesDigest(forged, erased), changesDigest(before))
    assert.deepEqual(erasedBetween(before, before), {})
  })

  test('takes of an event what its former values name', () => {
    const none = new Set<string>()
    const previous = '{"status":"open","tags":["a"],"__proto__":1}'
    const object = '{"id":"x","status":"closed","tags":["a","b"],"version":2}'
    assert.equal(
      JSON.stringify(changesOf({ object, previous, audited: null }, none)),
      '{"status":{"from":"open","to":"closed"},"tags":{"from":["a"],"to":["a","b"]},"__proto__":{"from":1,"to":null}}',
    )
    assert.deepEqual(changesOf({ object: null, previous: '{}', audited: null }, none), {})
  })

  test('takes the values of what was created or removed, and leaves out those that are null', () => {
    const none = new Set<string>()
    const object = '{"id":"x","name":"VIP","color":null,"archived":false,"version":1}'
    const of = (audited: string) => changesOf({ object, previous: '{}', audited }, none)
    assert.deepEqual(of('created name,color,archived'), {
      name: { from: null, to: 'VIP' },
      archived: { from: null, to: false },
    })
    assert.deepEqual(of('removed name,color'), { name: { from: 'VIP', to: null } })
    for (const empty of ['created color', 'created ', 'created', '']) assert.deepEqual(of(empty), {})
    const both = changesOf({ object, previous: '{"archived":true}', audited: 'created name' }, none)
    assert.deepEqual(both, { name: { from: null, to: 'VIP' }, archived: { from: true, to: false } })
  })

  test('reads anything that may stand in its place', () => {
    for (const text of ['[]', 'null', '1', '"x"', '{"a":null}', '[{"a":1}]'])
      for (const other of ['[]', 'null', '1', '"x"', '{"a":{"b":[]}}'])
        assert.equal(
          typeof changesOf({ object: text, previous: other, audited: 'created a' }, new Set(['a'])),
          'object',
        )
  })
})
