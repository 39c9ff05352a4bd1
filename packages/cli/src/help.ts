import type { Command } from 'commander'
import type { Output } from './command.ts'
import type { Program } from './program.ts'

/** The help of a command, or the list of all commands below it. */
export async function helpOf(program: Program, json: boolean): Promise<Output> {
  const help = Object.assign(program.createHelp(), {
    helpWidth: process.stdout.columns ?? 110,
    showGlobalOptions: true,
    visibleCommands: () => (program.listed ? [] : program.runnable),
    subcommandTerm: (each: Command) => (each as Program).listed!.name,
  })
  const text = help.formatHelp(program, help).trimEnd()
  if (!json) return { json: null, text }
  const described = await Promise.all(
    program.runnable.map(async (each) => {
      await each.load()
      const { description = null, options } = each.spec!
      return {
        name: each.listed!.name,
        usage: help.commandUsage(each),
        summary: each.summary(),
        description,
        options: Object.entries(options).map(([name, { value, summary, short, required = false }]) => ({
          name: `--${name}`,
          short: short === undefined ? null : `-${short}`,
          value,
          summary,
          required,
        })),
      }
    }),
  )
  return { json: program.listed ? described[0] : { commands: described }, text }
}
