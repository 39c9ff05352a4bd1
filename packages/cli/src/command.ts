export type OptionSpec = {
  /** What stands for the value in the help: `NAME`, or the choices. Empty for a flag. */
  value: string
  summary: string
  required?: true
  /** It is given or not, and takes no value. */
  flag?: true
  /** Several values, separated by commas or by giving the option again. */
  list?: true
  choices?: readonly string[]
}

type OptionSpecs = Record<string, OptionSpec>

type ValueOf<O extends OptionSpec> = O extends { flag: true }
  ? true
  : O extends { list: true }
    ? string[]
    : O extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string

type ValuesOf<O extends OptionSpecs> = {
  [Name in keyof O]: O[Name] extends { required: true } ? ValueOf<O[Name]> : ValueOf<O[Name]> | undefined
}

export type Input<O extends OptionSpecs = OptionSpecs> = {
  /** The one argument without a name; empty for commands without one. */
  argument: string
  options: ValuesOf<O>
  json: boolean
  /** The settings; those of the process unless given. */
  environment: NodeJS.ProcessEnv | undefined
}

/** What a command has to say: `json` with --json, `text` otherwise. */
export type Output = { json: unknown; text: string; exitCode?: number }

export type CommandSpec = {
  /** The argument that must follow, such as `NAME`. */
  argument?: string
  /** Shown in the help of the command, below its summary. */
  description?: string
  options: OptionSpecs
  /** Null: it goes on in the background, and ends the process itself. */
  run(input: Input): Promise<Output | null>
}

/** Lets `run` know which options there are, and which of them are always given. */
export const defineCommand = <const O extends OptionSpecs>(
  command: Omit<CommandSpec, 'run' | 'options'> & {
    options: O
    run(input: Input<O>): Promise<Output | null>
  },
): CommandSpec => command as unknown as CommandSpec
