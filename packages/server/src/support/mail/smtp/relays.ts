import type { BlockList } from 'node:net'
import type { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import {
  nameResolver,
  type ResolveName,
  systemNames,
} from '../../integration/webhook-endpoints/transport/name-resolution.ts'
import { limitedNames, sharedNames } from '../../integration/webhook-endpoints/transport/name-sharing.ts'
import { openSocket, secureContextOf } from './opening.ts'
import { failedBefore, type Outcome, type RecipientOutcome, resultOf } from './outcome.ts'
import { interrupted, SmtpFailure, type Stage, timedOut } from './replies.ts'
import { Session, type SmtpLimits } from './session.ts'
import type { RelaySettings } from './settings.ts'

export type OutgoingMail = {
  /** The envelope's sender; empty for none. */
  from: string
  /** The envelope's recipients. */
  to: string[]
  /** Whether the header has an address that needs SMTPUTF8 (RFC 6531). */
  needsUtf8?: boolean
  /** The size of the content in bytes, or an estimate; a relay that takes no such size is sent nothing. */
  size?: number | null
  /** Opens the mail (RFC 5322). It is called at most once for each attempt. */
  content: () => Promise<Readable>
}

export type Verification = {
  ok: boolean
  /** The step that failed. */
  stage: Stage | null
  smtp_code: number | null
  response: string
}

export type Relays = {
  /** Hands over a mail. Never rejects. */
  send(settings: RelaySettings, mail: OutgoingMail, signal: AbortSignal): Promise<Outcome>
  /** Hands over a mail on a connection of its own, within 20 s. Never rejects. */
  verify(
    settings: RelaySettings,
    mail: { from: string; to: string; content: () => Promise<Readable> },
    signal: AbortSignal,
  ): Promise<Verification>
  /** Closes idle connections. Mails that are being sent go on, unless their signal aborts them. */
  close(): void
}

export type RelayLimits = SmtpLimits & {
  verifyMs: number
  /** The time for which a connection may wait for a further mail. */
  idleMs: number
  idleConnections: number
  mailsPerConnection: number
}

export const defaultLimits: RelayLimits = {
  connectMs: 10_000,
  greetingMs: 10_000,
  commandMs: 60_000,
  contentMs: 900_000,
  dataEndMs: 300_000,
  verifyMs: 20_000,
  idleMs: 10_000,
  idleConnections: 100,
  mailsPerConnection: 20,
}

export type RelayOptions = {
  /** Networks of the configuration, which may be private, use any port and no TLS. */
  allowed: BlockList
  /** The name of this server for EHLO; its host name by default. */
  name?: string | null
  limits?: Partial<RelayLimits>
  resolve?: ResolveName
  /** PEM certificates that replace those that Node trusts. */
  certificateAuthorities?: string[]
}

type Idle = { session: Session; timer: NodeJS.Timeout }

/** Sends mails to the relays of mailboxes. Nothing is written to logs. */
export function openRelays({ allowed, name = null, ...options }: RelayOptions): Relays {
  const limits = { ...defaultLimits, ...options.limits }
  const system = allowed.rules.length > 0 ? limitedNames(systemNames) : null
  const names = sharedNames(options.resolve ?? nameResolver({ system }))
  const secureContext = secureContextOf(options.certificateAuthorities)
  const opening = { allowed, resolve: names.resolve, secureContext, connectMs: limits.connectMs }
  /** Idle connections by the settings that they were opened with. */
  const idle = new Map<string, Idle[]>()
  let idleCount = 0
  let isClosed = false

  async function open(settings: RelaySettings, signal: AbortSignal): Promise<Session> {
    const opened = await openSocket(opening, settings, signal)
    return Session.open(opened, settings, { limits, secureContext, name }, signal)
  }

  function take(key: string): Session | null {
    for (let entry = pop(key); entry; entry = pop(key)) if (entry.session.isOpen) return entry.session
    return null
  }

  function pop(key: string): Idle | undefined {
    const entries = idle.get(key)
    const entry = entries?.pop()
    if (!entry) return undefined
    if (entries!.length === 0) idle.delete(key)
    idleCount--
    clearTimeout(entry.timer)
    return entry
  }

  function keep(key: string, session: Session): void {
    if (!session.isOpen) return
    const isFull = session.mails >= limits.mailsPerConnection || idleCount >= limits.idleConnections
    if (isClosed || isFull) {
      session.quit()
      return
    }
    const entries = idle.get(key) ?? []
    const timer = setTimeout(() => {
      entries.splice(entries.indexOf(entry), 1)
      if (entries.length === 0) idle.delete(key)
      idleCount--
      session.quit()
    }, limits.idleMs)
    const entry = { session, timer: timer.unref() }
    idle.set(key, entries)
    entries.push(entry)
    idleCount++
  }

  async function handOver(
    settings: RelaySettings,
    mail: OutgoingMail,
    signal: AbortSignal,
    key: string | null,
  ) {
    const from = mail.from === '' ? '' : envelopeAddress(mail.from)
    const unique = [...new Set(mail.to)]
    const known = unique.map((address) => ({ address, used: envelopeAddress(address) }))
    const to = [...new Set(known.flatMap(({ used }) => used ?? []))]
    const envelope = { from: from ?? '', to, size: mail.size ?? null, needsUtf8: mail.needsUtf8 ?? false }
    const results = (recipients: RecipientOutcome[], contentError: unknown): Outcome => {
      const byAddress = new Map(recipients.map((result) => [result.address, result]))
      return {
        recipients: known.map(({ address, used }) => ({
          ...(byAddress.get(used ?? '') ?? invalid),
          address,
        })),
        contentError,
      }
    }
    if (from === null || to.length === 0) return results([], null)
    try {
      for (let session = key === null ? null : take(key); ; session = null) {
        const isReused = session !== null
        session ??= await open(settings, signal)
        const { recipients, contentError, isStale } = await session.send(envelope, mail.content, signal)
        if (isReused && isStale && !signal.aborted) continue
        if (key === null) session.quit()
        else keep(key, session)
        return results(recipients, contentError)
      }
    } catch (error) {
      const failure = error instanceof SmtpFailure ? error : new SmtpFailure('connect', interrupted)
      return results(
        to.map((address) => failedBefore(address, failure)),
        null,
      )
    }
  }

  return {
    send(settings, mail, signal) {
      const { host, port, security, username, password } = settings
      return handOver(settings, mail, signal, JSON.stringify([host, port, security, username, password]))
    },
    async verify(settings, { from, to, content }, signal) {
      const limit = AbortSignal.timeout(limits.verifyMs)
      const mail = { from, to: [to], content }
      const outcome = await handOver(settings, mail, AbortSignal.any([signal, limit]), null)
      const { status, stage, code, response } = outcome.recipients[0]!
      return {
        ok: status === 'accepted',
        stage,
        smtp_code: code,
        response: limit.aborted && response === interrupted ? timedOut(limits.verifyMs) : response,
      }
    },
    close() {
      isClosed = true
      for (const key of [...idle.keys()]) for (let e = pop(key); e; e = pop(key)) e.session.quit()
    },
  }
}

const invalid = resultOf(
  '',
  'refused',
  'recipient',
  { code: null, enhanced: null, text: 'the address is not valid' },
  'address',
)

/** Characters that would end an address of a command, or the command. */
const notInAddress = /[\p{Cc}<>]/u

/** Returns an address for a command, its domain in Punycode if the rest is ASCII; null if it cannot be in one. */
function envelopeAddress(address: string): string | null {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  if (at < 1 || domain === '' || address !== address.trim() || notInAddress.test(address)) return null
  if (address.length > 320) return null
  return /^[\0-\x7f]*$/.test(local) ? `${local}@${domainToASCII(domain) || domain}` : address
}
