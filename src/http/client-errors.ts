import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../lib/errors.ts'
import { newUuid, typeId } from '../lib/ids.ts'
import { problem, problemMediaType } from './problems.ts'

/** What the HTTP parser refuses before there is a request: the status and a word on it. */
const refusals: Record<string, { status: number; detail: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The header block is larger than 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request took longer than 30 seconds to arrive.' },
}

/** Answers bytes that are not a request with the same error shape as everything else, and hangs up. */
export function refuseBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  publicUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, detail } = refusals[error.code ?? ''] ?? {
    status: 400,
    detail: 'The request is not valid HTTP.',
  }
  const requestId = typeId('req', newUuid(Date.now()))
  const body = JSON.stringify(
    problem(new ApiError('bad_request', {}, { status, detail }), publicUrl, '', requestId),
  )
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${problemMediaType}`,
      `request-id: ${requestId}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
