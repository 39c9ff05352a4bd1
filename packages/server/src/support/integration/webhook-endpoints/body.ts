import type { Instant } from '../../../platform/kernel/clock.ts'

/** `thin` is for receivers that shall not hold what is in the event, and fetch the resource when they need it. */
export type WebhookPayload = 'full' | 'thin'

/**
 * The body of one attempt to send an event: the event as the API shows it and, last, the attempt's `timestamp`, which
 * Standard Webhooks 1.0 asks for; `thin` leaves `data` out. Members keep their order. `full` keeps the event's text byte
 * for byte; of `thin` it is what JSON.stringify makes, as the head of an event is made anyway.
 * @param eventJson of `eventWire`, or the `data` of a message of `GET /v1/events/stream`
 * @param timestamp of the attempt, the moment that `webhook-timestamp` tells in seconds
 */
export function webhookBody(eventJson: string, payload: WebhookPayload, timestamp: Instant): string {
  const text = payload === 'full' ? eventJson : withoutData(eventJson)
  return `${text.slice(0, text.lastIndexOf('}'))},"timestamp":${JSON.stringify(timestamp)}}`
}

/** Reads all of it, since a search for `,"data":` would rely on its being the last member and none inside being called so. */
function withoutData(eventJson: string): string {
  const { data: _, ...envelope } = JSON.parse(eventJson)
  return JSON.stringify(envelope)
}
