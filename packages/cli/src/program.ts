import { invocation } from '@backline/server/compose/invocation.ts'
import { Command, type HelpContext, Option } from 'commander'
import type { CommandSpec, Input, OptionSpec } from './command.ts'
import { commands, type ListedCommand } from './commands.ts'
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

type Given = Pick<Input, 'argument' | 'options'>

/** Finds the command of a command line and its arguments. @throws UsageError, HelpAsked */
export async function parse(args: string[]): Promise<{ command: CommandSpec; given: Given }> {
  const root = new Program(invocation)
    .description('Settings are environment variables. Run doctor to see which are set.')
    .option('--json', 'Print output and errors as JSON')
  let chosen = root
  for (const listed of commands) {
    const program = root.below(listed.name).summary(listed.summary)
    program.listed = listed
    program.action(() => {
      chosen = program
    })
  }
  await root.parseAsync(args[0] === 'help' ? [...args.slice(1), '--help'] : args, { from: 'user' })
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
    const { argument, description, options } = this.spec
    for (const [name, option] of Object.entries(options)) this.addOption(this.#optionOf(name, option))
    if (argument) this.argument(`<${argument}>`)
    const required = this.options.filter(({ long }) => options[long!.slice(2)]!.required)
    this.usage(
      [...required.map(({ flags }) => flags), '[options]', argument && `<${argument}>`]
        .filter(Boolean)
        .join(' '),
    )
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
    return { argument: this.args[0] ?? '', options }
  }

  #optionOf(name: string, spec: OptionSpec): Option {
    if (spec.flag) return new Option(`--${name}`, spec.summary)
    const read = (text: string, before: string | string[] | undefined) => {
      // An empty item is kept and rejected: an unset shell variable must not become "no restriction".
      if (spec.list) return [...(before ?? []), ...text.split(',').map((item) => item.trim())]
      if (before !== undefined) this.error(`--${name} must be given only once`)
      if (spec.choices?.includes(text) ?? true) return text
      const detail = `must be ${listOf([...spec.choices!], 'or')}, not ${JSON.stringify(text)}`
      const fault = { argument: `--${name}`, code: 'not_allowed' as const, detail }
      throw new UsageError(`--${name} ${detail}`, this.listed!.name, [fault])
    }
    return new Option(`--${name} <${spec.value}>`, spec.summary).argParser(read)
  }

  override error(message: string): never {
    const line = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
    throw new UsageError(line, this.listed?.name ?? (this.parent && this.name()))
  }

  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    if (typeof context !== 'object' || !context.error) throw new HelpAsked(this)
    this.error(
      `a command is required; available commands: ${this.runnable.map(({ listed }) => listed!.name).join(', ')}`,
    )
  }
}
