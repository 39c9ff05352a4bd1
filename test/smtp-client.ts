import { connect, type NetConnectOpts, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/* A client of SMTP or LMTP as bytes: it sends anything, at any time. */

export type SmtpClient = {
  socket: Socket
  /** Waits for a reply, of one or more lines. It is empty if the connection ended. */
  reply(): Promise<string>
  /** Sends a line, and waits for its reply. */
  say(line: string): Promise<string>
}

/** Connects, without waiting for the greeting. */
export function smtpClient(t: TestContext, at: NetConnectOpts): SmtpClient {
  const socket = connect(at)
  socket.on('error', () => undefined)
  t.after(() => socket.destroy())
  let received = ''
  let wake: () => void = () => undefined
  socket.on('data', (bytes) => {
    received += bytes
    wake()
  })
  socket.on('close', () => wake())
  async function reply(): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r\n/.exec(received)?.[0]
      if (whole) {
        received = received.slice(whole.length)
        return whole.trimEnd()
      }
      if (socket.closed) return ''
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    socket,
    reply,
    say(line) {
      socket.write(`${line}\r\n`)
      return reply()
    },
  }
}
