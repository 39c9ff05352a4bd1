import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from './server.ts'
import { describeMachine, formatNumber, printTable } from './table.ts'

/*
 * Files in the directory store: `npm run bench -- --files`. One large upload and download beside `cat`, the memory of
 * the server while many run at once, and the rate of small files.
 */

const largeBytes = 100_000_000
const together = 50
const repetitions = 5
const connections = 64
const smallSeconds = 10

/** The lifetime of a server with a limit that the large files fit into. */
export async function measureFiles(): Promise<void> {
  process.env.BACKLINE_FILES_MAX_BYTES = String(largeBytes)
  const server = await startServer()
  try {
    const files = clientOf(server.url, server.apiKey)
    console.log(`${describeMachine()}\n`)
    const stages: [string, string][] = []
    stages.push(...(await measureLarge(files)))
    stages.push(...(await measureMemory(files, server.residentBytes)))
    stages.push(...(await measureSmall(files)))
    printTable(['files', 'measured'], stages)
  } finally {
    await server.stop()
  }
}

type Created = { upload: { url: string; headers: Record<string, string> } }
type Files = ReturnType<typeof clientOf>

function clientOf(url: string, apiKey: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const authorization = `Bearer ${apiKey}`

  /** Sends a request and reads the response. A null body is one that streams `sizeBytes` random bytes. */
  const send = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | Buffer | Readable = '',
  ) =>
    new Promise<Buffer>((resolve, reject) => {
      const outgoing = request(url + path, { agent, method, headers }, async (incoming) => {
        try {
          const pieces: Buffer[] = []
          for await (const piece of incoming) if (path.endsWith('/content') === false) pieces.push(piece)
          const text = Buffer.concat(pieces)
          if (incoming.statusCode! < 300) resolve(text)
          else reject(new Error(`${method} ${path}: ${incoming.statusCode} ${text}`))
        } catch (error) {
          reject(error)
        }
      })
      outgoing.on('error', reject)
      if (body instanceof Readable) body.pipe(outgoing)
      else outgoing.end(body)
    })
  const post = async (path: string, body?: object) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = {
      authorization,
      'idempotency-key': randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'content-length': String(Buffer.byteLength(text)),
    }
    return JSON.parse((await send('POST', path, headers, text)).toString())
  }

  return {
    post,
    create: (size_bytes: number) =>
      post('/v1/files', { filename: 'a.bin', content_type: 'application/octet-stream', size_bytes }),
    put: ({ upload }: Created, bytes: Readable | Buffer, size: number) =>
      send('PUT', new URL(upload.url).pathname, { ...upload.headers, 'content-length': String(size) }, bytes),
    /** Commands for curl, which uses less of the processors than this process would. */
    uploadCommand: ({ upload }: Created, file: string) => {
      const headers = Object.entries(upload.headers).map(([name, value]) => `-H '${name}: ${value}'`)
      return `curl -sf -T ${file} ${headers.join(' ')} ${url}${new URL(upload.url).pathname}`
    },
    downloadCommand: (id: string) =>
      `curl -sf -H 'authorization: ${authorization}' ${url}/v1/files/${id}/content`,
    complete: (id: string) => post(`/v1/files/${id}/complete`),
    download: (id: string) => send('GET', `/v1/files/${id}/content`, { authorization }),
  }
}

const piece = randomBytes(256 * 1024)

/** Random bytes of this length. */
function bytesOf(size: number): Readable {
  function* pieces() {
    for (let left = size; left > 0; left -= piece.length)
      yield piece.subarray(0, Math.min(left, piece.length))
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: piece.length })
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** Alternates with `cat` of a file to the same disk, synced at its end, and of the copy to a reader. */
async function measureLarge(files: Files): Promise<[string, string][]> {
  const directory = await mkdtemp(join(tmpdir(), 'backline-cat-'))
  const source = join(directory, 'source')
  const handle = await open(source, 'w')
  for await (const each of bytesOf(largeBytes)) await handle.write(each)
  await handle.sync()
  await handle.close()
  const shell = async (command: string) => {
    const child = spawn('sh', ['-c', command], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.resume()
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${command} ended with ${code}`)
  }
  const seconds: Record<'write' | 'upload' | 'read' | 'download', number[]> = {
    write: [],
    upload: [],
    read: [],
    download: [],
  }
  for (let i = 0; i < repetitions; i++) {
    seconds.write.push(await timed(() => shell('cat source > copy && sync copy')))
    const file = await files.create(largeBytes)
    seconds.upload.push(await timed(() => shell(files.uploadCommand(file, 'source'))))
    await files.complete(file.id)
    seconds.read.push(await timed(() => shell('cat copy')))
    seconds.download.push(await timed(() => shell(files.downloadCommand(file.id))))
    await rm(join(directory, 'copy'))
  }
  await rm(directory, { recursive: true })
  const rate = (name: keyof typeof seconds) => largeBytes / 1e6 / median([...seconds[name]])
  const line = (one: keyof typeof seconds, other: keyof typeof seconds, cat: string): [string, string] => [
    `${one} of 100 MB, median of ${repetitions}`,
    `${formatNumber(rate(one))} MB/s; ${cat}: ${formatNumber(rate(other))} MB/s; ratio ${(rate(one) / rate(other)).toFixed(2)}`,
  ]
  return [
    line('upload', 'write', '`cat` to a file, with `sync`'),
    line('download', 'read', '`cat` to a pipe'),
  ]
}

/** Resident memory before, at most during, and after the transfers. */
async function measureMemory(
  files: Files,
  residentBytes: () => Promise<number>,
): Promise<[string, string][]> {
  const all = Array.from({ length: together })
  const during = async (name: string, work: () => Promise<unknown>): Promise<[string, string]> => {
    await sleep(5_000)
    const before = await residentBytes()
    let highest = before
    const timer = setInterval(async () => {
      highest = Math.max(highest, await residentBytes())
    }, 50)
    const seconds = await timed(work)
    clearInterval(timer)
    await sleep(10_000)
    const after = await residentBytes()
    const mb = (bytes: number) => `${formatNumber(bytes / 1e6)} MB`
    return [
      `${name}, ${together} of 100 MB at once`,
      `${mb(before)} before, ${mb(highest)} at most, ${mb(after)} after: ${mb(highest - before)} more; ${formatNumber((together * largeBytes) / 1e6 / seconds)} MB/s`,
    ]
  }
  const created = await Promise.all(all.map(() => files.create(largeBytes)))
  const uploads = await during('uploads', () =>
    Promise.all(created.map((file) => files.put(file, bytesOf(largeBytes), largeBytes))),
  )
  await Promise.all(created.map(({ id }) => files.complete(id)))
  const downloads = await during('downloads', () => Promise.all(created.map(({ id }) => files.download(id))))
  return [uploads, downloads]
}

/** Each connection creates, sends, completes and attaches one file after the other, in a conversation of its own. */
async function measureSmall(files: Files): Promise<[string, string][]> {
  const bytes = randomBytes(2_000)
  let end = Number.POSITIVE_INFINITY
  let count = 0
  const spent = { create: 0, put: 0, complete: 0, attach: 0 }
  const step = async <Result>(name: keyof typeof spent, work: Promise<Result>): Promise<Result> => {
    const begun = performance.now()
    const result = await work
    spent[name] += performance.now() - begun
    return result
  }
  const run = async () => {
    const { id } = await files.post('/v1/conversations', { external_user_id: randomUUID() })
    while (performance.now() < end) {
      const file = await step('create', files.create(bytes.length))
      await step('put', files.put(file, bytes, bytes.length))
      await step('complete', files.complete(file.id))
      const attachments = [{ file_id: file.id }]
      const message = { author_side: 'end_user', attachments }
      await step('attach', files.post(`/v1/conversations/${id}/messages`, message))
      count++
    }
  }
  const runners = Array.from({ length: connections }, run)
  await sleep(4_000) // V8 compiles the code of a new process
  count = 0
  for (const name of Object.keys(spent) as (keyof typeof spent)[]) spent[name] = 0
  const begun = performance.now()
  end = begun + smallSeconds * 1000
  await Promise.all(runners)
  const seconds = (performance.now() - begun) / 1000
  const means = Object.entries(spent).map(([name, ms]) => `${name} ${formatNumber(ms / count)} ms`)
  return [
    [
      `small files of 2 kB, ${connections} connections`,
      `${formatNumber(count / seconds)} files/s, ${formatNumber((4 * count) / seconds)} steps/s; ${means.join(', ')}`,
    ],
  ]
}
