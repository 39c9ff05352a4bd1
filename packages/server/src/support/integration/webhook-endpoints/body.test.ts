import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { webhookBody } from './body.ts'

const timestamp = '2026-11-20T09:30:00.000Z'
const head =
  '{"id":"evt_1","object":"event","created_at":"2026-11-20T09:30:00.000Z","request":{"id":"a,\\"data\\":{}}","idempotency_key":null}'
// PostgreSQL's text of the snapshot has spaces, an escape and a number that JSON.stringify would write differently.
const event = `${head},"data":{"object":{"data": {"n": 1.0}, "text": "Gr\\u00fc\\u00dfe }"},"previous":{}}}`

describe('the body of a webhook', () => {
  test('is the stored event, byte for byte, with its time', () => {
    assert.equal(webhookBody(event, 'full'), `${event.slice(0, -1)},"timestamp":"2026-11-20T09:30:00.000Z"}`)
  })

  test('omits only data if it is thin', () => {
    assert.equal(webhookBody(event, 'thin'), `${head},"timestamp":"2026-11-20T09:30:00.000Z"}`)
  })

  test('keeps members before and after data, and blank lines at the end', () => {
    const later =
      '{"created_at":"2026-11-20T09:30:00.000Z","data":{"object":{"created_at":"x"}},"inner":{"data":1},"more":{"data":{}}}'
    assert.deepEqual(JSON.parse(webhookBody(later, 'thin')), {
      created_at: timestamp,
      inner: { data: 1 },
      more: { data: {} },
      timestamp,
    })
    assert.deepEqual(JSON.parse(webhookBody(`${later} \n`, 'full')), {
      ...JSON.parse(later),
      timestamp,
    })
  })
})
