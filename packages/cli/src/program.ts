import { invocation } from '@backline/server/compose/invocation.ts'
import { nearest } from '@backline/server/platform/kernel/spelling.ts'
import { Command, type HelpContext, Option } from 'commander'
import type { CommandSpec, Input, ListedCommand, OptionSpec } from './command.ts'
import { commands } from './commands.ts'
import { UsageError } from './errors.ts'
import { listOf } from './text.ts'

/** The help of a command, or the list of commands, was requested. */
export class HelpAsked extends Error {
  readonly program: Program
  constructor(program: Program) {
    super('--help')
    this.program = program
  }
}

class VersionAsked extends Error {}

const maxNamedChoices = 5

type Given = Pick<Input, 'argument' | 'options'>

/** Finds the command of a command line and its arguments. @throws UsageError, HelpAsked */
export async function parse(args: string[]): Promise<{ command: CommandSpec; given: Given }> {
  const root = new Program(invocation)
    .description('Settings are environment variables. Run doctor to see which are set.')
    .option('--json', 'Print output and errors as JSON')
    .option('-V, --version', 'Print the version')
  let chosen = root
  for (const listed of commands) {
    const program = root.below(listed.name).summary(listed.summary).helpGroup(`${listed.group}:`)
    program.listed = listed
    program.action(() => {
      chosen = program
    })
  }
  root.on('option:version', () => {
    throw new VersionAsked()
  })
  try {
    await root.parseAsync(args[0] === 'help' ? [...args.slice(1), '--help'] : args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof VersionAsked)) throw error
    chosen = root.below('version')
    await chosen.load()
  }
  return { command: chosen.spec!, given: chosen.given() }
}

/** A commander command that throws where commander prints and ends the process. */
export class Program extends Command {
  /** The runnable command; null for groups such as `keys`. */
  listed: ListedCommand | null = null
  /** Set once it is loaded: loading all commands takes a second. */
  spec: CommandSpec | null = null

  constructor(name?: string) {
    super(name)
    this.helpCommand(false).helpOption('-h, --help', 'Show help for the command')
    this.hook('preSubcommand', (_, next) => (next as Program).load())
  }

  override createCommand(name?: string): Program {
    return new Program(name)
  }

  /** The command of this name: `keys create` is below `keys`. */
  below(name: string): Program {
    return name.split(' ').reduce((parent: Program, word) => {
      const known = parent.commands.find((each) => each.name() === word)
      return (known ?? parent.command(word)) as Program
    }, this)
  }

  /** All runnable commands: itself, or those below it. */
  get runnable(): Program[] {
    return this.listed ? [this] : this.commands.flatMap((each) => (each as Program).runnable)
  }

  async load(): Promise<void> {
    if (!this.listed || this.spec) return
    this.spec = (await this.listed.load()).command
    const { argument, argumentIsOptional, description, options } = this.spec
    for (const [name, option] of Object.entries(options)) this.addOption(this.#optionOf(name, option))
    const shown = argument && (argumentIsOptional ? `[${argument}]` : `<${argument}>`)
    if (shown) this.argument(shown)
    const required = this.options.filter(({ long }) => options[long!.slice(2)]!.required)
    this.usage([...required.map(({ flags }) => flags), '[options]', shown].filter(Boolean).join(' '))
    this.description([`${this.summary()}.`, description].filter(Boolean).join('\n\n'))
  }

  /** The values of the argument and the options. */
  given(): Given {
    const specs = Object.entries(this.spec!.options)
    const options = Object.fromEntries(
      this.options.map((option) => [option.long!.slice(2), this.getOptionValue(option.attributeName())]),
    )
    const missing = specs.filter(([name, { required }]) => required && options[name] === undefined)
    const names = listOf(missing.map(([name]) => `--${name}`))
    if (missing.length > 0) this.error(`${names} ${missing.length > 1 ? 'are' : 'is'} required`)
    return { argument: this.#argument(), options }
  }

  #argument(): string {
    const given = this.args[0] ?? ''
    const {
      argument,
      argumentIsOptional,
      argumentChoices: choices,
      refusedArguments: reasons = {},
    } = this.spec!
    if (!choices || choices.includes(given) || (given === '' && argumentIsOptional)) return given
    const reason = Object.hasOwn(reasons, given) ? reasons[given] : undefined
    if (reason !== undefined) this.error(`${given} ${reason}`)
    const likely = nearest(given, [...choices])
    const hint = likely === null ? '' : `; did you mean ${likely}?`
    const all =
      choices.length <= maxNamedChoices ? `must be ${listOf([...choices], 'or')}, not` : 'is not known:'
    this.error(`${argument} ${all} ${JSON.stringify(given)}${hint}`)
  }

  #optionOf(name: string, spec: OptionSpec): Option {
    const flags = spec.short ? `-${spec.short}, --${name}` : `--${name}`
    if (spec.flag) return new Option(flags, spec.summary)
    const read = (text: string, before: string | string[] | undefined) => {
      // An empty item is kept and rejected: an unset shell variable must not become "no restriction".
      if (spec.repeat) return [...(before ?? []), text]
      if (spec.list) return [...(before ?? []), ...text.split(',').map((item) => item.trim())]
      if (before !== undefined) this.error(`--${name} must be given only once`)
      if (spec.choices?.includes(text) ?? true) return text
      const detail = `must be ${listOf([...spec.choices!], 'or')}, not ${JSON.stringify(text)}`
      const fault = { argument: `--${name}`, code: 'not_allowed' as const, detail }
      throw new UsageError(`--${name} ${detail}`, this.listed!.name, [fault])
    }
    return new Option(`${flags} <${spec.value}>`, spec.summary).argParser(read)
  }

  override error(message: string): never {
    const line = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
    if (/^unknown option/.test(line) && !this.listed) {
      const place = this.parent ? `after ${this.name()} and its command` : 'after the command'
      throw new UsageError(`${line}; options of a command come ${place}`, this.parent && this.name())
    }
    throw new UsageError(line, this.listed?.name ?? (this.parent && this.name()))
  }

  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    if (typeof context !== 'object' || !context.error) throw new HelpAsked(this)
    this.error(
      `a command is required; available commands: ${this.runnable.map(({ listed }) => listed!.name).join(', ')}`,
    )
  }
}
