import { type Command, invocation, type Output, usageOf } from './command.ts'

const everywhere = [
  ['--json', 'Output and errors for programs'],
  ['--help', 'Explain the command'],
] as const

/** Of one command, or of all. */
export function help(commands: readonly Command[], command: Command | null): Output {
  return command
    ? { json: describe(command), text: explain(command) }
    : { json: overview(commands), text: list(commands) }
}

const describe = (command: Command) => ({
  name: command.name,
  usage: `${invocation} ${usageOf(command)}`,
  summary: command.summary,
  description: command.description ?? null,
  options: Object.entries(command.options).map(([name, { value, summary, required = false }]) => ({
    name: `--${name}`,
    value,
    summary,
    required,
  })),
})

const overview = (commands: readonly Command[]) => ({ commands: commands.map(describe) })

const columns = (rows: (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

const list = (commands: readonly Command[]): string => `Usage: ${invocation} COMMAND …

${columns(commands.map(({ name, argument, summary }) => [[name, argument].filter(Boolean).join(' '), summary]))}

Every command has
${columns([...everywhere])}

Settings are environment variables; doctor shows those that are set.`

const explain = (command: Command): string => {
  const own = Object.entries(command.options).map(
    ([name, { value, summary }]) => [`--${name} ${value}`.trim(), summary] as const,
  )
  return `Usage: ${invocation} ${usageOf(command)}

${[`${command.summary}.`, command.description].filter(Boolean).join('\n\n')}

${columns([...own, ...everywhere])}`
}
