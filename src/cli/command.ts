/** How a person starts us. */
export const invocation = 'npm run -s backline --'

export type Option = {
  /** What stands for the value in the help: `NAME`, or the choices. */
  value: string
  summary: string
  required?: true
  /** It is given or not, and takes no value: `value` is empty. */
  flag?: true
  /** Several values, separated by commas or by giving the option again. */
  list?: true
  choices?: readonly string[]
}

type Options = Record<string, Option>

type ValueOf<O extends Option> = O extends { flag: true }
  ? true
  : O extends { list: true }
    ? string[]
    : O extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string

export type ValuesOf<O extends Options> = {
  [Name in keyof O]: O[Name] extends { required: true } ? ValueOf<O[Name]> : ValueOf<O[Name]> | undefined
}

export type Input<O extends Options = Options> = {
  /** The one argument without a name; empty for commands without one. */
  argument: string
  options: ValuesOf<O>
  json: boolean
}

/** What a command has to say: `json` with --json, `text` otherwise. */
export type Output = { json: unknown; text: string; exitCode?: number }

export type Command = {
  /** One word or two: `keys create`. */
  name: string
  /** The argument that must follow, such as `NAME`. */
  argument?: string
  summary: string
  /** What one must know besides, shown in the help of the command alone. */
  description?: string
  options: Options
  /** Null: it goes on in the background, and ends the process itself. */
  run(input: Input): Promise<Output | null>
}

/** Lets `run` know which options there are, and which of them are always given. */
export const defineCommand = <const O extends Options>(
  command: Omit<Command, 'run' | 'options'> & {
    options: O
    run(input: Input<O>): Promise<Output | null>
  },
): Command => command as unknown as Command

/** `keys create --workspace NAME … [--expires-at TIME]` */
export function usageOf({ name, argument, options }: Command): string {
  const parts = Object.entries(options).map(([option, { value, required }]) =>
    required ? `--${option} ${value}` : `[${`--${option} ${value}`.trim()}]`,
  )
  return [name, argument, ...parts].filter(Boolean).join(' ')
}
