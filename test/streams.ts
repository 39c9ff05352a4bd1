import assert from 'node:assert/strict'
import { after } from 'node:test'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { Body } from './desk.ts'
import { until } from './processes.ts'

/** A connected reader of the stream of events. */
export type StreamReader = {
  messages: EventSourceMessage[]
  /** The `data` of the ephemeral events with this name. */
  named(name: string): Body[]
}

const open: AbortController[] = []
after(() => {
  for (const each of open) each.abort()
})

/** Reads ephemeral events until the file ends, and those of the journal. @param headers with a credential */
export async function followEphemeral(
  url: string,
  headers: Record<string, string>,
  query = '',
): Promise<StreamReader> {
  const controller = new AbortController()
  open.push(controller)
  const { signal } = controller
  const response = await fetch(`${url}/v1/events/stream?ephemeral=true${query}`, { headers, signal })
  assert.equal(response.status, 200)
  const messages: EventSourceMessage[] = []
  let isConnected = false
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    onComment: () => {
      isConnected = true
    },
  })
  const reading = async () => {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) parser.feed(text)
  }
  reading().catch(() => undefined)
  await until('it is connected', async () => isConnected)
  const named = (name: string) =>
    messages.flatMap(({ event, data }) => (event === name ? [JSON.parse(data)] : []))
  return { messages, named }
}
