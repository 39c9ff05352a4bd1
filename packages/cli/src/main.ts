import { invocation } from '@backline/server/compose/invocation.ts'
import type { Output } from './command.ts'
import { explain, UsageError } from './errors.ts'
import { helpOf } from './help.ts'
import { HelpAsked, parse } from './program.ts'

/** The final output of a command, on stdout or, if it failed, on stderr. */
export type Result = { exitCode: number; stream: 'stdout' | 'stderr'; text: string }

/**
 * Runs the command of a command line. Null if it continues in the background and ends the process itself.
 * @param environment the settings; by default those of the process
 */
export async function run(args: string[], environment?: NodeJS.ProcessEnv): Promise<Result | null> {
  const json = wantsJson(args)
  try {
    const output = await outputOf(args, json, environment)
    if (!output) return null
    const text = (json ? JSON.stringify(output.json) : output.text) ?? ''
    return { exitCode: output.exitCode ?? 0, stream: 'stdout', text }
  } catch (error) {
    const { exitCode, ...explanation } = await explain(error)
    const text = json
      ? JSON.stringify({ error: { ...explanation, exit_code: exitCode } })
      : [`error: ${explanation.message}`, explanation.stack, hintOf(error)].filter(Boolean).join('\n')
    return { exitCode, stream: 'stderr', text }
  }
}

/** Checked before parsing, so that parse errors have the right format too. Arguments after `--` are not options. */
const wantsJson = (args: string[]): boolean =>
  (args.includes('--') ? args.slice(0, args.indexOf('--')) : args).includes('--json')

async function outputOf(
  args: string[],
  json: boolean,
  environment: NodeJS.ProcessEnv | undefined,
): Promise<Output | null> {
  try {
    const { command, given } = await parse(args)
    return await command.run({ ...given, json, environment })
  } catch (error) {
    if (error instanceof HelpAsked) return helpOf(error.program, json)
    throw error
  }
}

const hintOf = (error: unknown): string | null =>
  error instanceof UsageError
    ? `try: ${[invocation, error.command, '--help'].filter(Boolean).join(' ')}`
    : null

export async function main(args: string[]): Promise<void> {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    if (name === 'ExperimentalWarning') return // of Node before 25 about its SQLite
    const warning = wantsJson(args) ? JSON.stringify({ warning: message }) : `warning: ${message}`
    process.stderr.write(`${warning}\n`)
  })
  // The writing code handles its own errors.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const result = await run(args)
  if (result) await end(result)
}

/** Ends the process when all output is written, although connections may still be closing. */
async function end({ exitCode, stream, text }: Result): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    process[stream].write(text === '' ? '' : `${text}\n`, resolve)
  })
  // A reader that stops early (`… | head`) is not an error; a full disk is.
  const isLost = error && error.code !== 'EPIPE'
  process.exit(isLost ? 1 : exitCode)
}

if (import.meta.main) await main(process.argv.slice(2))
