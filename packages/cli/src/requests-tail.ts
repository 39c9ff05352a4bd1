import { pause } from '@backline/sdk/retry.ts'
import { accessOf, accessOptions } from './access/access.ts'
import { type Client, type Json, openClient } from './api/client.ts'
import { defineCommand } from './command.ts'
import { printLine } from './print.ts'
import { untilStopped } from './stop.ts'
import { printable } from './text.ts'

const pollMs = 1_000
/** Requests are read again for this time: they are in the log in the order of their ends. */
const overlapMs = 60_000

/** Prints the requests of an environment after they have ended, until it is stopped. */
export const command = defineCommand({
  description: `Prints each request on a line once it is in the request log, a second or two after its response: as \
columns, or with --json as the API shows it. Requests for the log itself are not in it. Press Ctrl-C to stop. The key \
needs the scope request_log:read. Streams that were open for long may be left out.`,
  options: {
    ...accessOptions,
    status: { value: 'LIST', summary: "Only these statuses: '4xx,500' (default: all)" },
    method: { value: 'METHOD', summary: 'Only requests with this method' },
    route: { value: 'PATH', summary: "Only requests of these operations: '/v1/conversations/{id}'" },
    code: { value: 'CODE', summary: 'Only requests that were refused with this code' },
    since: { value: 'TIME', summary: 'Start after this time instead of now, RFC 3339' },
  },
  async run({ options, json, environment }) {
    const access = await accessOf('requests tail', options, environment)
    const { status, method, route, code, since } = options
    const given = Object.entries({ status, method: method?.toUpperCase(), route, code })
    const filters = given.filter((entry): entry is [string, string] => entry[1] !== undefined)
    await untilStopped(async (stop) => {
      const client = openClient(access, stop)
      if (!json)
        process.stderr.write(
          `Reading the request log of ${access.url}, ${access.environment} environment; waiting for requests\n`,
        )
      for await (const request of follow(client, filters, since, stop))
        await printLine(json ? JSON.stringify(request) : lineOf(request))
    })
    return { json: undefined, text: '' }
  },
})

/** Each request once, oldest first among those that are read together. */
async function* follow(
  client: Client,
  filters: [string, string][],
  since: string | undefined,
  stop: AbortSignal,
): AsyncGenerator<Json> {
  let after = since ?? (await latestTime(client))
  const shown = new Map<string, string>()
  while (!stop.aborted) {
    const chosen: [string, string][] = after === null ? filters : [...filters, ['created_after', after]]
    const found = await newest(client, chosen, (page) => page.every(({ id }) => shown.has(id)))
    for (const request of found.toReversed()) {
      if (shown.has(request.id)) continue
      shown.set(request.id, request.created_at)
      yield request
    }
    const last = found[0]?.created_at
    if (last !== undefined) {
      const from = new Date(Date.parse(last) - overlapMs).toISOString()
      if (after === null || from > after) after = from
      for (const [id, at] of shown) if (at < after) shown.delete(id)
    }
    await pause(pollMs, stop).catch(() => undefined)
  }
}

/** The time of the newest request, by the clock of the environment; null if there is none. */
async function latestTime({ call }: Client): Promise<string | null> {
  const { data } = await call('GET', '/v1/request_log', { query: { limit: '1' } })
  return data[0]?.created_at ?? null
}

/** The pages of the newest requests up to one that was shown. */
async function newest(
  { call }: Client,
  filters: [string, string][],
  isShown: (page: Json[]) => boolean,
): Promise<Json[]> {
  const found: Json[] = []
  for (let cursor: string | null = null; ; ) {
    const paging: [string, string][] = cursor === null ? [] : [['cursor', cursor]]
    const page: Json = await call('GET', '/v1/request_log', {
      query: [['limit', '100'], ...filters, ...paging],
    })
    found.push(...page.data)
    if (!page.has_more || isShown(page.data)) return found
    cursor = page.next_cursor
  }
}

function lineOf({ created_at, status, method, path, duration_ms, code, id }: Json): string {
  const columns = [
    created_at,
    id,
    String(status),
    printable(method).padEnd('DELETE'.length),
    `${String(duration_ms).padStart(5)} ms`,
    printable(path),
    code ?? '',
  ]
  return columns.join('  ').trimEnd()
}
