import { isIPv6 } from 'node:net'

/** The parsed setting BACKLINE_MAIL_LISTEN. */
export type MailListen = {
  protocol: 'lmtp' | 'smtp'
  at: { host: string; port: number } | { path: string }
}

/** The default of BACKLINE_MAIL_ALLOWED_NETWORKS: loopback. */
export const defaultMailNetworks = '127.0.0.0/8,::1/128'

export const mailListenForms =
  'lmtp://host:port, lmtp:/absolute/socket or smtp://host:port, with an IPv6 address in brackets'

/** The longest path of a local socket, on every system (sockaddr_un). */
const maxPathBytes = 103

/** The listener as the setting names it. */
export const nameOfListener = ({ protocol, at }: MailListen): string =>
  'path' in at
    ? `${protocol}:${at.path}`
    : `${protocol}://${isIPv6(at.host) ? `[${at.host}]` : at.host}:${at.port}`

/** Parses the setting; null for other texts. */
export function parseMailListen(text: string): MailListen | null {
  const path = /^lmtp:(\/(?!\/)[^\0]+)$/.exec(text)?.[1]
  if (path) return Buffer.byteLength(path) <= maxPathBytes ? { protocol: 'lmtp', at: { path } } : null
  const [, protocol, host, port] = /^(lmtp|smtp):\/\/(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? []
  if (!protocol || !host) return null
  const name = host.replace(/^\[|\]$/g, '')
  if (host.startsWith('[') && !isIPv6(name)) return null
  const number = Number(port)
  if (number < 1 || number > 65_535) return null
  return { protocol: protocol.toLowerCase() as 'lmtp' | 'smtp', at: { host: name, port: number } }
}
