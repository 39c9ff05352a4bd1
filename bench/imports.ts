import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { type BenchServer, startServer } from './server.ts'
import { describeMachine, formatNumber, printTable } from './table.ts'
import { makeWords, randomNumbers, unevenly } from './words.ts'

/*
 * Imports: `npm run bench -- --imports`. A file of conversations with ten messages each, of 100 operators and one end
 * user for four conversations, the messages in the order of their times as an export has them.
 */

const messagesOfEach = 10
const wordsOfEach = 30

/** @param count of messages */
export async function measureImports(count: number): Promise<void> {
  process.env.BACKLINE_FILES_MAX_BYTES = String(2 ** 31)
  const server = await startServer()
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    console.log(`${describeMachine()}\n`)
    const file = linesOf(count / messagesOfEach)
    const bytes = gzipSync(file, { level: 1 })
    const rows: [string, string][] = [
      ['lines', formatNumber(count + count / messagesOfEach)],
      [
        'file',
        `${formatNumber(Math.round(file.length / 1e6))} MB, ${Math.round(bytes.length / 1e6)} MB compressed`,
      ],
    ]
    const first = await measured(server, client, bytes)
    rows.push(...told('first import', first, count))
    const again = await measured(server, client, bytes)
    rows.push(...told('the same file again', again, count))
    printTable(['imports', 'measured'], rows)
  } finally {
    await client.end()
    await server.stop()
  }
}

function linesOf(conversations: number): Buffer {
  const random = randomNumbers(7)
  const words = makeWords(20_000, random)
  const text = () => Array.from({ length: wordsOfEach }, () => unevenly(words, random)).join(' ')
  const begin = Date.parse('2022-01-01T00:00:00Z')
  const lines: string[] = []
  const add = (line: object) => lines.push(JSON.stringify(line))
  for (let i = 0; i < conversations; i++) {
    const at = begin + i * 60_000
    add({
      type: 'conversation',
      external_id: `c${i}`,
      end_user_external_id: `user_${i >> 2}`,
      assignee_external_id: `operator_${i % 100}`,
      subject: text().slice(0, 60).trim(),
      status: i % 10 === 0 ? 'open' : 'closed',
      tags: [`tag ${i % 20}`],
      created_at: new Date(at).toISOString(),
    })
    for (let j = 0; j < messagesOfEach; j++) {
      const isAnswer = j % 2 === 1
      add({
        type: 'message',
        external_id: `c${i}-${j}`,
        conversation_external_id: `c${i}`,
        author_side: isAnswer ? 'operator' : 'end_user',
        ...(isAnswer ? { operator_external_id: `operator_${i % 100}` } : {}),
        body: text(),
        created_at: new Date(at + j * 1_000_000).toISOString(),
      })
    }
  }
  return Buffer.from(`${lines.join('\n')}\n`)
}

type Measured = {
  seconds: number
  startMb: number
  peakMb: number
  serverSeconds: number
  postgresSeconds: number
}

async function measured(server: BenchServer, client: pg.Client, bytes: Buffer): Promise<Measured> {
  const { url, apiKey } = server
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    // biome-ignore lint/suspicious/noExplicitAny: bodies of the API
    const answer: any = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const given = { filename: 'lines.ndjson.gz', content_type: 'application/gzip', size_bytes: bytes.length }
  const file = await send('POST', '/v1/files', given)
  const { method, headers } = file.upload
  await fetch(url + new URL(file.upload.url).pathname, { method, headers, body: new Uint8Array(bytes) })
  await send('POST', `/v1/files/${file.id}/complete`)
  const startMb = (await server.residentBytes()) / 1e6
  const before = await server.usage(client)
  const beganMs = performance.now()
  let job = await send('POST', '/v1/imports', { file_id: file.id, source: 'bench' })
  while (job.ended_at === null) {
    await sleep(500)
    job = await send('GET', `/v1/jobs/${job.id}`)
  }
  const seconds = (performance.now() - beganMs) / 1000
  if (job.status !== 'succeeded') throw new Error(JSON.stringify(job))
  const after = await server.usage(client)
  return {
    seconds,
    startMb,
    peakMb: await peakMb(server.pid),
    serverSeconds: after.serverSeconds - before.serverSeconds,
    postgresSeconds: after.postgresSeconds - before.postgresSeconds,
  }
}

/** The highest resident memory of a process so far. */
const peakMb = async (pid: number): Promise<number> =>
  (Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) * 1024) / 1e6

const told = (
  name: string,
  { seconds, startMb, peakMb, serverSeconds, postgresSeconds }: Measured,
  count: number,
): [string, string][] => [
  [name, `${seconds.toFixed(1)} s, ${formatNumber(Math.round(count / seconds))} messages/s`],
  [
    `${name}: processor time`,
    `server ${serverSeconds.toFixed(1)} s, PostgreSQL ${postgresSeconds.toFixed(1)} s`,
  ],
  [`${name}: memory`, `${Math.round(startMb)} MB before, at most ${Math.round(peakMb)} MB`],
]
