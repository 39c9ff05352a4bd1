import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { run as runCommand } from '@backline/cli/main.ts'

/* Runs commands as people and scripts do, in this process or in another. */

export type Environment = Record<string, string>
export type Result = { code: number | null; stdout: string; stderr: string }

/** Runs a command in this process. */
export async function run(environment: Environment, ...args: string[]): Promise<Result> {
  const { exitCode, stream, text } = (await runCommand(args, environment))!
  return { code: exitCode, stdout: '', stderr: '', [stream]: text === '' ? '' : `${text}\n` }
}

/** Runs a command in another process, with this text on stdin. */
export async function runWithInput(
  input: string,
  environment: Environment,
  ...args: string[]
): Promise<Result> {
  const command = spawn(process.execPath, ['packages/cli/src/main.ts', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, ...environment },
  })
  command.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, 'close'),
  ])
  return { code, stdout, stderr }
}

type Check = { name: string; status: string; detail: string; advice: string | null; facts: Environment }

export const newKey = (...more: string[]) => ['keys', 'create', '--scopes', '*', '--name', 'cli', ...more]

/** Assertions on the results of commands, for one way to run them. */
export function expectations(runIt: typeof run) {
  async function succeed(environment: Environment, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runIt(environment, ...args)
    assert.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`)
    assert.equal(stderr, '')
    return stdout
  }

  // biome-ignore lint/suspicious/noExplicitAny: output is what the tests are about
  const json = async (environment: Environment, ...args: string[]): Promise<any> =>
    JSON.parse(await succeed(environment, ...args, '--json'))

  /** Asserts that the command fails with this exit code and one line with this message, without a stack. */
  async function refuse(
    code: 1 | 2,
    message: RegExp,
    environment: Environment,
    ...args: string[]
  ): Promise<void> {
    const result = await runIt(environment, ...args)
    assert.equal(result.code, code, `${args.join(' ')}\n${result.stdout}${result.stderr}`)
    assert.equal(result.stdout, '')
    const [first, second, ...more] = result.stderr.trimEnd().split('\n')
    assert.match(first!, message)
    assert.match(first!, /^error: /)
    if (code === 2) assert.match(second!, /^try: npm run -s backline -- .*--help$/)
    else assert.equal(second, undefined)
    assert.deepEqual(more, [])
  }

  /** The report of `doctor`. */
  async function diagnose(environment: Environment) {
    const { code, stdout, stderr } = await runIt(environment, 'doctor', '--json')
    assert.equal(stderr, '')
    const report = JSON.parse(stdout) as { ok: boolean; checks: Check[] }
    assert.equal(report.ok, code === 0)
    return {
      code,
      check: (name: string) =>
        report.checks.find((check) => check.name === name) ?? assert.fail(`${name}\n${stdout}`),
    }
  }
  return { succeed, json, refuse, diagnose }
}

/** Returns the status of the response to a request with a key. */
export async function statusWith(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/workspace`, { headers: { authorization: `Bearer ${key}` } })
  await response.body?.cancel()
  return response.status
}
