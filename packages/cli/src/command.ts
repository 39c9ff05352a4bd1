export type OptionSpec = {
  /** The placeholder of the value in the help: `NAME`, or the choices. Empty for a flag. */
  value: string
  summary: string
  /** One letter: `d` for `-d`. */
  short?: string
  required?: true
  /** A flag without a value. */
  flag?: true
  /** Several values, separated by commas or by repeating the option. */
  list?: true
  /** Several values, by repeating the option. */
  repeat?: true
  choices?: readonly string[]
}

export type OptionSpecs = Record<string, OptionSpec>

type ValueOf<O extends OptionSpec> = O extends { flag: true }
  ? true
  : O extends { list: true } | { repeat: true }
    ? string[]
    : O extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string

type ValuesOf<O extends OptionSpecs> = {
  [Name in keyof O]: O[Name] extends { required: true } ? ValueOf<O[Name]> : ValueOf<O[Name]> | undefined
}

export type Input<O extends OptionSpecs = OptionSpecs> = {
  /** The positional argument; empty for commands without one. */
  argument: string
  options: ValuesOf<O>
  json: boolean
  /** The settings; by default those of the process. */
  environment: NodeJS.ProcessEnv | undefined
}

/** The output of a command: `json` with --json, `text` otherwise. Undefined and the empty text print nothing. */
export type Output = { json: unknown; text: string; exitCode?: number }

export type CommandSpec = {
  /** The positional argument, such as `NAME`. */
  argument?: string
  argumentIsOptional?: true
  /** The values of the argument, where they are known. */
  argumentChoices?: readonly string[]
  /** Other values that somebody may expect, and what an error says of them. */
  refusedArguments?: Readonly<Record<string, string>>
  /** Shown in the help of the command, below its summary. */
  description?: string
  options: OptionSpecs
  /** Null if the command continues in the background and ends the process itself. */
  run(input: Input): Promise<Output | null>
}

export type ListedCommand = {
  /** One word or two: `keys create`. */
  name: string
  /** The heading in the list of commands. */
  group: string
  summary: string
  load(): Promise<{ command: CommandSpec }>
}

/** Gives `run` the types of its options, with the required ones defined. */
export const defineCommand = <const O extends OptionSpecs>(
  command: Omit<CommandSpec, 'run' | 'options'> & {
    options: O
    run(input: Input<O>): Promise<Output | null>
  },
): CommandSpec => command as unknown as CommandSpec
