import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '../../kernel/errors.ts'
import { newUuid, typeId } from '../../kernel/ids.ts'
import { mayTakeLong } from '../request/receiving.ts'
import { problem, problemMediaType } from './problems.ts'

/** Errors of the HTTP parser, with their status and detail. */
const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are larger than 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request took too long to arrive.' },
}

type Refusal = { status: number; detail: string }

/** Responds to malformed bytes in the usual error format and closes the connection. */
export function refuseBrokenRequest(
  error: Error & { code?: string },
  socket: Duplex,
  publicUrl: string,
): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLong(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const latest = answering.get(socket)
  if (latest?.request.complete && !latest.response.writableFinished) {
    // A complete request came before the malformed bytes; its response is sent first.
    latest.response.once('finish', () => refuseBrokenRequest(error, socket, publicUrl))
    return
  }
  const { status, headers, body } = refusal(
    refusals[error.code ?? ''] ?? { status: 400, detail: 'The request is not valid HTTP.' },
    publicUrl,
  )
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}

/** The latest request of each connection. */
const answering = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()

/** Replaces responses that Node would send without a body: `Expect` with anything but 100-continue, and CONNECT. */
export function refuseExpectations(server: Server, publicUrl: string): void {
  server.prependListener(
    'request',
    (request, response) => void answering.set(request.socket, { request, response }),
  )
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const { status, headers, body } = refusal(
      { status: 417, detail: 'The only supported value of Expect is 100-continue.' },
      publicUrl,
    )
    response.writeHead(status, headers).end(body)
  })
  server.on('connect', (_request, socket) => refuseBrokenRequest(new Error('CONNECT'), socket, publicUrl))
}

function refusal({ status, detail }: Refusal, publicUrl: string) {
  const requestId = typeId('req', newUuid(Date.now()))
  const error = new ApiError('bad_request', {}, { status, detail })
  const body = JSON.stringify(problem(error, publicUrl, '', requestId))
  const headers = {
    'content-type': problemMediaType,
    'request-id': requestId,
    'x-content-type-options': 'nosniff',
    'content-length': String(Buffer.byteLength(body)),
  }
  return { status, headers, body }
}
