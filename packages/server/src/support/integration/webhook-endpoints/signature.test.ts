import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret, signatureHeaders, webhookSecretHint } from './signature.ts'

/* The official library is the reference: a webhook that it verifies is correct. */

const secret = newWebhookSecret()
const id = 'evt_01m7wga9hpe00bx5qvt413hp0j'
const body = JSON.stringify({ type: 'message.created', data: { text: 'Grüße 🔑 \u2028 "\\"' } })
const now = () => Math.floor(Date.now() / 1000)

describe('a signed webhook', () => {
  test('is verified with its whole text by the official library', () => {
    const headers = signatureHeaders({ id, timestamp: now(), body, secrets: [secret] })
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    assert.deepEqual(new Webhook(secret).verify(Buffer.from(body), headers), JSON.parse(body))
  })

  test('has the signature that the official library makes', () => {
    const timestamp = 1674087231
    const given = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const headers = signatureHeaders({ id, timestamp, body, secrets: [given] })
    assert.deepEqual(headers, {
      'webhook-id': id,
      'webhook-timestamp': '1674087231',
      'webhook-signature': new Webhook(given).sign(id, new Date(timestamp * 1000), body),
    })
  })

  test('is verified by the former and the new secret during a rotation, and by no other', () => {
    const next = newWebhookSecret()
    const headers = signatureHeaders({ id, timestamp: now(), body, secrets: [next, secret] })
    assert.match(headers['webhook-signature'], /^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
    for (const each of [next, secret]) assert.ok(new Webhook(each).verify(body, headers))
    assert.throws(() => new Webhook(newWebhookSecret()).verify(body, headers), /No matching signature/)
  })

  test('is rejected if its body, id or time differs', () => {
    const headers = signatureHeaders({ id, timestamp: now(), body, secrets: [secret] })
    const refuses = (text: string, changed: Record<string, string>) =>
      assert.throws(
        () => new Webhook(secret).verify(text, { ...headers, ...changed }),
        /No matching signature/,
      )
    refuses(body.replace('ü', 'u'), {})
    refuses(`${body} `, {})
    refuses(body, { 'webhook-id': `${id}x` })
    refuses(body, { 'webhook-timestamp': String(now() + 1) })
  })

  test('is not made with a weak secret, and the error does not contain it', () => {
    for (const given of ['', 'whsec_', 'whsec_Z2VoZWlt', secret.slice('whsec_'.length)]) {
      assert.throws(
        () => signatureHeaders({ id, timestamp: now(), body, secrets: [secret, given] }),
        (error: Error) => error instanceof TypeError && !/Z2VoZWlt/.test(error.message),
      )
    }
  })
})

test('webhook secrets are 32 random bytes, and their hints show the last four digits', () => {
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(newWebhookSecret(), secret)
  assert.equal(webhookSecretHint(secret), `whsec_…${secret.slice(-5, -1)}`)
})
