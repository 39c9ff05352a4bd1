import { transactionSeconds } from '../oidc/transaction.ts'

/*
 * The cookie of a sign-in at the provider. The browser comes back by a navigation from another site, so it is
 * SameSite=Lax; it opens nothing by itself.
 */

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:')

const nameOf = (publicUrl: string): string =>
  isSecure(publicUrl) ? '__Secure-backline_oidc' : 'backline_oidc'

function cookieOf(publicUrl: string, value: string, seconds: number): string {
  const path = new URL(`${publicUrl}/console/api/sign_in`).pathname
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return `${nameOf(publicUrl)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** The header `Set-Cookie` of a sign-in that begins. */
export const transactionCookie = (publicUrl: string, sealed: string): string =>
  cookieOf(publicUrl, sealed, transactionSeconds)

/** The header `Set-Cookie` that removes the cookie. */
export const noTransactionCookie = (publicUrl: string): string => cookieOf(publicUrl, '', 0)

/** The value in a `Cookie` header. Undefined without one, and for several: other hosts of the domain can set some. */
export function transactionInCookie(header: string | undefined, publicUrl: string): string | undefined {
  const start = `${nameOf(publicUrl)}=`
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  return found.length === 1 ? found[0]!.slice(start.length) : undefined
}
