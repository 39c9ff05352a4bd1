import { type CommandSpec, defineCommand, type ListedCommand } from './command.ts'
import { bash, fish, type Word, zsh } from './completion/scripts.ts'

const scripts = { bash, zsh, fish }

/** The script holds all names; completing starts no program. */
export const completionOf = (commands: ListedCommand[]): CommandSpec =>
  defineCommand({
    argument: 'SHELL',
    argumentChoices: Object.keys(scripts),
    description: `Load it at the start of the shell:
  bash  eval "$(backline completion bash)"                         in ~/.bashrc
  zsh   eval "$(backline completion zsh)"                          in ~/.zshrc, after compinit
  fish  backline completion fish > ~/.config/fish/completions/backline.fish`,
    options: {},
    async run({ argument: shell }) {
      const script = scripts[shell as keyof typeof scripts](await allWords(commands))
      return { json: { shell, script }, text: script.trimEnd() }
    },
  })

async function allWords(commands: ListedCommand[]): Promise<Word[]> {
  return Promise.all(
    commands.map(async ({ name, summary, load }) => {
      const { argumentChoices = [], options } = (await load()).command
      return {
        name: name.split(' '),
        summary,
        choices: [...argumentChoices],
        options: [
          ...Object.entries(options).map(([option, spec]) => ({
            name: `--${option}`,
            summary: spec.summary,
            takesValue: !spec.flag,
            choices: [...(spec.choices ?? [])],
          })),
          { name: '--json', summary: 'Print output and errors as JSON', takesValue: false, choices: [] },
          { name: '--help', summary: 'Show help for the command', takesValue: false, choices: [] },
        ],
      }
    }),
  )
}
