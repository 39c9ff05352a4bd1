import { transactionSeconds } from '../oidc/transaction.ts'

/*
 * The cookies of the console. By `__Host-`, browsers take them from this host alone, by HTTPS alone. Without HTTPS,
 * their names contain the port: all ports of a host share their cookies.
 */

/** The name and attributes of a cookie. */
type Kind = { name: string; seconds: number; sameSite: 'Strict' | 'Lax' }

const session: Kind = { name: 'backline_console', seconds: 30 * 86_400, sameSite: 'Strict' }

/** The browser comes back from the provider by a navigation from another site. It opens nothing by itself. */
const transaction: Kind = { name: 'backline_oidc', seconds: transactionSeconds, sameSite: 'Lax' }

function nameOf({ name }: Kind, publicUrl: string): string {
  const { protocol, port } = new URL(publicUrl)
  return protocol === 'https:' ? `__Host-${name}` : `${name}_${port || '80'}`
}

function cookieOf(kind: Kind, publicUrl: string, value: string, seconds = kind.seconds): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${kind.sameSite}${secure}`
  return `${nameOf(kind, publicUrl)}=${value}; ${attributes}`
}

/** The value in a `Cookie` header. Null without one, and for several: another host of the domain may have set one. */
function valueIn(header: string | undefined, kind: Kind, publicUrl: string): string | null {
  const start = `${nameOf(kind, publicUrl)}=`
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  return found.length === 1 ? found[0]!.slice(start.length) : null
}

/** The header `Set-Cookie` of a new session. */
export const sessionCookie = (publicUrl: string, token: string): string => cookieOf(session, publicUrl, token)

/** The header `Set-Cookie` that removes the session. */
export const noSessionCookie = (publicUrl: string): string => cookieOf(session, publicUrl, '', 0)

/** The token of a session. */
export const tokenInCookie = (header: string | undefined, publicUrl: string): string | null =>
  valueIn(header, session, publicUrl)

/** The header `Set-Cookie` of a sign-in at the provider that begins. */
export const transactionCookie = (publicUrl: string, sealed: string): string =>
  cookieOf(transaction, publicUrl, sealed)

/** The header `Set-Cookie` that removes the sign-in. */
export const noTransactionCookie = (publicUrl: string): string => cookieOf(transaction, publicUrl, '', 0)

/** The sealed sign-in. */
export const transactionInCookie = (header: string | undefined, publicUrl: string): string | null =>
  valueIn(header, transaction, publicUrl)
