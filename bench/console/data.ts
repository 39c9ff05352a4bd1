import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '@backline/cli/main.ts'
import pg from 'pg'
import { defineIds, deskOf } from '../desk-data.ts'
import { fillWith } from '../growth-data.ts'
import type { BenchServer } from '../server.ts'

/** The environment that the console shows, and calls of its API. */
export type Desk = {
  call<Answer>(method: string, path: string, body?: object): Promise<Answer>
  /** The conversation with many messages. */
  longId: string
}

const deskSize = { departments: 20, operators: 100, tags: 200 }
const longMessages = 500
/** The fill answers conversations up to an hour after they begin. */
const lastAnswerMs = 3_700_000
const subject = 'A long conversation'
export const operator = { name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin' }

/** Fills the test environment, unless an earlier run has. */
export async function prepare(server: BenchServer, dataDir: string, conversations: number): Promise<Desk> {
  const { test: apiKey } = JSON.parse(await readFile(join(dataDir, 'first-keys.json'), 'utf8'))
  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${server.url}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
  type Found = { data: { id: string; subject: string }[] }
  const newest = await call<Found>('GET', 'conversations?limit=1')
  if (newest.data[0]?.subject === subject) return { call, longId: newest.data[0].id }
  const client = new pg.Client(server.connection)
  await client.connect()
  await defineIds(client)
  await call('POST', 'operators', operator)
  const desk = await deskOf(client, server.url, 'test', apiKey, deskSize)
  await fillWith(server.connection, desk, Date.now() - lastAnswerMs, 0, conversations)
  const { id } = await call<{ id: string }>('POST', 'conversations', {
    external_user_id: 'user_with_much_to_say',
    subject,
  })
  for (let n = 1; n <= longMessages; n++) await call('POST', `conversations/${id}/messages`, longMessage(n))
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
  return { call, longId: id }
}

/** Every fifth message is Markdown, with a list, a quotation and code. */
const longMessage = (n: number) => ({
  author_side: n % 3 === 0 ? 'operator' : 'end_user',
  ...(n % 5 === 0
    ? {
        body_format: 'markdown',
        body: `**Step ${n}**\n\n1. Open the [settings](https://example.com/${n})\n2. Choose *billing*\n\n> It says that the card was declined.\n\n\`\`\`\nHTTP 402 card_declined\n\`\`\``,
      }
    : {
        body: `Message ${n}. ${'The card was declined twice, and the order is still open. '.repeat(1 + (n % 4))}`,
      }),
})

/** The token of a one-time link, with which the browser signs in. */
export async function linkToken(dataDir: string): Promise<string> {
  const made = await run(['console', 'link', '--operator', operator.email], {
    BACKLINE_DATA_DIR: dataDir,
  })
  if (made?.exitCode !== 0) throw new Error(made?.text)
  return made.text.split('#link=')[1]!.trim()
}
