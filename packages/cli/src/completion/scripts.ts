/** A command for completion. */
export type Word = {
  /** One word, or a group and a word. */
  name: string[]
  summary: string
  /** The values of its argument, where they are known. */
  choices: string[]
  options: { name: string; summary: string; takesValue: boolean; choices: string[] }[]
}

/** In single quotes, for bash and zsh. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const words = (texts: string[]) => quoted(texts.join(' '))

/** The words that may come first, with a summary; that of a group names its commands. */
function firstWords(commands: Word[]): { name: string; summary: string }[] {
  const groups = Map.groupBy(commands, ({ name }) => name[0]!)
  return [...groups].map(([name, below]) => {
    const isGroup = below[0]!.name.length > 1
    return { name, summary: isGroup ? below.map((each) => each.name[1]).join(', ') : below[0]!.summary }
  })
}

/** The groups, each with its commands. */
const groupsOf = (commands: Word[]) =>
  Map.groupBy(
    commands.filter(({ name }) => name.length > 1),
    ({ name }) => name[0]!,
  )

type OptionValue = { place: string; choices: string[] }

/** The options that take a value, each with its command: `keys create --environment`. */
const optionValues = (commands: Word[]): OptionValue[] =>
  commands.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((option) => ({ place: `${name.join(' ')} ${option.name}`, choices: option.choices })),
  )

/** The lines that complete the value of an option. */
function valueCases(commands: Word[], known: (choices: string[]) => string, others: string): string {
  const values = optionValues(commands)
  const lines = values
    .filter(({ choices }) => choices.length > 0)
    .map(({ place, choices }) => `    ${quoted(place)}) ${known(choices)}; return ;;`)
  const free = values.filter(({ choices }) => choices.length === 0).map(({ place }) => quoted(place))
  return [...lines, `    ${free.join('|')}) ${others} ;;`].join('\n')
}

/** The lines that find the command: its words are those before the cursor that are no options. */
const findCommand = (list: string, count: string) => `  local command= given= each
  for each in "\${${list}[@]:1:$((${count}))}"; do
    [[ $each == -* ]] && continue
    given="$given $each"
    case "\${given# }" in
`

function cases(commands: Word[]): string {
  const names = commands.map(({ name }) => quoted(name.join(' '))).join('|')
  const groups = [...groupsOf(commands).keys()].map(quoted).join('|')
  return `      ${names}) command=\${given# }; break ;;
      ${groups}) ;;
      *) break ;;
    esac
  done
`
}

export function bash(commands: Word[]): string {
  const reply = (candidates: string) => `COMPREPLY=($(compgen -W ${candidates} -- "$word"))`
  const options = commands.map(
    ({ name, options, choices }) =>
      `    ${quoted(name.join(' '))}) options=${words(options.map((each) => each.name))} choices=${words(choices)} ;;`,
  )
  const values = valueCases(commands, (choices) => reply(words(choices)), 'return')
  const groups = [...groupsOf(commands)].map(
    ([name, below]) => `    ${quoted(name)}) choices=${words(below.map((each) => each.name[1]!))} ;;`,
  )
  return `# bash completion of backline
_backline() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} options= choices=
${findCommand('COMP_WORDS', 'COMP_CWORD-1')}${cases(commands)}  case "$command $previous" in
${values}
  esac
  case "\${command:-\${given# }}" in
    '') choices=${words(firstWords(commands).map(({ name }) => name))} options='--json --help --version' ;;
${groups.join('\n')}
${options.join('\n')}
  esac
  if [[ $word == -* ]]; then choices=$options; fi
  ${reply('"$choices"')}
}
complete -o default -F _backline backline
`
}

export function zsh(commands: Word[]): string {
  const described = (each: { name: string; summary: string }) =>
    quoted(`${each.name.replaceAll(':', '\\:')}:${each.summary}`)
  const list = (entries: { name: string; summary: string }[]) => `(${entries.map(described).join(' ')})`
  const values = valueCases(
    commands,
    (choices) => `compadd -- ${choices.map(quoted).join(' ')}`,
    '_files; return',
  )
  const groups = [...groupsOf(commands)].map(([name, below]) => {
    const entries = below.map((each) => ({ name: each.name[1]!, summary: each.summary }))
    return `    ${quoted(name)}) choices=${list(entries)} ;;`
  })
  const options = commands.map(({ name, options, choices }) => {
    const entries = choices.map((choice) => quoted(choice.replaceAll(':', '\\:')))
    return `    ${quoted(name.join(' '))}) options=${list(options)} choices=(${entries.join(' ')}) ;;`
  })
  return `#compdef backline
_backline() {
  local word=\${words[CURRENT]} previous=\${words[CURRENT-1]}
  local -a options choices
${findCommand('words', 'CURRENT-2')}${cases(commands)}  case "$command $previous" in
${values}
  esac
  case "\${command:-\${given# }}" in
    '') choices=${list(firstWords(commands))} ;;
${groups.join('\n')}
${options.join('\n')}
  esac
  if [[ $word == -* ]]; then
    _describe option options
  elif (( \${#choices} )); then
    _describe value choices
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _backline ]]; then _backline "$@"; else compdef _backline backline; fi
`
}

export function fish(commands: Word[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const line = (place: string, rest: string) => `complete -c backline -n ${quote(place)} ${rest}`
  const lines = firstWords(commands).map(({ name, summary }) =>
    line('test -z "$(__backline_words)"', `-f -a ${name} -d ${quote(summary)}`),
  )
  for (const { name, summary, choices, options } of commands) {
    const [group, word] = name
    if (word) {
      const place = `test "$(__backline_words)" = ${group}`
      lines.push(line(place, `-f -a ${word} -d ${quote(summary)}`))
    }
    const within = `__backline_words | string match -qr "^${name.join(' ')}( |\\$)"`
    if (choices.length > 0) lines.push(line(within, `-f -a ${quote(choices.join(' '))}`))
    for (const option of options) {
      const value = option.takesValue ? (option.choices.length > 0 ? '-x' : '-r') : ''
      const values = option.choices.length > 0 ? `-a ${quote(option.choices.join(' '))}` : ''
      const flags = ['-l', option.name.slice(2), value, values, '-d', quote(option.summary)]
      lines.push(line(within, flags.filter(Boolean).join(' ')))
    }
  }
  return `# fish completion of backline
function __backline_words
    set -l words
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or set -a words $word
    end
    string join ' ' $words
end
${lines.join('\n')}
`
}
