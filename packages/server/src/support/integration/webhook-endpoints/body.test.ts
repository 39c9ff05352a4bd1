import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { webhookBody } from './body.ts'

const timestamp = '2026-11-20T09:30:00.000Z'
const head = '{"id":"evt_1","object":"event","request":{"id":"a,\\"data\\":{}}","idempotency_key":null}'
// PostgreSQL's text of the snapshot has spaces, an escape and a number that JSON.stringify would write differently.
const event = `${head},"data":{"object":{"data": {"n": 1.0}, "text": "Gr\\u00fc\\u00dfe }"},"previous":{}}}`

describe('the body of a webhook', () => {
  test('is the stored event, byte for byte, with the time of the attempt', () => {
    assert.equal(
      webhookBody(event, 'full', timestamp),
      `${event.slice(0, -1)},"timestamp":"2026-11-20T09:30:00.000Z"}`,
    )
  })

  test('omits only data if it is thin', () => {
    assert.equal(webhookBody(event, 'thin', timestamp), `${head},"timestamp":"2026-11-20T09:30:00.000Z"}`)
  })

  test('keeps members before and after data, and blank lines at the end', () => {
    const later = '{"data":{"object":{}},"inner":{"data":1},"more":{"data":{}}}'
    assert.deepEqual(JSON.parse(webhookBody(later, 'thin', timestamp)), {
      inner: { data: 1 },
      more: { data: {} },
      timestamp,
    })
    assert.deepEqual(JSON.parse(webhookBody(`${later} \n`, 'full', timestamp)), {
      ...JSON.parse(later),
      timestamp,
    })
  })
})
