import { parseArgs } from 'node:util'
import type { Command, Input, Option } from './command.ts'
import { UsageError } from './errors.ts'
import { listOf } from './text.ts'

export type Request =
  | { kind: 'help'; command: Command | null; json: boolean }
  | { kind: 'run'; command: Command; input: Input }

/** What follows `--` is no option, whatever it looks like. */
const beforeDashes = (args: string[]) => (args.includes('--') ? args.slice(0, args.indexOf('--')) : args)

/** Is JSON asked for? Answered before anything is understood, so that errors have the right form too. */
export const wantsJson = (args: string[]): boolean => beforeDashes(args).includes('--json')

/** Reads a command line. @throws UsageError */
export function readArguments(commands: readonly Command[], args: string[]): Request {
  const json = wantsJson(args)
  const words = args.filter((arg) => arg !== '--json' && arg !== '--help' && arg !== '-h')
  const named = commands.find(({ name }) => name.split(' ').every((word, i) => word === words[i])) ?? null
  const own = beforeDashes(args)
  if (own.includes('--help') || own.includes('-h') || (words.length === 1 && words[0] === 'help'))
    return { kind: 'help', command: named, json }
  const command = named ?? refuseUnknown(commands, words)
  return { kind: 'run', command, input: { ...readOptions(command, withoutName(command, args)), json } }
}

function refuseUnknown(commands: readonly Command[], words: string[]): never {
  const [first, second] = words
  const names = commands.map(({ name }) => name)
  if (first === undefined) throw new UsageError(`a command is missing; there are: ${names.join(', ')}`)
  if (first.startsWith('-')) throw new UsageError(`the command comes first, then ${first}`)
  const group = names.filter((name) => name.startsWith(`${first} `))
  if (group.length === 0)
    throw new UsageError(`there is no command ${JSON.stringify(first)}; there are: ${names.join(', ')}`)
  const given =
    second === undefined ? `${first} is not a whole command` : `there is no command "${first} ${second}"`
  throw new UsageError(`${given}; there are: ${group.join(', ')}`)
}

/** The arguments after the command's words; --json may stand before and between them. */
function withoutName({ name }: Command, args: string[]): string[] {
  const rest = [...args]
  for (const word of name.split(' ')) rest.splice(rest.indexOf(word), 1)
  return rest
}

function readOptions(command: Command, args: string[]): Omit<Input, 'json'> {
  const { name, options } = command
  const { values, positionals } = parse(command, args)
  const given = (option: string) => (values as Record<string, string[]>)[option]
  for (const [option, spec] of Object.entries(options)) {
    if (!spec.list && (given(option)?.length ?? 0) > 1)
      throw new UsageError(`--${option} is given twice`, name)
  }
  const missing = Object.keys(options).filter((option) => options[option]!.required && !given(option))
  const absent = missing.map((option) => `--${option}`)
  if (command.argument && positionals.length === 0) absent.unshift(command.argument)
  if (absent.length > 0)
    throw new UsageError(`${listOf(absent)} ${absent.length > 1 ? 'are' : 'is'} missing`, name)
  const extra = positionals[command.argument ? 1 : 0]
  if (extra !== undefined) throw new UsageError(`${JSON.stringify(extra)} is one argument too many`, name)
  const read = Object.entries(options).map(([option, spec]) => [
    option,
    readValue(command, option, spec, given(option)),
  ])
  return { argument: positionals[0] ?? '', options: Object.fromEntries(read) }
}

function parse(command: Command, args: string[]) {
  const known = Object.entries(command.options).map(([option, { flag }]) => [
    option,
    { type: flag ? 'boolean' : 'string', multiple: true },
  ])
  try {
    return parseArgs({
      args,
      options: { ...Object.fromEntries(known), json: { type: 'boolean' } },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(faultOf(command, error as Error & { code?: string }), command.name)
  }
}

/** `parseArgs` explains at length; its first sentence names the option. */
function faultOf(command: Command, error: Error & { code?: string }): string {
  const [, option = ''] = /'(-[^' ]*)/.exec(error.message) ?? []
  const known = [...Object.keys(command.options), 'json', 'help'].map((name) => `--${name}`)
  switch (error.code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return `${command.name} has no option ${option}; it has ${listOf(known)}`
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return known.includes(option) && option !== '--json' && !command.options[option.slice(2)]?.flag
        ? `${option} needs a value`
        : `${option} takes no value`
    default:
      throw error
  }
}

function readValue(command: Command, option: string, spec: Option, given: string[] | undefined) {
  if (!given) return undefined
  if (spec.flag) return true
  // An empty item stays one, and is refused: an unset shell variable must not become "no restriction".
  if (spec.list) return given.flatMap((text) => text.split(',')).map((text) => text.trim())
  const [text = ''] = given
  if (spec.choices && !spec.choices.includes(text)) {
    const message = `must be ${listOf([...spec.choices], 'or')}, not ${JSON.stringify(text)}`
    throw new UsageError(`--${option} ${message}`, command.name, [
      { argument: `--${option}`, code: 'not_allowed', detail: message },
    ])
  }
  return text
}
