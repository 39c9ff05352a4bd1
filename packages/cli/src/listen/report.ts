import { systemClock, toInstant } from '@backline/server/platform/kernel/clock.ts'
import type { Source } from '../stream/connect.ts'
import type { StreamedEvent } from '../stream/follow.ts'
import { counted, printable } from '../text.ts'
import { type Attempt, hasSucceeded, type Receiver } from './forward.ts'

/** `json` with --json, `text` otherwise. */
export type Line = { json: object; text: string }

export type Report = {
  /** Prints all details the first time. */
  connected(source: Source, receiver: Receiver): void
  lost(reason: string): void
  attempted(event: Forwarded, streamed: StreamedEvent, attempt: Attempt): void
  readonly wasConnected: boolean
  summary(): Line
}

/** The printed parts of an event. */
export type Forwarded = { id: string; type: string; resource: { id: string } }

/** The width of most types and ids, so that lines form columns. */
const [typeWidth, idWidth] = [26, 31]

/** Prints events as they happen. */
export function openReport(print: (line: Line) => void): Report {
  const counts = { events: 0, succeeded: 0, failed: 0 }
  let wasConnected = false
  /** The cursor after the last event, or of the first one that failed. */
  let cursor: string | null = null

  return {
    connected(source, receiver) {
      print(wasConnected ? connectedAgain() : started(source, receiver))
      wasConnected = true
    },
    lost: (reason) => print(lost(reason)),
    attempted(event, streamed, attempt) {
      const isSuccess = hasSucceeded(attempt)
      if (counts.failed === 0) cursor = isSuccess ? streamed.cursor : streamed.before
      counts.events++
      counts[isSuccess ? 'succeeded' : 'failed']++
      print(attempted(event, streamed.cursor, attempt))
    },
    get wasConnected() {
      return wasConnected
    },
    summary: () => summary(counts, cursor),
  }
}

function started({ url, key, types }: Source, { url: forwardTo, payload, secret }: Receiver): Line {
  const environment = key.startsWith('bkl_live_') ? 'live' : 'test'
  const events = types ?? ['*']
  const thin = payload === 'thin' ? ', without data' : ''
  return {
    json: { object: 'listening', url, environment, events, forward_to: forwardTo, payload, secret },
    text: `Connected to ${url}, ${environment} environment, events: ${printable(events.join(','))}
Forwarding to ${forwardTo}${thin}
Signing secret, the same in each run: ${secret}
`,
  }
}

function attempted(event: Forwarded, cursor: string | null, attempt: Attempt): Line {
  const { at, status, error, durationMs } = attempt
  const columns = [
    at,
    printable(event.type).padEnd(typeWidth),
    printable(event.resource.id).padEnd(idWidth),
    status ?? '---',
    `${durationMs} ms`,
  ]
  return {
    json: {
      object: 'attempt',
      at,
      event_id: event.id,
      event_type: event.type,
      resource_id: event.resource.id,
      response_status: status,
      error,
      duration_ms: durationMs,
      cursor,
    },
    text: (error === null ? columns : [...columns, printable(error)]).join('  '),
  }
}

function lost(reason: string): Line {
  const at = toInstant(systemClock())
  const text = `${at}  connection lost (${printable(reason)}); reconnecting …`
  return { json: { object: 'connection_lost', at, reason }, text }
}

function connectedAgain(): Line {
  const at = toInstant(systemClock())
  return { json: { object: 'connected_again', at }, text: `${at}  reconnected; no events were missed` }
}

type Counts = { events: number; succeeded: number; failed: number }

function summary(counts: Counts, cursor: string | null): Line {
  const failed = counts.failed === 0 ? '' : `; ${counts.failed} failed`
  const how = counts.failed === 0 ? 'To continue from here' : 'To send again from the first failed event'
  const hint = cursor === null ? '' : `\n${how}, run the same command with --since ${cursor}`
  return {
    json: { object: 'summary', ...counts, cursor },
    text: `\nForwarded ${counted(counts.events, 'event')}${failed}.${hint}`,
  }
}
