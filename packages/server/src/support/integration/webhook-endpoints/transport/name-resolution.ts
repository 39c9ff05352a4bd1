import { lookup, Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** All addresses of a host name. It rejects with a `code` of node:dns, also when the signal ends it. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>

type ResolverOptions = {
  /** Names that DNS does not know are looked for as other programs do: /etc/hosts, search domains, mDNS. */
  asksSystem: boolean
  /** Name servers other than the system's: `address:port`. */
  servers?: string[]
}

const attemptMs = 1_000
const attempts = 2
/** How long the slower address family may take after the other: servers exist that never answer for IPv6. */
const familyGraceMs = 1_000

/** The name is not in DNS, or there is no DNS; a server that does not answer would keep the system waiting too. */
const unknownToDns = ['ENOTFOUND', 'ENODATA', 'EREFUSED', 'ESERVFAIL', 'ECONNREFUSED']

/**
 * Resolves by c-ares. The usual `dns.lookup` waits in libuv's thread pool, two at a time: two names whose servers
 * never answer would hold up every other receiver and the database, too.
 */
export const nameResolver =
  ({ asksSystem, servers }: ResolverOptions): ResolveName =>
  async (name, signal) => {
    // Made for each name (25 µs), so that changes of resolv.conf count and one is ended without the others.
    const resolver = new Resolver({ timeout: attemptMs, tries: attempts })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    try {
      return await bothFamilies(resolver, name)
    } catch (error) {
      if (!asksSystem || !unknownToDns.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      return (await lookup(name, { all: true })).map(({ address }) => address)
    } finally {
      signal.removeEventListener('abort', cancel)
      resolver.cancel()
    }
  }

async function bothFamilies(resolver: Resolver, name: string): Promise<string[]> {
  const families = [resolver.resolve4(name), resolver.resolve6(name)]
  const late = Promise.any(families).then(() => sleep(familyGraceMs, [] as string[], { ref: false }))
  const answers = await Promise.all(families.map((family) => Promise.race([family, late]).catch(() => [])))
  const addresses = answers.flat()
  return addresses.length > 0 ? addresses : families[0]!
}
