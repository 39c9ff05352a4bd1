import { accessOf, accessOptions } from './access/access.ts'
import { defineCommand } from './command.ts'
import { printLine } from './print.ts'
import { untilStopped } from './stop.ts'
import { follow, type StreamedEvent } from './stream/follow.ts'
import { printable } from './text.ts'

/** Prints the events of an environment as they happen, until it is stopped. */
export const command = defineCommand({
  description: `Prints each event on a line: as columns, or with --json as the API shows it. A lost connection is resumed \
where it ended. Press Ctrl-C to stop. The key needs the scope events:read.`,
  options: {
    ...accessOptions,
    types: {
      value: 'LIST',
      summary: "The event types: 'conversation.*,message.created' (default: all)",
      list: true,
    },
    conversation: { value: 'ID', summary: 'Only events of this conversation and of its messages' },
    since: { value: 'CURSOR', summary: 'Start after this cursor instead of with new events' },
  },
  async run({ options, json, environment }) {
    const access = await accessOf('events tail', options, environment)
    const { types, since, conversation } = options
    const optionOf = { types: '--types', cursor: '--since', conversation_id: '--conversation' }
    const source = { ...access, types, since, conversation, optionOf }
    const note = (text: string) => {
      if (!json) process.stderr.write(`${text}\n`)
    }
    let cursor: string | null = null
    let wasConnected = false
    await untilStopped(async (stop) => {
      for await (const happening of follow(source, stop)) {
        if (happening.kind === 'lost')
          note(`connection lost (${printable(happening.reason)}); reconnecting …`)
        else if (happening.kind === 'connected') {
          note(wasConnected ? 'reconnected; no events were missed' : greeting(access))
          wasConnected = true
        } else {
          cursor = happening.event.cursor
          await printLine(json ? happening.event.json : lineOf(happening.event))
        }
      }
    })
    if (cursor !== null) note(`\nTo continue from here, run the same command with --since ${cursor}`)
    return { json: undefined, text: '' }
  },
})

const greeting = ({ url, environment }: { url: string; environment: string }) =>
  `Connected to ${url}, ${environment} environment; waiting for events`

/** The width of most types and ids, so that lines form columns. */
const [typeWidth, idWidth] = [26, 31]
const maxSubject = 60

function lineOf({ json }: StreamedEvent): string {
  const { type, created_at, resource, actor, data } = JSON.parse(json)
  const object = data?.object ?? {}
  const about = object.subject ?? object.body ?? object.name ?? object.title ?? object.question ?? ''
  const columns = [
    created_at,
    printable(type).padEnd(typeWidth),
    printable(resource.id).padEnd(idWidth),
    printable(actor?.type ?? '').padEnd('operator'.length),
    printable([...String(about)].slice(0, maxSubject).join('')),
  ]
  return columns.join('  ').trimEnd()
}
