import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { cloneDatabase, urlOf } from './databases.ts'
import { type Client, clientOf } from './harness.ts'
import { launch, type ServerProcess, startServer, until } from './processes.ts'

/* `listen` as a developer runs it: a process between a real server and a real receiver. */

export type Delivery = { headers: IncomingHttpHeaders; body: string }
type Answer = (response: ServerResponse, delivery: Delivery) => unknown

export type Receiver = {
  url: string
  port: number
  deliveries: Delivery[]
  answer: Answer
  close(): Promise<void>
}

/** Listens on 127.0.0.1 until the test ends, and responds 204 by default. */
export async function receiver(t: TestContext, port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString() }
    self.deliveries.push(delivery)
    self.answer(response, delivery)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  const self: Receiver = {
    url: `http://127.0.0.1:${address.port}/hook`,
    port: address.port,
    deliveries: [],
    answer: (response) => response.writeHead(204).end(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  t.after(() => self.close())
  return self
}

// biome-ignore lint/suspicious/noExplicitAny: output is what the tests are about
export type Line = any

/** The lines that are printed with --json. */
export const linesOf = ({ stdout }: ServerProcess): Line[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

export const attemptsOf = (listener: ServerProcess) =>
  linesOf(listener).filter(({ object }) => object === 'attempt')

export const run = (environment: Record<string, string>, ...args: string[]) =>
  launch({ environment, command: [process.execPath, 'packages/cli/src/main.ts', 'listen', ...args] })

/** Starts `listen --json` and waits until it is connected. */
export async function listening(t: TestContext, ...args: string[]): Promise<ServerProcess> {
  const listener = run({}, '--json', ...args)
  t.after(() => listener.stop('SIGKILL'))
  await until('it is connected', () => {
    assert.equal(listener.exit, null, listener.output)
    return listener.stdout.includes('\n')
  })
  return listener
}

export const idOf = ({ body }: Delivery): string => JSON.parse(body).id

/** Throws if the signature is invalid or too old, as in receivers. */
export const verify = (secret: string, { body, headers }: Delivery) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

export type Source = {
  server: ServerProcess
  /** A client of the test environment. */
  client: Client
  drop(): Promise<void>
}

/** Starts a server with a new database. */
export async function startSource(): Promise<Source> {
  const { connection, drop } = await cloneDatabase()
  const server = await startServer({ environment: { DATABASE_URL: urlOf(connection) } })
  return { server, client: clientOf(server.url, (await server.firstKeys()).test), drop }
}

/** Causes two events: a conversation and its message. */
export async function write(client: Client, user = 'user_42'): Promise<void> {
  const message = { body: 'Hello' }
  const conversation = { external_user_id: user, subject: 'Grüße 🔑', message }
  const { status, text } = await client.post('/v1/conversations', conversation)
  assert.equal(status, 201, text)
}

/** Resolves to a function that returns all events since, in order. */
export async function feed(client: Client): Promise<() => Promise<Line[]>> {
  const read = async (cursor: string | null) => {
    const events: Line[] = []
    for (let at = cursor; ; ) {
      const page = await client.get(`/v1/events?limit=100${at === null ? '' : `&cursor=${at}`}`)
      assert.equal(page.status, 200, page.text)
      events.push(...page.body.data)
      at = page.body.resume_cursor
      if (!page.body.has_more) return { events, at }
    }
  }
  const { at } = await read(null)
  return async () => (await read(at)).events
}
