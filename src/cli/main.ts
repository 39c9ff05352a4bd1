import { readArguments, wantsJson } from './arguments.ts'
import { type Command, defineCommand, invocation, type Output } from './command.ts'
import { explain, UsageError } from './errors.ts'
import { help } from './help.ts'

/** All commands there are. Each is loaded when it runs, so that --help needs not wait for the rest. */
export const commands: Command[] = [
  defineCommand({
    name: 'serve',
    summary: 'Serve until told to stop, as npm start does',
    options: {},
    run: async (input) => (await import('./serve.ts')).serve(input),
  }),
  defineCommand({
    name: 'migrate',
    summary: 'Apply the migrations that the database lacks',
    options: {},
    run: async () => (await import('./migrate.ts')).migrate(),
  }),
  defineCommand({
    name: 'distribute',
    summary: 'Spread the tables over the servers of a Citus cluster',
    description: `Rows are spread by their environment; the journal and what follows it stay on the coordinator, and small tables
are copied to every server. What is in its place is left alone, so it can be run again. Stop all servers of
Backline first: tables are locked while their rows move. docs/scaling.md says what to expect of a cluster.`,
    options: { 'dry-run': { value: '', flag: true, summary: 'Only say what would be done' } },
    run: async (input) => (await import('./distribute.ts')).distribute(input),
  }),
  defineCommand({
    name: 'workspaces create',
    argument: 'NAME',
    summary: 'Create a workspace with a live and a test environment',
    options: {},
    run: async (input) => (await import('./workspaces-create.ts')).createNamedWorkspace(input),
  }),
  defineCommand({
    name: 'workspaces list',
    summary: 'List all workspaces',
    options: {},
    run: async () => (await import('./workspaces-list.ts')).listAllWorkspaces(),
  }),
  defineCommand({
    name: 'keys create',
    summary: 'Create an API key and print it, alone and this once',
    options: {
      workspace: { value: 'NAME', summary: 'The workspace it is for', required: true },
      environment: {
        value: 'live|test',
        summary: 'The environment it opens',
        required: true,
        choices: ['live', 'test'],
      },
      scopes: {
        value: 'LIST',
        summary: 'What it may do: conversations:read,messages:write or *',
        required: true,
        list: true,
      },
      name: { value: 'NAME', summary: 'To tell it from other keys', required: true },
      'expires-at': { value: 'TIME', summary: 'When it expires: 2027-01-31T00:00:00Z' },
      'allowed-cidrs': { value: 'LIST', summary: 'Where it may be used: 203.0.113.0/24,::1', list: true },
    },
    run: async (input) => (await import('./keys-create.ts')).createKey(input),
  }),
  defineCommand({
    name: 'keys list',
    summary: 'List the API keys of a workspace, without their secrets',
    options: { workspace: { value: 'NAME', summary: 'The workspace', required: true } },
    run: async (input) => (await import('./keys-list.ts')).listKeys(input),
  }),
  defineCommand({
    name: 'keys revoke',
    argument: 'ID',
    summary: 'Revoke an API key: within a second no server accepts it',
    options: {},
    run: async (input) => (await import('./keys-revoke.ts')).revokeKey(input),
  }),
  defineCommand({
    name: 'listen',
    summary: 'Forward events to a receiver on this machine, signed as webhooks are',
    description: `It follows the events of the key's environment and POSTs each to the receiver, one after another, signed with a
secret that it makes and prints when it starts. An answer other than 2xx, or none within 15 seconds, is shown and
not tried again; start it again with --since to have events sent again. Ctrl-C ends it.`,
    options: {
      key: { value: 'KEY', summary: 'An API key with the scope events:read', required: true },
      'forward-to': {
        value: 'URL',
        summary: 'The receiver, private or not: http://127.0.0.1:3000/hook',
        required: true,
      },
      url: { value: 'URL', summary: 'The server; BACKLINE_PUBLIC_URL unless given' },
      events: {
        value: 'LIST',
        summary: "Types of events: 'conversation.*,message.created'; all unless given",
        list: true,
      },
      payload: {
        value: 'full|thin',
        summary: 'thin leaves data out; full unless given',
        choices: ['full', 'thin'],
      },
      since: { value: 'CURSOR', summary: 'Begin after this cursor instead of with what happens from now on' },
    },
    run: async (input) => (await import('./listen.ts')).listen(input),
  }),
  defineCommand({
    name: 'openapi',
    summary: 'Print the OpenAPI document',
    options: {},
    run: async () => (await import('./openapi.ts')).printOpenapi(),
  }),
  defineCommand({
    name: 'doctor',
    summary: 'Say what is configured, reachable and migrated, and what to do about what is not',
    options: {},
    run: async () => (await import('./doctor.ts')).doctor(),
  }),
]

async function main(args: string[]): Promise<void> {
  const json = wantsJson(args)
  process.removeAllListeners('warning')
  process.on('warning', ({ message }) => {
    process.stderr.write(json ? `${JSON.stringify({ warning: message })}\n` : `warning: ${message}\n`)
  })
  // Writing that fails is dealt with where it is done.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  try {
    const output = await run(args)
    if (output)
      await end(process.stdout, json ? JSON.stringify(output.json) : output.text, output.exitCode ?? 0)
  } catch (error) {
    const { exitCode, ...explanation } = explain(error)
    const text = json
      ? JSON.stringify({ error: { ...explanation, exit_code: exitCode } })
      : [`error: ${explanation.message}`, explanation.stack, hintOf(error)].filter(Boolean).join('\n')
    await end(process.stderr, text, exitCode)
  }
}

async function run(args: string[]): Promise<Output | null> {
  const request = readArguments(commands, args)
  return request.kind === 'help' ? help(commands, request.command) : request.command.run(request.input)
}

const hintOf = (error: unknown): string | null =>
  error instanceof UsageError
    ? `try: ${[invocation, error.command, '--help'].filter(Boolean).join(' ')}`
    : null

/** Ends the process when all is written, whatever connection may still be closing. */
async function end(stream: NodeJS.WriteStream, text: string, exitCode: number): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    stream.write(`${text}\n`, resolve)
  })
  // A reader that has seen enough (`… | head`) is no failure; a full disk is.
  const isLost = error && error.code !== 'EPIPE'
  process.exit(isLost ? 1 : exitCode)
}

if (import.meta.main) await main(process.argv.slice(2))
