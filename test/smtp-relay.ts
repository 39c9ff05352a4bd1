import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import { addressList } from '@backline/server/platform/kernel/networks.ts'
import { type OutgoingMail, openRelays, type RelayLimits } from '@backline/server/support/mail/smtp/relays.ts'
import type { RelaySettings } from '@backline/server/support/mail/smtp/settings.ts'
import { certificate } from './receivers.ts'

/*
 * A mail relay that follows a script: it answers, hangs, closes the connection or lies at each step of an exchange.
 */

/** No answer. */
export const hang: unique symbol = Symbol('hang')
/** The connection ends instead of an answer. */
export const drop: unique symbol = Symbol('drop')

/** A reply, of one or more lines; or what happens instead. */
export type Answer = string | typeof hang | typeof drop

/**
 * The steps: the greeting, commands by their verb, the end of the data, and the first bytes of it. A list gives the
 * answers to the first, second, … time; the last one stays.
 */
export type Step =
  | 'greeting'
  | 'EHLO'
  | 'HELO'
  | 'STARTTLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'RSET'
  | 'QUIT'
  | 'content'
  | 'end of data'

export type Script = {
  /** What EHLO shows. */
  extensions?: string[]
  answers?: Partial<Record<Step, Answer | Answer[] | ((line: string) => Answer)>>
  /** The name of a file in `test/certificates`; for TLS from the first byte, or after STARTTLS. */
  certificate?: string
  tls?: boolean
}

export type SmtpRelay = {
  port: number
  /** Commands of all connections, in their order. */
  commands: string[]
  /** Contents that were received up to the dot, as sent. */
  contents: string[]
  sockets: Socket[]
}

const usual: Record<string, Answer> = {
  greeting: '220 relay.test ESMTP',
  HELO: '250 relay.test',
  STARTTLS: '220 2.0.0 go on',
  AUTH: '235 2.7.0 welcome',
  MAIL: '250 2.1.0 sender fine',
  RCPT: '250 2.1.5 recipient fine',
  DATA: '354 go on',
  RSET: '250 2.0.0 reset',
  QUIT: '221 2.0.0 bye',
  'end of data': '250 2.0.0 queued as 4711',
}

/** Listens on 127.0.0.1 until the test ends. */
export async function smtpRelay(t: TestContext, script: Script = {}): Promise<SmtpRelay> {
  const relay: SmtpRelay = { port: 0, commands: [], contents: [], sockets: [] }
  const asked = new Map<string, number>()
  const pem = script.certificate ? certificate(script.certificate) : null
  const secureContext = pem ? createSecureContext({ key: pem, cert: pem }) : null

  function answerTo(step: Step, line = ''): Answer | null {
    const given = script.answers?.[step]
    const ehlo = ['relay.test', ...(script.extensions ?? ['PIPELINING', '8BITMIME', 'SIZE 10000000'])]
    if (given === undefined) {
      if (step === 'EHLO')
        return ehlo.map((each, i) => `250${i < ehlo.length - 1 ? '-' : ' '}${each}`).join('\r\n')
      return usual[step] ?? null
    }
    if (typeof given === 'function') return given(line)
    if (!Array.isArray(given)) return given
    const count = asked.get(step) ?? 0
    asked.set(step, count + 1)
    return given[Math.min(count, given.length - 1)]!
  }

  function serve(socket: Socket, isUpgraded: boolean): void {
    let received = ''
    let isData = false
    let isHanging = false
    /** @returns whether the exchange goes on */
    const say = (answer: Answer | null): boolean => {
      if (answer === drop) socket.destroy()
      else if (answer === hang) isHanging = true
      else if (answer !== null) socket.write(`${answer}\r\n`)
      return typeof answer === 'string' || answer === null
    }
    const next = (): boolean => {
      if (isHanging || socket.destroyed) return false
      if (isData) {
        if (received !== '' && !say(script.answers?.content === undefined ? null : answerTo('content')))
          return false
        const end = `\r\n${received}`.indexOf('\r\n.\r\n')
        if (end < 0) return false
        relay.contents.push(received.slice(0, end))
        received = received.slice(end + 3)
        isData = false
        return say(answerTo('end of data'))
      }
      const end = received.indexOf('\r\n')
      if (end < 0) return false
      const line = received.slice(0, end)
      received = received.slice(end + 2)
      relay.commands.push(line)
      const word = line.split(/[ :]/, 1)[0]!
      const verb = Object.hasOwn(script.answers ?? {}, word) ? word : word.toUpperCase()
      const answer = answerTo(verb as Step, line) ?? '250 2.0.0 whatever'
      const goesOn = say(answer)
      if (verb === 'DATA' && typeof answer === 'string' && answer.startsWith('354')) isData = true
      if (verb === 'QUIT') socket.end()
      if (verb === 'STARTTLS' && typeof answer === 'string' && answer.startsWith('220') && secureContext) {
        socket.removeAllListeners('data')
        const secured = new TLSSocket(socket, { isServer: true, secureContext })
        secured.on('error', () => undefined)
        relay.sockets.push(secured)
        serve(secured, true)
        return false
      }
      return goesOn
    }
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
      while (next());
    })
    if (!isUpgraded) say(answerTo('greeting'))
  }

  const server = createServer((socket) => {
    socket.setNoDelay(true)
    relay.sockets.push(socket.on('error', () => undefined))
    if (!script.tls) return serve(socket, false)
    const secured = new TLSSocket(socket, { isServer: true, secureContext: secureContext! })
    relay.sockets.push(secured.on('error', () => undefined))
    serve(secured, false)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of relay.sockets) socket.destroy()
    server.close()
  })
  relay.port = (server.address() as AddressInfo).port
  return relay
}

export const content = 'Subject: Hello\r\n\r\nHello\r\n'
export const contentOf = (text: string) => async () => Readable.from([Buffer.from(text)])

/** A relay, and a client that sends mails to it in plain text. */
export async function relayWith(t: TestContext, script: Script = {}, limits: Partial<RelayLimits> = {}) {
  const relay = await smtpRelay(t, script)
  const relays = openRelays({ allowed: addressList(['127.0.0.1']), limits })
  t.after(() => relays.close())
  const settings: RelaySettings = {
    host: '127.0.0.1',
    port: relay.port,
    security: 'none',
    username: null,
    password: null,
  }
  const send = async (mail: Partial<OutgoingMail> = {}, signal = new AbortController().signal) => {
    const whole = { from: 'desk@example.com', to: ['ada@example.com'], content: contentOf(content), ...mail }
    return relays.send(settings, whole, signal)
  }
  return { relay, relays, settings, send }
}
