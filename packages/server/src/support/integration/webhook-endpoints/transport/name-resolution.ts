import { lookup, Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Returns all addresses of a host name. Rejects with a `code` of node:dns, also if the signal aborts it. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>

type ResolverOptions = {
  /** Resolves names unknown to DNS, as the system's resolver does: /etc/hosts, search domains, mDNS. Null for none. */
  system: ResolveName | null
  /** Name servers that replace the system's: `address:port`. */
  servers?: string[]
}

const attemptMs = 1_000
const attempts = 2
/** The grace period of the slower address family: some name servers never answer for IPv6. */
const familyGraceMs = 1_000

/** The name is not in DNS, or DNS is unavailable. A server without an answer would block the system's resolver too. */
const unknownToDns = ['ENOTFOUND', 'ENODATA', 'EREFUSED', 'ESERVFAIL', 'ECONNREFUSED']

/**
 * Resolves names by c-ares. `dns.lookup` blocks a thread of libuv's pool, and only two at a time: two names whose
 * servers never answer would delay every other receiver, and the database.
 */
export const nameResolver =
  ({ system, servers }: ResolverOptions): ResolveName =>
  async (name, signal) => {
    // A new resolver per name (25 µs) reads changes of resolv.conf and can be cancelled alone.
    const resolver = new Resolver({ timeout: attemptMs, tries: attempts })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    try {
      return await bothFamilies(resolver, name)
    } catch (error) {
      if (!system || !unknownToDns.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      return system(name, signal)
    } finally {
      signal.removeEventListener('abort', cancel)
      resolver.cancel()
    }
  }

/** Asks the system's resolver. It cannot be cancelled, and blocks a thread of libuv's pool. */
export const systemNames = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address)

async function bothFamilies(resolver: Resolver, name: string): Promise<string[]> {
  const families = [resolver.resolve4(name), resolver.resolve6(name)]
  const late = Promise.any(families).then(() => sleep(familyGraceMs, [] as string[], { ref: false }))
  const answers = await Promise.all(families.map((family) => Promise.race([family, late]).catch(() => [])))
  const addresses = answers.flat()
  return addresses.length > 0 ? addresses : families[0]!
}
