import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import SMTPConnection, { type SMTPConnectionOptions, type SMTPEnvelope } from 'nodemailer/lib/smtp-connection'
import { describeFailure } from '../../integration/webhook-endpoints/transport/failures.ts'
import type { Opened } from './opening.ts'
import { failedAfter, failedBefore, type RecipientOutcome, resultOf } from './outcome.ts'
import { interrupted, replyReader, SmtpFailure, type Stage, type ToReply, timedOut } from './replies.ts'
import type { RelaySettings } from './settings.ts'

/** Time limits in milliseconds. */
export type SmtpLimits = {
  /** For the name, and the TCP connection. */
  connectMs: number
  /** For the greeting, with TLS from the first byte for the handshake as well. */
  greetingMs: number
  /** For the reply to a command, and while the content is sent for the relay to take more of it. */
  commandMs: number
  /** For the content as a whole. */
  contentMs: number
  /** For the reply to the content. */
  dataEndMs: number
}

export type Envelope = {
  from: string
  to: string[]
  /** The size of the content, or an estimate. */
  size: number | null
  /** Whether the header needs SMTPUTF8, even if no address of the envelope does. */
  needsUtf8: boolean
}

export type Transaction = {
  recipients: RecipientOutcome[]
  contentError: unknown
  /** The connection ended before the relay answered anything: it was closed while it was idle. */
  isStale: boolean
}

/** Parts of nodemailer that its types do not contain. The tests of SMTPUTF8 fail if a version changes them. */
type Internals = {
  _supportedExtensions: string[]
  _sendCommand(command: string, logged?: string): void
}

/** An error of nodemailer. */
type ConnectionError = Error & {
  code?: string | undefined
  originalCode?: string | undefined
  response?: string | undefined
  command?: string | undefined
}

/** The part of an envelope that nodemailer adds. */
type Answered = SMTPEnvelope & { rejectedErrors?: (ConnectionError & { recipient?: string | undefined })[] }

type LogEntry = { tnx?: string; remoteAddress?: string }

const maxReplyBytes = 64 * 1024

/** A connection to a relay. It is used for one mail at a time. */
export class Session {
  /** The number of mails that were sent. */
  mails = 0
  readonly #connection: SMTPConnection
  readonly #limits: SmtpLimits
  readonly #toReply: ToReply
  #stage: Stage
  /** The number of recipients of the mail that is being sent, and of replies to its commands. */
  #recipients = 0
  #replies = 0
  /** The relay has been sent the last byte of the content, or may have been. */
  #isWhole = false
  /** Fails what waits for the relay; null if nothing does. */
  #fail: ((failure: SmtpFailure) => void) | null = null
  #timer: NodeJS.Timeout | undefined

  private constructor({ socket, host }: Opened, settings: RelaySettings, options: SessionOptions) {
    const { security } = settings
    this.#limits = options.limits
    this.#toReply = replyReader(settings)
    this.#stage = security === 'tls' ? 'tls' : 'connect'
    this.#connection = new SMTPConnection({
      host,
      port: settings.port,
      connection: socket,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: { secureContext: options.secureContext, rejectUnauthorized: true },
      maxResponseSize: maxReplyBytes,
      transactionLog: true,
      // All levels that a logger lacks go to `debug`. Commands arrive here without passwords, and are not written.
      logger: { debug: (entry: LogEntry, text: unknown) => this.#observe(entry, String(text)) } as never,
      ...(options.name && { name: options.name }),
    })
    this.#connection.on('error', (error: ConnectionError) => this.#fail?.(this.#failureOf(error)))
    // The error of a command that a closed connection answers comes after this event.
    this.#connection.on('end', () => setImmediate(() => this.#fail?.(this.#failure('connection closed'))))
  }

  /** Greets the relay and authenticates. @throws SmtpFailure */
  static async open(
    opened: Opened,
    settings: RelaySettings,
    options: SessionOptions,
    signal: AbortSignal,
  ): Promise<Session> {
    const session = new Session(opened, settings, options)
    try {
      await session.#begin(settings, signal)
      return session
    } catch (error) {
      opened.socket.destroy()
      throw error
    }
  }

  async #begin({ username, password }: RelaySettings, signal: AbortSignal): Promise<void> {
    const connection = this.#connection
    await this.#step(this.#limits.greetingMs, signal, (done) => connection.connect(done))
    if (!username) return
    this.#stage = 'auth'
    await this.#step(this.#limits.commandMs, signal, (done) =>
      connection.login({ user: username, pass: password ?? '' }, done),
    )
  }

  get isOpen(): boolean {
    return !this.#connection.destroyed
  }

  get #internals(): Internals {
    return this.#connection as unknown as Internals
  }

  /** Sends a mail. Never rejects. */
  async send(
    envelope: Envelope,
    content: () => Promise<Readable>,
    signal: AbortSignal,
  ): Promise<Transaction> {
    const offersUtf8 = this.#internals._supportedExtensions.includes('SMTPUTF8')
    const isUtf8 = (address: string) => envelope.needsUtf8 || !isAscii(envelope.from) || !isAscii(address)
    const [lacking, to] = offersUtf8
      ? [[], envelope.to]
      : [envelope.to.filter(isUtf8), envelope.to.filter((address) => !isUtf8(address))]
    const refused = lacking.map((address) =>
      resultOf(address, 'refused', 'recipient', { code: null, enhanced: null, text: noUtf8 }, 'smtputf8'),
    )
    if (to.length === 0) return { recipients: refused, contentError: null, isStale: false }
    this.mails++
    const transaction = await this.#transact({ ...envelope, to }, content, signal)
    const hasSucceeded = transaction.recipients.some(({ status }) => status === 'accepted')
    if (!hasSucceeded) this.close()
    // A reply that nothing asked for ends the connection in this turn: the next mail must not take it for its own.
    await turn()
    return { ...transaction, recipients: [...refused, ...transaction.recipients] }
  }

  async #transact(
    { from, to, size, needsUtf8 }: Envelope,
    content: () => Promise<Readable>,
    signal: AbortSignal,
  ): Promise<Transaction> {
    const answered: Answered = { from, to, use8BitMime: true, ...(size !== null && { size }) }
    const source = this.#read(content)
    let contentError: unknown = null
    source.on('error', (error) => {
      contentError = error
    })
    this.#prepare(to.length, needsUtf8)
    let failure: SmtpFailure | null = null
    let accepted = ''
    try {
      const info = await this.#step<{ response: string }>(this.#limits.commandMs, signal, (done) =>
        this.#connection.send(answered, source, done),
      )
      accepted = info!.response
      if (!this.#isWhole) failure = new SmtpFailure('data', 'the relay answered before the end of the mail')
    } catch (error) {
      failure = contentError ? new SmtpFailure('data', unreadable) : (error as SmtpFailure)
    } finally {
      source.destroy()
    }
    if (failure) this.close()
    const rejected = new Map(
      answered.rejectedErrors?.map((error) => [error.recipient, this.#toReply(error.response ?? '')]),
    )
    const recipients = to.map((address) => {
      const reply = rejected.get(address)
      if (reply) return failedBefore(address, new SmtpFailure('recipient', reply))
      if (!failure) return resultOf(address, 'accepted', null, this.#toReply(accepted))
      if (failure instanceof SizeFailure) return resultOf(address, 'refused', 'sender', failure.reply, 'size')
      return this.#isWhole ? failedAfter(address, failure) : failedBefore(address, failure)
    })
    const isStale = failure !== null && this.#replies === 0 && !(failure instanceof SizeFailure)
    const isClosing = failure?.stage === 'sender' && failure.reply.code === 421
    return { recipients, contentError, isStale: isStale || isClosing }
  }

  #prepare(recipients: number, needsUtf8: boolean): void {
    this.#stage = 'sender'
    this.#recipients = recipients
    this.#replies = 0
    this.#isWhole = false
    // nodemailer asks for SMTPUTF8 if an address of the envelope needs it; here an address of the header does.
    const internals = this.#internals
    const send = Object.getPrototypeOf(internals)._sendCommand as Internals['_sendCommand']
    internals._sendCommand = (command, logged) => {
      const isLacking = needsUtf8 && command.startsWith('MAIL FROM:') && !/> .*\bSMTPUTF8\b/.test(command)
      send.call(internals, isLacking ? `${command} SMTPUTF8` : command, logged)
    }
  }

  /** Returns the content, which is opened once the relay waits for it. */
  #read(content: () => Promise<Readable>): Readable {
    const session = this
    async function* pieces() {
      const { commandMs, contentMs, dataEndMs } = session.#limits
      const limit = setTimeout(() => session.#fail?.(session.#failure(timedOut(contentMs))), contentMs)
      try {
        for await (const piece of await content()) {
          session.#arm(commandMs)
          yield piece
        }
        session.#isWhole = true
        session.#arm(dataEndMs)
      } finally {
        clearTimeout(limit)
      }
    }
    return Readable.from(pieces(), { objectMode: false })
  }

  /** Ends the connection politely, without waiting for it. */
  quit(): void {
    if (!this.isOpen) return
    this.#connection.quit()
    this.#timer = setTimeout(() => this.close(), 1_000).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#connection.close()
  }

  /** Waits for nodemailer to call back, for at most the time that the timer has. @throws SmtpFailure */
  #step<Result>(
    ms: number,
    signal: AbortSignal,
    start: (done: (error?: ConnectionError | null, result?: Result) => void) => void,
  ): Promise<Result | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>()
    const abort = () => this.#fail?.(this.#failure(interrupted))
    this.#fail = (failure) => {
      this.#connection.close()
      reject(failure)
    }
    signal.addEventListener('abort', abort)
    this.#arm(ms)
    if (signal.aborted) abort()
    else start((error, result) => (error ? this.#fail?.(this.#failureOf(error)) : resolve(result)))
    return promise.finally(() => {
      this.#fail = null
      clearTimeout(this.#timer)
      signal.removeEventListener('abort', abort)
    })
  }

  #arm(ms: number): void {
    if (!this.#fail) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fail?.(this.#failure(timedOut(ms))), ms)
  }

  /** Follows the exchange, for the stage of a failure, and gives each command its time. */
  #observe({ tnx, remoteAddress }: LogEntry, text: string): void {
    const { commandMs, greetingMs } = this.#limits
    if (tnx === 'network' && remoteAddress) {
      this.#stage = 'connect'
      this.#arm(greetingMs)
    } else if (tnx === 'client' && text === 'STARTTLS') {
      this.#stage = 'tls'
      this.#arm(commandMs)
    } else if (tnx === 'client' && /^(EHLO|HELO) /.test(text)) {
      this.#stage = 'connect'
      this.#arm(commandMs)
    } else if (tnx === 'server' && this.#recipients > 0) {
      this.#replies++
      this.#stage = this.#replies > this.#recipients ? 'data' : 'recipient'
      if (!this.#isWhole) this.#arm(commandMs)
    }
  }

  #failure(text: string): SmtpFailure {
    return new SmtpFailure(this.#stage, text)
  }

  #failureOf(error: ConnectionError): SmtpFailure {
    const { response, originalCode, code, command } = error
    if (code === 'EMESSAGE' && !response) return new SizeFailure('sender', error.message)
    if (response) return new SmtpFailure(stageOf(command) ?? this.#stage, this.#toReply(response))
    const text = originalCode ? describeFailure({ code: originalCode }) : error.message
    return new SmtpFailure(this.#stage, this.#toReply(text).text)
  }
}

export type SessionOptions = {
  limits: SmtpLimits
  secureContext: NonNullable<NonNullable<SMTPConnectionOptions['tls']>['secureContext']>
  /** The name of this server for EHLO. */
  name: string | null
}

/** The relay takes no mail of this size, which it says before any mail. */
class SizeFailure extends SmtpFailure {}

const unreadable = 'the content could not be read'
const noUtf8 = 'the relay does not offer SMTPUTF8'

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** The stage of a command that was answered. With PIPELINING, further commands have been sent by then. */
function stageOf(command: string | undefined): Stage | null {
  if (command === 'MAIL FROM') return 'sender'
  if (command === 'RCPT TO') return 'recipient'
  if (command === 'DATA') return 'data'
  if (command === 'STARTTLS') return 'tls'
  return command?.startsWith('AUTH') ? 'auth' : null
}
