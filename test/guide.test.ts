import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Answer, type Client, service } from './harness.ts'

/*
 * Follows pages of docs/: sends each ```http block and compares the response with the ```json block after it.
 */

const api = service()

type Block = { language: string; name: string; text: string; line: number }

function blocksOf(page: string): Block[] {
  const guide = readFileSync(join(import.meta.dirname, '../docs', page), 'utf8')
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

for (const page of ['guide.md', 'knowledge.md']) {
  test(`docs/${page} is true from its first request to its last`, async () => {
    const { test: client } = await api.world()
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
  })
}
