import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { expectations, run } from './command-line.ts'
import { cleanUp, temporaryDirectory } from './processes.ts'

/* `completion`: the scripts in real shells. */

const { succeed, refuse } = expectations(run)
const execute = promisify(execFile)

/** Words before the cursor, and what they must, and must not, be completed to. */
const cases: [line: string[], wanted: string[], unwanted: string[]][] = [
  [[''], ['keys', 'login', 'events'], ['create', '--json']],
  [['ke'], ['keys'], ['login']],
  [['keys', ''], ['create', 'list', 'revoke'], ['keys']],
  [['--json', 'events', ''], ['tail'], ['keys']],
  [
    ['keys', 'create', '--'],
    ['--environment', '--json'],
    ['--forward-to', 'create'],
  ],
  [['keys', 'create', '--environment', ''], ['live', 'test'], ['--name']],
  [['trigger', 'conversation.re'], ['conversation.resolved', 'conversation.reopened'], ['tag.created']],
  [['trigger', '--url', ''], [], ['tag.created']],
  [['import', ''], ['zendesk', 'ndjson'], ['login']],
  [['import', 'intercom', '--region', ''], ['us', 'eu', 'au'], ['--region']],
  [['completion', ''], ['bash', 'zsh', 'fish'], ['keys']],
]

/** Prints what `_backline` offers, one candidate a line. */
const drivers: Record<string, string> = {
  bash: `source "$SCRIPT"
COMP_WORDS=(backline "$@") COMP_CWORD=$#
_backline
printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Outside of an editor zsh offers no completion: these functions print what would be offered.
  zsh: `compdef() { :; }; _files() { :; }
compadd() { shift; print -rl -- "$@" }
_describe() { print -rl -- "\${\${(P)2}[@]//(#m)[^\\\\\\\\]:*/\${MATCH[1]}}" }
setopt extended_glob
source "$SCRIPT"
words=(backline "$@") CURRENT=$(($# + 1))
_backline`,
  fish: `source $SCRIPT
complete -C "backline $argv"`,
}

const isInstalled = (shell: string) =>
  execute(shell, ['--version']).then(
    () => true,
    () => false,
  )

after(cleanUp)

describe('completion', () => {
  let directory: string
  before(() => {
    directory = temporaryDirectory()
  })

  for (const [shell, driver] of Object.entries(drivers)) {
    test(`completes commands, options and values in ${shell}`, async (t) => {
      if (!(await isInstalled(shell))) return t.skip(`${shell} is not installed`)
      const script = join(directory, shell)
      writeFileSync(script, await succeed({}, 'completion', shell))
      for (const [line, wanted, unwanted] of cases) {
        const args = shell === 'fish' ? ['-c', driver, '--', ...line] : ['-c', driver, shell, ...line]
        const { stdout } = await execute(shell, shell === 'bash' ? ['--norc', ...args] : args, {
          env: { PATH: process.env.PATH!, HOME: directory, SCRIPT: script, LC_ALL: 'C.UTF-8' },
          cwd: directory,
        })
        const word = line.at(-1)!
        const offered = stdout.split('\n').map((each) => each.split('\t')[0]!)
        const fitting = offered.filter((each) => each.startsWith(word))
        for (const each of wanted)
          assert.ok(fitting.includes(each), `${line.join(' ')}: no ${each} in ${offered}`)
        for (const each of unwanted)
          assert.ok(!fitting.includes(each), `${line.join(' ')}: ${each} in ${offered}`)
      }
    })
  }

  test('names the shells that it knows', async () => {
    await refuse(2, /SHELL must be bash, zsh or fish, not "tcsh"/, {}, 'completion', 'tcsh')
    await refuse(2, /missing required argument 'SHELL'/, {}, 'completion')
  })
})
