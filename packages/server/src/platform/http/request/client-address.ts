import { type BlockList, isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { contains, withoutMapping } from '../../kernel/networks.ts'

const header = 'x-forwarded-for'

/**
 * Makes `request.ip` the address of the client. Proxies append the address of their peer to `X-Forwarded-For`; the
 * client is the last one in it that is not a trusted proxy. Whatever stands before that address, the client may have
 * written. Of a peer that is not trusted, the header does not count. `Forwarded` (RFC 7239), `X-Forwarded-Proto` and
 * `X-Forwarded-Host` are not read.
 *
 * The option `trustProxy` of Fastify also takes `request.protocol` and `request.host` from headers, and hands out
 * entries that are no addresses.
 */
export function readClientAddresses(app: FastifyInstance, trusted: BlockList, log: Logger): void {
  const isTrusted = (text: string | undefined): boolean => {
    const address = addressIn(text)
    return address !== null && contains(trusted, address)
  }
  app.decorateRequest('ip', {
    getter(this: FastifyRequest): string {
      const path = proxyAddr.all(this.raw, isTrusted)
      // What sent an entry that is no address is trusted: it is the client, as far as anybody knows.
      const value = addressIn(path.at(-1)) ?? addressIn(path.at(-2)) ?? ''
      Object.defineProperty(this, 'ip', { value }) // also after the connection has ended
      return value
    },
  })
  let isSilent = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSilent && isForwarded(request) && !isTrusted(request.socket.remoteAddress)) {
      isSilent = true
      log.warn(
        { peer: request.ip },
        'X-Forwarded-For is ignored, because BACKLINE_TRUSTED_PROXIES does not contain the address of the peer',
      )
    }
    done()
  })
}

/** True if a proxy has forwarded the request, trusted or not. */
export const isForwarded = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers[header] !== undefined

/**
 * The address of an entry, which may have a port: `203.0.113.7:50000`, `[2001:db8::1]:443`. Null for anything else. A
 * zone is not part of it: it means something to one machine alone.
 */
function addressIn(text = ''): string | null {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  const address = withoutMapping(bare.replace(/%.*$/, ''))
  return isIP(address) === 0 ? null : address
}
