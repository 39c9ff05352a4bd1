import { accessOf, accessOptions, httpUrl } from './access/access.ts'
import { defineCommand } from './command.ts'
import { UsageError } from './errors.ts'
import { forward, type Receiver } from './listen/forward.ts'
import { type Line, openReport, type Report } from './listen/report.ts'
import { untilStopped } from './stop.ts'
import type { Source } from './stream/connect.ts'
import { follow } from './stream/follow.ts'

/** Forwards the events of an environment to a receiver that webhooks do not reach, until it is stopped. */
export const command = defineCommand({
  description: `Streams the events of the key's environment and POSTs each one to the receiver, one after another, \
signed like webhooks. The signing secret is the same in each run with a profile, or with a key. A response other than \
2xx, or none within 15 seconds, is shown and not retried; run the command again with --since to send events again. \
Press Ctrl-C to stop. The key needs the scope events:read.`,
  options: {
    ...accessOptions,
    key: { value: 'KEY', summary: 'An API key; other users can read the arguments of a process' },
    'forward-to': {
      value: 'URL',
      summary: 'The URL to forward to, private or not: http://127.0.0.1:3000/hook',
      required: true,
    },
    secret: { value: 'SECRET', summary: 'The signing secret: whsec_ and base64 of at least 24 bytes' },
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
    const { events: types, payload = 'full', since, profile, url, key } = options
    const forwardTo = httpUrl('--forward-to', options['forward-to'], 'listen').href
    if (options.secret !== undefined) checkSecret(options.secret)
    const access = await accessOf('listen', { profile, url, key }, environment)
    const receiver = { url: forwardTo, secret: options.secret ?? access.listenSecret, payload }
    const source = { ...access, types, since, optionOf: { types: '--events', cursor: '--since' } }
    const print = (line: Line) => process.stdout.write(`${json ? JSON.stringify(line.json) : line.text}\n`)
    const report = openReport(print)
    try {
      await untilStopped((stop) => forwardAll(source, receiver, report, stop))
    } catch (error) {
      if (report.wasConnected) print(report.summary())
      throw error
    }
    return report.summary()
  },
})

const leastSecretBytes = 24

function checkSecret(secret: string): void {
  const isOne =
    /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) &&
    Buffer.from(secret.slice('whsec_'.length), 'base64').length >= leastSecretBytes
  if (isOne) return
  const detail = `must be whsec_ and base64 of at least ${leastSecretBytes} bytes`
  throw new UsageError(`--secret ${detail}`, 'listen', [{ argument: '--secret', code: 'bad_format', detail }])
}

/** Forwards events one after another, in journal order. */
async function forwardAll(
  source: Source,
  receiver: Receiver,
  report: Report,
  stop: AbortSignal,
): Promise<void> {
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
