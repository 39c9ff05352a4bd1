import { type BlockList, isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls, type SecureContext } from 'node:tls'
import { addressesIn, nameOf } from '../destination.ts'
import { judgeAddress } from '../global-addresses.ts'
import { DeliveryFailure, timedOut } from './failures.ts'
import type { ResolveName } from './name-resolution.ts'

export type OpeningOptions = {
  /** Networks of the configuration; only these may be private and use plain `http:`. */
  allowed: BlockList
  resolve: ResolveName
  secureContext: SecureContext
  connectMs: number
}

type Target = { host: string; port: number; isSecure: boolean }

/** The time without an answer after which the next address is tried; less if there are many. */
const addressMs = 1_000
const maxAddressesTried = 8

/**
 * Opens a connection without sending anything. A name is resolved once. Connects only if all of its addresses are
 * allowed, and only to these; TLS verifies the name.
 * @param signal aborts the connection attempt
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

/** @throws DeliveryFailure unless the host has addresses and all of them are allowed */
export async function addressesOf(
  options: Pick<OpeningOptions, 'allowed' | 'resolve'>,
  target: Omit<Target, 'port'>,
  stop: AbortSignal,
): Promise<string[]> {
  const known = addressesIn(target.host)
  // Often only one of the two addresses of `localhost` is allowed.
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

function mustBeReachable(
  { allowed }: Pick<OpeningOptions, 'allowed'>,
  { isSecure }: Omit<Target, 'port'>,
  address: string,
): void {
  const verdict = judgeAddress(address, allowed)
  if (verdict === 'forbidden') throw new DeliveryFailure(`forbidden address ${address}`)
  if (!isSecure && verdict !== 'allowed') throw new DeliveryFailure(`https required for ${address}`)
}

/** Connects to the first of the addresses that accepts a connection, and to no other one. */
export function connected(
  { connectMs, secureContext }: Pick<OpeningOptions, 'connectMs' | 'secureContext'>,
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
        servername: isIP(host) ? '' : host, // RFC 6066, section 3: names only
        secureContext,
        rejectUnauthorized: true, // explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default
        ALPNProtocols: ['http/1.1'],
      })
    : openTcp(tcp)
  const giveUp = () => socket.destroy(stop.reason)
  stop.addEventListener('abort', giveUp)
  return new Promise<Socket>((resolve, reject) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(socket))
    socket.on('error', reject) // remains, for errors between requests, when no other listener exists
    socket.once('close', () => reject(new DeliveryFailure('connection reset')))
  }).finally(() => stop.removeEventListener('abort', giveUp))
}

/** Replaces DNS, so that the connection uses exactly the addresses that were checked. */
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
