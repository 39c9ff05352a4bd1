import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type BenchServer, type Measurable, startServer } from './server.ts'
import { type Contestant, createConversation, measureInTurns, newestConversations } from './turns.ts'

/*
 * npm run bench -- --operators: a desk with 200 operators, one of its conversations with 50 followers, and the request
 * log, beside a server without all of that, each with a PostgreSQL of its own.
 */

const operators = 200
const followers = 50
/** What is read and written to. */
const conversations = 100
/** Notifications are made up to two seconds after a write. */
const settleSeconds = 2

export async function measureOperators(rounds: number): Promise<void> {
  const [desk, plain] = [
    await startServer(),
    await startServer(undefined, { BACKLINE_REQUEST_LOG_DAYS: '0' }),
  ]
  const clients: pg.Client[] = []
  try {
    const contestant = async (name: string, server: BenchServer): Promise<Contestant> => {
      const client = new pg.Client(server.connection)
      clients.push(client)
      await client.connect()
      for (let i = 0; i < conversations; i++)
        await post(server, createConversation().paths[0]!, {
          external_user_id: `user_${i}`,
          subject: 'Card declined',
        })
      return { name, server, client, conversations: await newestConversations(server) }
    }
    const [withAll, without] = [await contestant('with operators', desk), await contestant('without', plain)]
    await addOperators(desk, withAll.conversations![0]!)
    await measureInTurns([withAll, without], rounds, settleSeconds)
  } finally {
    for (const client of clients) await client.end()
    for (const server of [desk, plain]) await server.stop()
  }
}

/** 200 operators, of whom 50 follow the conversation. */
async function addOperators(server: Measurable, conversation: string): Promise<void> {
  for (let i = 0; i < operators; i++) {
    const { id } = await post(server, '/v1/operators', {
      name: `Operator ${i}`,
      email: `operator-${i}@example.com`,
    })
    if (i < followers) await send('PUT', server, `/v1/conversations/${conversation}/followers/${id}`)
  }
}

const post = (server: Measurable, path: string, body: object): Promise<{ id: string }> =>
  send('POST', server, path, body)

async function send(
  method: 'POST' | 'PUT',
  { url, apiKey }: Measurable,
  path: string,
  body: object = {},
): Promise<{ id: string }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string }
}
