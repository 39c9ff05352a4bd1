import type { ConsoleOidcSettings } from '../support/access/oidc/settings.ts'
import { parseVisible, type Setting } from './setting.ts'

/**
 * Reads the variables of the sign-in by OpenID Connect. Null without an issuer.
 * @param refuse reports a fault of several variables together
 */
export function oidcSettings(setting: Setting, refuse: (fault: string) => void): ConsoleOidcSettings | null {
  const text = (name: string, parse: (text: string) => string | null, expected: string) =>
    setting(`BACKLINE_OIDC_${name}`, '', (given) => (given === '' ? '' : parse(given)), expected)
  const issuer = text(
    'ISSUER',
    parseIssuer,
    'the https:// URL of an issuer, without /.well-known and a query; http:// is for localhost only',
  )
  const clientId = text('CLIENT_ID', parseVisible, 'visible ASCII characters')
  const clientSecret = text('CLIENT_SECRET', parseVisible, 'visible ASCII characters')
  const workspace = text('WORKSPACE', (given) => given, 'the name of a workspace')
  const all = { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
  const names = Object.keys(all).map((name) => `BACKLINE_OIDC_${name}`)
  // An invalid value is null, and one fault is enough.
  const missing = Object.values(all).flatMap((value, i) => (value === '' ? [names[i]!] : []))
  if (missing.length === names.length) {
    if (workspace) refuse(`BACKLINE_OIDC_WORKSPACE requires ${names.join(', ')}`)
    return null
  }
  for (const name of missing)
    refuse(`${names.filter((each) => !missing.includes(each)).join(' and ')} requires ${name}`)
  return { issuer, clientId, clientSecret, workspace: workspace || null }
}

const local = ['localhost', '127.0.0.1', '[::1]']

function parseIssuer(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text)
  const isProtected = protocol === 'https:' || (protocol === 'http:' && local.includes(hostname))
  const isBare = !username && !password && search === '' && hash === '' && !/[?#]/.test(text)
  return isProtected && isBare && !pathname.includes('/.well-known/') ? text : null
}
