import { accessOf, accessOptions } from './access/access.ts'
import { bodyOf } from './api/body.ts'
import { type ApiRequest, type ApiResponse, type Client, openClient } from './api/client.ts'
import { operatorWith } from './api/operators.ts'
import { type CommandSpec, defineCommand, type Output } from './command.ts'
import { UsageError } from './errors.ts'
import { printLine } from './print.ts'

const common = {
  ...accessOptions,
  query: { value: 'NAME=VALUE', summary: 'A query parameter; may be repeated', short: 'q', repeat: true },
  header: { value: "'NAME: VALUE'", summary: 'A request header; may be repeated', short: 'H', repeat: true },
  operator: { value: 'ID|EMAIL', summary: 'The acting operator: the header Backline-Operator' },
  include: { value: '', summary: 'Print the status and the headers, too', short: 'i', flag: true },
} as const

const bodyOptions = {
  data: { value: 'JSON', summary: 'The body: JSON, @FILE, or - for stdin', short: 'd' },
  field: {
    value: 'NAME=TEXT',
    summary: 'A member of the body; NAME:=JSON for other values than texts, NAME[]=TEXT for lists',
    short: 'f',
    repeat: true,
  },
} as const

const description = `PATH is /v1/conversations, or conversations for short. The exit code is 0 for a 2xx status, 3, 4 or 5 \
for 3xx, 4xx or 5xx, and 1 without a response. Responses are indented on a terminal and printed unchanged elsewhere.`

/** The options of each method; those that it lacks are undefined. */
type Options = {
  profile: string | undefined
  url: string | undefined
  query: string[] | undefined
  header: string[] | undefined
  operator: string | undefined
  include: true | undefined
  all?: true | undefined
  data?: string | undefined
  field?: string[] | undefined
  'idempotency-key'?: string | undefined
}

export const get = defineCommand({
  argument: 'PATH',
  description,
  options: {
    ...common,
    all: { value: '', summary: 'Print the items of all pages, one a line (NDJSON)', flag: true },
  },
  run: ({ argument, options, environment }) => run('GET', argument, options, environment),
})

export const post = defineCommand({
  argument: 'PATH',
  description: `${description} A new Idempotency-Key is sent, unless one is given.`,
  options: {
    ...common,
    ...bodyOptions,
    'idempotency-key': { value: 'KEY', summary: 'The Idempotency-Key, to repeat an earlier request safely' },
  },
  run: ({ argument, options, environment }) => run('POST', argument, options, environment),
})

const writing = (method: 'PATCH' | 'PUT'): CommandSpec =>
  defineCommand({
    argument: 'PATH',
    description,
    options: { ...common, ...bodyOptions },
    run: ({ argument, options, environment }) => run(method, argument, options, environment),
  })

export const patch = writing('PATCH')
export const put = writing('PUT')

const remove = defineCommand({
  argument: 'PATH',
  description,
  options: common,
  run: ({ argument, options, environment }) => run('DELETE', argument, options, environment),
})

export { remove as delete }

/** Exports of the audit log take long. */
const timeoutMs = 300_000

async function run(
  method: string,
  argument: string,
  options: Options,
  environment: NodeJS.ProcessEnv | undefined,
): Promise<Output> {
  const command = `api ${method.toLowerCase()}`
  const path = pathOf(argument, command)
  const pairs = (options.query ?? []).map((text) => pairOf('--query', text, '=', command))
  const headers = (options.header ?? []).map((text) => headerOf(text, command))
  const body = await bodyOf(command, options)
  const client = openClient(await accessOf(command, options, environment))
  const { operator } = options
  if (operator !== undefined)
    headers.push([
      'backline-operator',
      operator.includes('@') ? await operatorWith(client, operator) : operator,
    ])
  const request: ApiRequest = {
    query: pairs,
    headers: Object.fromEntries(headers),
    timeoutMs,
    ...(body === undefined ? {} : { body }),
    ...(options['idempotency-key'] === undefined ? {} : { idempotencyKey: options['idempotency-key'] }),
  }
  if (options.all) return printAll(client, path, pairs, request)
  const response = await client.send(method, path, request)
  return { ...shown(response, options.include ?? false), exitCode: exitCodeOf(response.status) }
}

function pathOf(argument: string, command: string): string {
  if (URL.canParse(argument)) throw new UsageError('PATH must be a path; --url has the server', command)
  const path = argument.startsWith('/') ? argument : `/${argument.startsWith('v1/') ? '' : 'v1/'}${argument}`
  if (/^\/v1\/events\/stream\b/.test(path))
    throw new UsageError('a stream does not end; use events tail', 'events tail')
  return path
}

function pairOf(option: string, text: string, separator: string, command: string): [string, string] {
  const at = text.indexOf(separator)
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  throw new UsageError(`${option} must be NAME${separator}VALUE, not ${JSON.stringify(text)}`, command)
}

function headerOf(text: string, command: string): [string, string] {
  const [name, value] = pairOf('--header', text, ':', command)
  try {
    new Headers([[name, value]])
    return [name.toLowerCase(), value]
  } catch {
    throw new UsageError(`--header is not valid in HTTP: ${JSON.stringify(text)}`, command)
  }
}

const exitCodeOf = (status: number): number => (status < 300 ? 0 : Math.floor(status / 100))

/** Stored texts could otherwise control the terminal. */
const withoutControls = (text: string): string =>
  text.replace(
    /(?![\n\t])\p{Cc}/gu,
    (control) => `\\u${control.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )

function shown({ status, reason, headers, text }: ApiResponse, include: boolean): Output {
  const body = parsed(text)
  const isJson = body !== undefined
  const printed = process.stdout.isTTY
    ? withoutControls(isJson ? JSON.stringify(body, null, 2) : text.trimEnd())
    : text.trimEnd()
  const content = isJson ? body : text || undefined
  if (!include) return { json: content, text: printed }
  const head = [
    `HTTP ${status} ${reason}`.trim(),
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
  ]
  return {
    json: { status, headers: Object.fromEntries(headers), body: content ?? null },
    text: [...head, '', printed].join('\n').trimEnd(),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** All has been printed. */
const nothing: Output = { json: undefined, text: '' }

/** Follows the cursors and prints each item on a line; a page that fails is printed and ends it. */
async function printAll(
  client: Client,
  path: string,
  pairs: [string, string][],
  request: ApiRequest,
): Promise<Output> {
  let query = pairs
  for (;;) {
    const response = await client.send('GET', path, { ...request, query })
    const page = parsed(response.text) as
      | { data?: unknown; has_more?: boolean; next_cursor?: string }
      | undefined
    if (response.status !== 200 || !Array.isArray(page?.data))
      return { ...shown(response, false), exitCode: exitCodeOf(response.status) }
    for (const item of page.data) if (!(await printLine(JSON.stringify(item)))) return nothing
    if (!page.has_more || !page.next_cursor) return nothing
    query = [...pairs.filter(([name]) => name !== 'cursor'), ['cursor', page.next_cursor]]
  }
}
