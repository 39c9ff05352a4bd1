import { type BlockList, isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls, type SecureContext } from 'node:tls'
import { addressesIn, nameOf } from '../destination.ts'
import { judgeAddress } from '../global-addresses.ts'
import { DeliveryFailure, timedOut } from './failures.ts'
import type { ResolveName } from './name-resolution.ts'

export type OpeningOptions = {
  /** Networks of the configuration: private addresses and plain `http:` are for these alone. */
  allowed: BlockList
  resolve: ResolveName
  secureContext: SecureContext
  connectMs: number
}

type Target = { host: string; port: number; isSecure: boolean }

/** An address that does not answer has the next one tried after so long, or sooner when there are many. */
const addressMs = 1_000
const maxAddressesTried = 8

/**
 * Opens a connection, over which nothing has been sent. A name is resolved once; nothing is connected to unless all of
 * its addresses may be reached, and then to these alone, while TLS proves the name.
 * @param signal ends it before it stands
 */
export async function openConnection(
  options: OpeningOptions,
  hostname: string,
  port: number,
  isSecure: boolean,
  signal: AbortSignal,
): Promise<Socket> {
  const target = { host: nameOf(hostname), port, isSecure }
  const limit = new AbortController()
  let stage = 'name resolution timed out'
  const timer = setTimeout(() => limit.abort(timedOut(stage, options.connectMs)), options.connectMs)
  const stop = AbortSignal.any([signal, limit.signal])
  try {
    const addresses = await addressesOf(options, target, stop)
    stage = 'connection timed out'
    const socket = await connected(options, target, addresses, stop)
    try {
      if (socket.destroyed || !socket.remoteAddress) throw new DeliveryFailure('connection reset')
      mustBeReachable(options, target, socket.remoteAddress)
    } catch (error) {
      socket.destroy()
      throw error
    }
    return socket
  } finally {
    clearTimeout(timer)
  }
}

/** @throws DeliveryFailure unless there are some, and all of them may be reached */
async function addressesOf(options: OpeningOptions, target: Target, stop: AbortSignal): Promise<string[]> {
  const known = addressesIn(target.host)
  // Of the two addresses of `localhost`, often one alone is on the list.
  const usable = known.filter((address) => judgeAddress(address, options.allowed) !== 'forbidden')
  const addresses =
    known.length === 0
      ? await Promise.race([options.resolve(target.host, stop), ended(stop)])
      : usable.length > 0
        ? usable
        : known
  if (addresses.length === 0) throw new DeliveryFailure('name not found')
  for (const address of addresses) mustBeReachable(options, target, address)
  stop.throwIfAborted()
  return addresses.slice(0, maxAddressesTried)
}

function mustBeReachable({ allowed }: OpeningOptions, { isSecure }: Target, address: string): void {
  const verdict = judgeAddress(address, allowed)
  if (verdict === 'forbidden') throw new DeliveryFailure(`forbidden address ${address}`)
  if (!isSecure && verdict !== 'allowed') throw new DeliveryFailure(`https required for ${address}`)
}

function connected(
  { connectMs, secureContext }: OpeningOptions,
  { host, port, isSecure }: Target,
  addresses: string[],
  stop: AbortSignal,
): Promise<Socket> {
  const tcp = {
    host,
    port,
    lookup: pinnedTo(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.min(addressMs, connectMs / addresses.length)),
    noDelay: true,
  }
  const socket = isSecure
    ? openTls({
        ...tcp,
        servername: isIP(host) ? '' : host, // RFC 6066, section 3: names alone
        secureContext,
        rejectUnauthorized: true, // said, because NODE_TLS_REJECT_UNAUTHORIZED could say otherwise
        ALPNProtocols: ['http/1.1'],
      })
    : openTcp(tcp)
  const giveUp = () => socket.destroy(stop.reason)
  stop.addEventListener('abort', giveUp)
  return new Promise<Socket>((resolve, reject) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(socket))
    socket.on('error', reject) // stays, for errors between two requests, when nobody else listens
    socket.once('close', () => reject(new DeliveryFailure('connection reset')))
  }).finally(() => stop.removeEventListener('abort', giveUp))
}

/** In place of DNS, so that nothing can be answered differently from what was judged. */
const pinnedTo = (addresses: string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, callback) =>
    all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)
}

const ended = (stop: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (stop.aborted) reject(stop.reason)
    stop.addEventListener('abort', () => reject(stop.reason), { once: true })
  })
