import { once } from 'node:events'
import { chmod, lstat, rm } from 'node:fs/promises'
import { type AddressInfo, type BlockList, connect } from 'node:net'
import type { Readable } from 'node:stream'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { contains } from '../../../platform/kernel/networks.ts'
import type { MailListen } from './listen-setting.ts'
import { bytesOfMail, MailRefused, TakenInPart, takeWhole } from './taking.ts'
import { unstuff } from './unstuffing.ts'

export type MailEnvelope<Mailbox> = {
  protocol: 'lmtp' | 'smtp'
  /** The return path; empty for the null one. */
  mailFrom: string
  /** Addresses as the client wrote them, without repetitions but for case. */
  rcpt: { address: string; mailbox: Mailbox }[]
}

export type MailListenerLimits = {
  maxBytes: number
  connections: number
  recipients: number
  /** The time in which a client has to send something, unless it waits for an answer. */
  idleMs: number
  /** The time in which a mail has to arrive. */
  mailMs: number
  commandBytes: number
  /** The time for mails that are being taken when the listener stops. */
  stopMs: number
}

export type MailListenerOptions<Mailbox> = {
  listen: MailListen
  /** Networks whose clients may connect. Local sockets have the permissions of their file. */
  allowed: BlockList
  /** The name of this server for the greeting. */
  name?: string
  limits?: Partial<MailListenerLimits>
  /** Finds the mailbox of an address. A rejection asks the client to try again. */
  resolve(address: string): Promise<{ ok: Mailbox } | 'unknown' | 'ambiguous'>
  /**
   * Stores a mail; the client is told that it was taken once this resolves. A rejection asks the client to try again,
   * unless it is a MailRefused; TakenInPart is a rejection for some of the recipients in `rcpt`.
   */
  take(envelope: MailEnvelope<Mailbox>, bytes: Readable): Promise<'stored'>
  /** Called for each mail, with the worst outcome among its recipients. */
  onTaken?(outcome: 'stored' | 'refused' | 'deferred'): void
  log: { error(fields: { err: unknown }, text: string): void }
}

export type MailListener = {
  /** The port; null for a local socket. */
  port: number | null
  /** The number of open connections. */
  readonly connections: number
  /** Takes no more mails, and waits for those that are being taken. */
  stop(): Promise<void>
}

const usualLimits: MailListenerLimits = {
  maxBytes: 26_214_400,
  connections: 100,
  recipients: 50,
  idleMs: 300_000,
  mailMs: 900_000,
  commandBytes: 2_048,
  stopMs: 30_000,
}

/** A reply of a refusal. */
type Refusal = Error & { responseCode: string }

type Recipient<Mailbox> = MailEnvelope<Mailbox>['rcpt'][number]

/** The mail that a connection is sending. LMTP answers each RCPT TO that was accepted, also a repeated one. */
type Incoming<Mailbox> = { rcpt: Map<string, Recipient<Mailbox>>; accepted: Recipient<Mailbox>[] }

/** Takes mail by LMTP (RFC 2033) or SMTP for mailboxes of this server: no relaying, no AUTH, no STARTTLS. */
export async function startMailListener<Mailbox>(
  options: MailListenerOptions<Mailbox>,
): Promise<MailListener> {
  const { listen, allowed, log } = options
  const { protocol, at } = listen
  const limits = { ...usualLimits, ...options.limits }
  const incoming = new WeakMap<SMTPServerSession, Incoming<Mailbox>>()
  /** Mails that are being taken, by the id of their connection. */
  const taking = new Map<string, Promise<void>>()
  let isStopping = false

  async function mailboxOf(address: string, { rcpt, accepted }: Incoming<Mailbox>): Promise<Mailbox> {
    if (accepted.length >= limits.recipients) throw new MailRefused('452 4.5.3', 'too many recipients')
    const known = rcpt.get(address.toLowerCase())
    if (known) return known.mailbox
    const found = await options.resolve(address)
    if (found === 'unknown') throw new MailRefused('550 5.1.1', 'no mailbox has this address')
    if (found === 'ambiguous') throw new MailRefused('550 5.1.4', 'several mailboxes have this address')
    return found.ok
  }

  async function receive(stream: Readable, session: SMTPServerSession): Promise<void> {
    const { mailFrom } = session.envelope
    const envelope = {
      protocol,
      mailFrom: mailFrom ? mailFrom.address : '',
      rcpt: [...incoming.get(session)!.rcpt.values()],
    }
    const timer = setTimeout(() => endConnection(session.id, 'the mail takes too long'), limits.mailMs)
    try {
      await takeWhole(bytesOfMail(stream, limits.maxBytes), (bytes) => options.take(envelope, bytes))
    } finally {
      clearTimeout(timer)
    }
  }

  function refusalOf(err: unknown): Refusal {
    if (!(err instanceof MailRefused)) log.error({ err }, 'a mail could not be taken')
    const { code, message } =
      err instanceof MailRefused ? err : new MailRefused('451 4.3.0', 'try again later')
    // smtp-server derives the enhanced code from a number, and sends a text as it is.
    return Object.assign(new Error(message), { responseCode: code })
  }

  /** The answers for some recipients of a mail that was not stored for all of them. */
  function answersTo(accepted: Recipient<Mailbox>[], error: unknown): (Refusal | string)[] {
    if (!(error instanceof TakenInPart)) return new Array(accepted.length).fill(refusalOf(error))
    const reasons = new Set(error.failures.values())
    const refusals = new Map([...reasons].map((reason) => [reason, refusalOf(reason)]))
    return accepted.map((recipient) =>
      error.failures.has(recipient) ? refusals.get(error.failures.get(recipient))! : 'stored',
    )
  }

  const handlers: Partial<SMTPServerOptions> = {
    onConnect({ remoteAddress }, done) {
      const isAllowed = 'path' in at || contains(allowed, remoteAddress.split('%', 1)[0]!)
      done(isAllowed ? null : Object.assign(new Error('your network is not allowed'), { responseCode: 554 }))
    },
    onMailFrom(_address, session, done) {
      incoming.set(session, { rcpt: new Map(), accepted: [] })
      done()
    },
    onRcptTo({ address }, session, done) {
      const mail = incoming.get(session)!
      mailboxOf(address, mail).then(
        (mailbox) => {
          const recipient = mail.rcpt.get(address.toLowerCase()) ?? { address, mailbox }
          mail.rcpt.set(address.toLowerCase(), recipient)
          mail.accepted.push(recipient)
          done()
        },
        (error) => done(refusalOf(error)),
      )
    },
    onData(stream, session, done) {
      for (const connection of connectionsOf(session.id)) if (connection._parser) unstuff(connection._parser)
      const { accepted } = incoming.get(session)!
      const answered = receive(stream, session)
        .then(
          (): (Refusal | string)[] => accepted.map(() => 'stored'),
          (error) => answersTo(accepted, error),
        )
        .then((answers) => {
          const refusal = answers.find((answer) => typeof answer !== 'string')
          done(null, protocol === 'lmtp' ? answers : [refusal ?? 'stored'])
          options.onTaken?.(outcomeOf(refusal))
          taking.delete(session.id)
          if (isStopping) setImmediate(() => endConnection(session.id, closing))
        })
      taking.set(session.id, answered)
    },
  }

  const server = new SMTPServer({
    ...handlers,
    ...(options.name && { name: options.name }),
    lmtp: protocol === 'lmtp',
    // Commands that this server does not have, and jokes of the library.
    disabledCommands: ['AUTH', 'STARTTLS', 'XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL'],
    hideENHANCEDSTATUSCODES: false,
    size: limits.maxBytes,
    maxClients: limits.connections,
    maxCommandLength: limits.commandBytes,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.stopMs,
    disableReverseLookup: true,
    lenientAddressParsing: true, // of senders that real clients have; which recipients exist, `resolve` says
    heloResponse: '%s',
    logger: false,
  })

  const connectionsOf = (id: string) => [...server.connections].filter((connection) => connection.id === id)

  function endConnection(id: string, text: string): void {
    for (const connection of connectionsOf(id)) connection.send(421, text)
  }

  if ('path' in at) await removeStaleSocket(at.path)
  server.on('error', () => undefined) // of connections; one of `listen` rejects here
  const listening = server.listen(at)
  await once(listening, 'listening')
  if ('path' in at) await chmod(at.path, 0o660)
  return {
    port: 'path' in at ? null : (listening.address() as AddressInfo).port,
    get connections() {
      return server.connections.size
    },
    async stop() {
      isStopping = true
      const closed = new Promise<void>((resolve) => server.close(resolve))
      for (const { id } of server.connections) if (!taking.has(id)) endConnection(id, closing)
      await closed
      await Promise.all(taking.values())
    },
  }
}

const outcomeOf = (refusal: Refusal | undefined) =>
  !refusal ? 'stored' : refusal.responseCode.startsWith('5') ? 'refused' : 'deferred'

const closing = 'the server is shutting down'

/** Removes the file of a socket on which nobody listens, as a server that was killed leaves it. */
async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found?.isSocket()) return
  const socket = connect(path)
  const isServed = await once(socket, 'connect').then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ECONNREFUSED',
  )
  socket.destroy()
  if (!isServed) await rm(path, { force: true })
}
