import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { WebhookVerificationError, webhooks } from './index.ts'

const secret = `whsec_${btoa('a secret of thirty-two bytes ...')}`
const another = `whsec_${btoa('another secret, also thirty-two.')}`
const body = JSON.stringify({
  id: 'evt_1',
  type: 'conversation.created',
  data: { object: { id: 'conv_1', subject: 'Grüße' }, previous: {} },
})

/** The headers of a request, signed by the library of Standard Webhooks. */
function signed({ secrets = [secret], at = new Date(), text = body } = {}): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign('evt_1', at, text)).join(' '),
  }
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

describe('a webhook is accepted', () => {
  const bytes = new TextEncoder().encode(body)
  for (const [what, raw] of Object.entries({
    text: body,
    bytes,
    'a Buffer': Buffer.from(bytes),
    'an ArrayBuffer': bytes.buffer,
  }))
    test(`as ${what}`, async () => {
      const event = await webhooks.unwrap(raw, signed(), secret)
      assert.equal(event.type, 'conversation.created')
      if (event.type === 'conversation.created') assert.equal(event.data.object.subject, 'Grüße')
    })

  test('with names of headers in any case', async () => {
    const headers = Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value])
    assert.equal((await webhooks.unwrap(body, Object.fromEntries(headers), secret)).id, 'evt_1')
  })

  test('with Headers of fetch', async () => {
    assert.equal((await webhooks.unwrap(body, new Headers(signed()), secret)).id, 'evt_1')
  })

  test('during a rotation, on either side', async () => {
    await webhooks.unwrap(body, signed({ secrets: [another, secret] }), secret)
    await webhooks.unwrap(body, signed({ secrets: [another] }), [secret, another])
  })

  test('at the edges of the tolerance', async () => {
    await webhooks.unwrap(body, signed({ at: ago(295) }), secret)
    await webhooks.unwrap(body, signed({ at: ago(-295) }), secret)
    await webhooks.unwrap(body, signed({ at: ago(3_000) }), secret, { toleranceSeconds: 3_600 })
  })
})

describe('a webhook is refused', () => {
  const refused = (
    headers: Record<string, string>,
    message: RegExp,
    raw = body,
    by: string | string[] = secret,
  ) =>
    assert.rejects(webhooks.unwrap(raw, headers, by), (error) => {
      assert.ok(error instanceof WebhookVerificationError)
      assert.match(error.message, message)
      return true
    })

  test('if body, id or time have changed', async () => {
    await refused(signed(), /No signature/, body.replace('conv_1', 'conv_2'))
    await refused({ ...signed(), 'webhook-id': 'evt_2' }, /No signature/)
    await refused(
      { ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 9) },
      /No signature/,
    )
  })

  test('if another secret has signed it', async () => {
    await refused(signed({ secrets: [another] }), /No signature/)
    await refused(signed({ secrets: [another] }), /No signature/, body, [secret])
  })

  test('if it is old, or from the future', async () => {
    await refused(signed({ at: ago(310) }), /too old: 31\d s, of 300/)
    await refused(signed({ at: ago(-310) }), /too far in the future/)
  })

  test('if a header is missing or malformed', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      await refused({ ...signed(), [name]: '' }, new RegExp(`no header ${name}`))
    await refused({ ...signed(), 'webhook-timestamp': 'now' }, /not a number/)
    for (const signature of [
      'v1',
      'v1,',
      'v1,%%%',
      'nonsense',
      ' ',
      signed()['webhook-signature']!.replace('v1', 'v2'),
    ])
      await refused({ ...signed(), 'webhook-signature': signature }, /No signature/)
  })
})

test('a mistake of the receiver is a TypeError', async () => {
  const parsed = JSON.parse(body)
  await assert.rejects(webhooks.unwrap(parsed, signed(), secret), /not the raw body/)
  for (const wrong of ['', 'whsec_', 'whsec_%', 'bkl_test_1', undefined as unknown as string, []])
    await assert.rejects(webhooks.unwrap(body, signed(), wrong), TypeError)
})
