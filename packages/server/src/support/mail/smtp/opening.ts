import type { BlockList, Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { faultsOfSmtp, faultsOutside, smtpHostOf } from '../../catalogue/mailboxes/smtp.ts'
import { judgeAddress } from '../../integration/webhook-endpoints/global-addresses.ts'
import { describeFailure } from '../../integration/webhook-endpoints/transport/failures.ts'
import type { ResolveName } from '../../integration/webhook-endpoints/transport/name-resolution.ts'
import { addressesOf, connected } from '../../integration/webhook-endpoints/transport/opening.ts'
import { SmtpFailure, type Stage, timedOut } from './replies.ts'
import type { RelaySettings } from './settings.ts'

export type OpeningOptions = {
  /** Networks of the configuration, which may be private, use any port and no TLS. */
  allowed: BlockList
  resolve: ResolveName
  secureContext: SecureContext
  connectMs: number
}

export type Opened = { socket: Socket; host: string }

/**
 * Opens a TCP connection to a relay, without TLS. A name is resolved once. Connects only if all of its addresses are
 * allowed, and only to these.
 * @throws SmtpFailure of the stage `resolve` or `connect`
 */
export async function openSocket(
  options: OpeningOptions,
  settings: RelaySettings,
  signal: AbortSignal,
): Promise<Opened> {
  const [fault] = faultsOfSmtp(settings, options.allowed)
  if (fault) throw new SmtpFailure('resolve', `the ${fault.field} ${fault.detail}`)
  const target = { host: smtpHostOf(settings.host)!, port: settings.port, isSecure: false }
  const { allowed, connectMs } = options
  let stage: Stage = 'resolve'
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new SmtpFailure(stage, timedOut(connectMs))), connectMs)
  const stop = AbortSignal.any([signal, limit.signal])
  try {
    // An address that is global is judged below: TLS begins later.
    const addresses = await addressesOf(options, { host: target.host, isSecure: true }, stop)
    for (const address of addresses) mustBeAllowed(settings, allowed, address)
    stage = 'connect'
    const socket = await connected(options, target, addresses, stop)
    try {
      mustBeAllowed(settings, allowed, socket.remoteAddress ?? '')
    } catch (error) {
      socket.destroy()
      throw error
    }
    return { socket, host: target.host }
  } catch (error) {
    if (error instanceof SmtpFailure) throw error
    if (signal.aborted) throw signal.reason
    throw new SmtpFailure(stage, describeFailure(error))
  } finally {
    clearTimeout(timer)
  }
}

/** @throws SmtpFailure */
function mustBeAllowed(settings: RelaySettings, allowed: BlockList, address: string): void {
  const verdict = judgeAddress(address, allowed)
  if (verdict === 'forbidden') throw new SmtpFailure('resolve', `forbidden address ${address}`)
  const [fault] = verdict === 'allowed' ? [] : faultsOutside(settings)
  if (fault) throw new SmtpFailure('resolve', `the ${fault.field} of ${address} ${fault.detail}`)
}

/** Shared by all connections, because a context holds all trusted certificates. */
export const secureContextOf = (authorities: string[] | undefined): SecureContext =>
  createSecureContext(authorities && { ca: authorities })
