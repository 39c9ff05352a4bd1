import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
export type Answer = { status: number; headers: Headers; body: any; text: string }

/** Connections are short-lived: an unused one would keep a server from closing for a minute. */
const agent = new Agent({ keepAlive: true, timeout: 500 })

/**
 * Sends a request, in a quarter of the time of `fetch`. One whose idle connection the server closed at the same moment is
 * sent again, as Node's documents advise.
 */
export const exchange = (url: string, options: RequestOptions, body?: string | Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, ...options }, (incoming) =>
      collect(incoming).then(resolve, reject),
    )
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(exchange(url, options, body))
      else reject(error)
    })
    outgoing.end(body)
  })

function collect(incoming: IncomingMessage): Promise<Answer> {
  const headers = new Headers()
  for (let i = 0; i < incoming.rawHeaders.length; i += 2)
    headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!)
  const type = headers.get('content-type') ?? ''
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    const end = () => {
      const text = Buffer.concat(chunks).toString()
      const isJson = /\bjson\b/.test(type) && text !== '' // NDJSON consists of JSON lines
      resolve({ status: incoming.statusCode!, headers, text, body: isJson ? JSON.parse(text) : null })
    }
    incoming.on('error', reject).on('end', end)
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (type !== 'text/event-stream') return
      incoming.destroy() // it has no end
      end()
    })
  })
}
