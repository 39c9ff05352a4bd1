import { readConfig } from '@backline/server/compose/config.ts'
import { hasKeyShape } from '@backline/server/platform/kernel/key-format.ts'
import { newWebhookSecret } from '@backline/server/support/integration/webhook-endpoints/signature.ts'
import { defineCommand } from './command.ts'
import { UsageError } from './errors.ts'
import type { Source } from './listen/connect.ts'
import { follow } from './listen/follow.ts'
import { forward, type Receiver } from './listen/forward.ts'
import { type Line, openReport, type Report } from './listen/report.ts'

/** Forwards the events of an environment to a receiver that webhooks do not reach, until it is stopped. */
export const command = defineCommand({
  description: `Streams the events of the key's environment and POSTs each one to the receiver, one after another, \
signed with a secret that is created and printed at the start. A response other than 2xx, or none within 15 seconds, \
is shown and not retried; run the command again with --since to send events again. Press Ctrl-C to stop.`,
  options: {
    key: { value: 'KEY', summary: 'An API key with the scope events:read', required: true },
    'forward-to': {
      value: 'URL',
      summary: 'The URL to forward to, private or not: http://127.0.0.1:3000/hook',
      required: true,
    },
    url: { value: 'URL', summary: 'The URL of the server (default: BACKLINE_PUBLIC_URL)' },
    events: {
      value: 'LIST',
      summary: "The event types: 'conversation.*,message.created' (default: all)",
      list: true,
    },
    payload: {
      value: 'full|thin',
      summary: 'thin omits data (default: full)',
      choices: ['full', 'thin'],
    },
    since: { value: 'CURSOR', summary: 'Start after this cursor instead of with new events' },
  },
  async run({ options, json, environment }) {
    const { key, events: types, payload = 'full', since } = options
    if (!hasKeyShape(key)) refuse('--key', 'must be a complete API key, bkl_test_… or bkl_live_…')
    const receiver = {
      url: httpUrl('--forward-to', options['forward-to']).href,
      secret: newWebhookSecret(),
      payload,
    }
    const url = options.url === undefined ? readConfig(environment).publicUrl : serverUrl(options.url)
    const print = (line: Line) => process.stdout.write(`${json ? JSON.stringify(line.json) : line.text}\n`)
    const report = openReport(print)
    try {
      await forwardAll({ url, key, types, since }, receiver, report)
    } catch (error) {
      if (report.wasConnected) print(report.summary())
      throw error
    }
    return report.summary()
  },
})

/** Forwards events one after another, in journal order. */
async function forwardAll(source: Source, receiver: Receiver, report: Report): Promise<void> {
  const stop = untilStopped()
  for await (const happening of follow(source, stop)) {
    if (happening.kind === 'connected') report.connected(source, receiver)
    else if (happening.kind === 'lost') report.lost(happening.reason)
    else {
      const event = JSON.parse(happening.event.json)
      const attempt = await forward({ id: event.id, json: happening.event.json }, receiver, stop)
      report.attempted(event, happening.event, attempt)
    }
  }
}

/** Aborts on Ctrl-C, or when stdout is closed. A second signal ends the process at once. */
function untilStopped(): AbortSignal {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  process.stdout.once('error', stop)
  return stopping.signal
}

function serverUrl(text: string): string {
  const url = httpUrl('--url', text)
  if (url.search || url.hash) refuse('--url', 'must be a URL without a query')
  return url.href.replace(/\/$/, '')
}

function httpUrl(option: string, text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    refuse(option, `must be an http:// or https:// URL, not ${JSON.stringify(text)}`)
  if (url.username || url.password) refuse(option, 'must be a URL without a user name and password')
  return url
}

function refuse(option: string, detail: string): never {
  throw new UsageError(`${option} ${detail}`, 'listen', [{ argument: option, code: 'bad_format', detail }])
}
