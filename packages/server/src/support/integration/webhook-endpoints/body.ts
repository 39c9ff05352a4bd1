/** `thin` is for receivers that must not store the data of an event and fetch the resource instead. */
export type WebhookPayload = 'full' | 'thin'

/**
 * Returns the body of every attempt: the event as the API shows it and, last, its `created_at` as `timestamp`, which
 * Standard Webhooks 1.0 requires; `thin` omits `data`. Members keep their order. `full` keeps the event's text byte for
 * byte; `thin` is serialized by JSON.stringify, as is the head of every event.
 * @param eventJson JSON of `eventWire`, or the `data` of a message of `GET /v1/events/stream`
 */
export function webhookBody(eventJson: string, payload: WebhookPayload): string {
  const text = payload === 'full' ? eventJson : withoutData(eventJson)
  return `${text.slice(0, text.lastIndexOf('}'))},"timestamp":${createdAtOf(eventJson)}}`
}

/** The first member of this name is the event's own: those of clients come later. */
const createdAtOf = (eventJson: string): string => /"created_at":("[^"]+")/.exec(eventJson)![1]!

/** Parses the whole event: `,"data":` may also occur inside it, and `data` need not be its last member. */
function withoutData(eventJson: string): string {
  const { data: _, ...envelope } = JSON.parse(eventJson)
  return JSON.stringify(envelope)
}
