import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Client } from './harness.ts'
import { launch, temporaryDirectory } from './processes.ts'

/* Follows pages of docs/ as a reader does. */

export const guideOf = (page: string): string =>
  readFileSync(join(import.meta.dirname, '../docs', page), 'utf8')

type Block = { language: string; name: string; text: string; line: number }

export function blocksOf(page: string): Block[] {
  const guide = guideOf(page)
  return [...guide.matchAll(/^```(\w+) ?(\w*)\n(.*?)^```$/gms)].map(
    ({ 1: language, 2: name, 3: text, index }) => ({
      language: language!,
      name: name!,
      text: text!,
      line: guide.slice(0, index).split('\n').length,
    }),
  )
}

/** Replaces `{name.member}` by parts of earlier responses. */
const filledIn = (text: string, answers: Map<string, Answer>): string =>
  text.replace(/(?<!\{)\{(\w+)\.(\w+)\}(?!\})/g, (_, name: string, member: string) => {
    const answer = answers.get(name)
    assert.ok(answer, `{${name}.${member}} is named before there is one`)
    return answer.body[member]
  })

async function send(client: Client, text: string): Promise<Answer> {
  const [, method, path, rest] = /^(\w+) (\S+)\n(.*)$/s.exec(text)!
  const headers: Record<string, string> = {}
  const body = rest!.replace(/^([A-Z][\w-]+): (.*)\n/gm, (_, name: string, value: string) => {
    headers[name] = value
    return ''
  })
  switch (method) {
    case 'GET':
      return client.get(path!, headers)
    case 'PATCH':
      return client.patch(path!, body, headers)
    case 'PUT':
      return client.put(path!, body || undefined, headers)
    default:
      return client.post(path!, body || undefined, headers)
  }
}

/** Sends each ```http block and compares the response with the ```json block after it. */
export async function follow(client: Client, page: string): Promise<void> {
  const answers = new Map<string, Answer>()
  let last: Answer | null = null
  for (const { language, name, text, line } of blocksOf(page)) {
    const where = `docs/${page}:${line}`
    const filled = filledIn(text, answers)
    if (language === 'http') {
      last = await send(client, filled)
      assert.ok(last.status < 300, `${where}: ${last.status} ${last.text}`)
      if (name) answers.set(name, last)
    } else {
      assert.partialDeepStrictEqual(last!.body, JSON.parse(filled), where)
    }
  }
}

/** Runs the ```sh blocks in one shell, which ends with the first command that fails. @returns what each block prints */
export async function runCommands(
  client: Client,
  url: string,
  page: string,
  directory = temporaryDirectory(),
): Promise<string[]> {
  const blocks = blocksOf(page).filter(({ language }) => language === 'sh')
  const script = blocks.map(({ text }) => `${text}\necho; echo '${endOfBlock}'\n`).join('')
  const filled = script.replace('http://127.0.0.1:8080', url).replace('bkl_test_…', client.key)
  const running = launch({ command: ['bash', '-eo', 'pipefail', '-c', filled], directory, environment: {} })
  assert.equal((await running.ended()).code, 0, running.output)
  return running.stdout.split(`${endOfBlock}\n`).slice(0, -1)
}

const endOfBlock = '--- end of block'
