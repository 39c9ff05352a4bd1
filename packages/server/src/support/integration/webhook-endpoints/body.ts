import type { Instant } from '../../../platform/kernel/clock.ts'

/** `thin` is for receivers that must not store the data of an event and fetch the resource instead. */
export type WebhookPayload = 'full' | 'thin'

/**
 * Returns the body of one attempt: the event as the API shows it and, last, the attempt's `timestamp`, which Standard
 * Webhooks 1.0 requires; `thin` omits `data`. Members keep their order. `full` keeps the event's text byte for byte;
 * `thin` is serialized by JSON.stringify, as is the head of every event.
 * @param eventJson JSON of `eventWire`, or the `data` of a message of `GET /v1/events/stream`
 * @param timestamp the time of the attempt, which `webhook-timestamp` contains in seconds
 */
export function webhookBody(eventJson: string, payload: WebhookPayload, timestamp: Instant): string {
  const text = payload === 'full' ? eventJson : withoutData(eventJson)
  return `${text.slice(0, text.lastIndexOf('}'))},"timestamp":${JSON.stringify(timestamp)}}`
}

/** Parses the whole event: `,"data":` may also occur inside it, and `data` need not be its last member. */
function withoutData(eventJson: string): string {
  const { data: _, ...envelope } = JSON.parse(eventJson)
  return JSON.stringify(envelope)
}
