import type pg from 'pg'

/*
 * Several hosts in one connection URL, in the form of libpq (PostgreSQL's documentation, "Connection Strings"):
 * postgres://user@a:5432,b:5433/backline?target_session_attrs=read-write, or lists in the parameters host and port.
 */

/** A connection URL, or the socket directory of the embedded server. */
export type Connection = string | { host: string; port: number; user: string; database: string }

/** The sessions that `target_session_attrs` accepts. Backline writes, so those of standbys are not among them. */
const sessionAttrs = ['read-write', 'primary', 'any'] as const
export type SessionAttrs = (typeof sessionAttrs)[number]

export type Host = {
  /** `name:port`, or the directory of a socket; null for the only host of a connection. */
  name: string | null
  address: pg.ClientConfig
}

/** The servers of a connection, of which one accepts writes. */
export type Hosts = {
  attrs: SessionAttrs
  /** The host of the latest session comes first, a host that failed last. */
  inOrder(): Host[]
  prefer(host: Host): void
  defer(host: Host): void
}

/** A connection URL is malformed. The message contains no part of its user name or password. */
export class HostsError extends Error {
  override name = 'HostsError'
}

/** All connections of the process share the order of hosts. */
const hostsByUrl = new Map<string, Hosts>()

/** @throws HostsError */
export function hostsOf(connection: Connection): Hosts {
  if (typeof connection !== 'string') return orderOf([{ name: null, address: connection }], 'any')
  const hosts = hostsByUrl.get(connection) ?? parseHosts(connection)
  hostsByUrl.set(connection, hosts)
  return hosts
}

/** The host of the latest session; null if the connection has only one. */
export const latestHost = (connection: Connection): string | null => hostsOf(connection).inOrder()[0]!.name

function orderOf(given: Host[], attrs: SessionAttrs): Hosts {
  let hosts = given
  const without = (host: Host) => hosts.filter((each) => each !== host)
  return {
    attrs,
    inOrder: () => hosts,
    prefer: (host) => {
      hosts = [host, ...without(host)]
    },
    defer: (host) => {
      hosts = [...without(host), host]
    },
  }
}

const urlParts = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?/

/** True for lists in the authority, of which `URL` accepts only some; lists in parameters make no difference to it. */
export const hasSeveralHosts = (url: string): boolean => urlParts.exec(url)?.[3]?.includes(',') ?? false

/** @throws HostsError */
export function parseHosts(url: string): Hosts {
  const [, scheme = '', user = '', authority = '', path = '/', search = ''] = urlParts.exec(url) ?? []
  const parameters = search.split('&').filter(Boolean)
  /** The last value of a parameter; null without it. */
  const parameter = (name: string): string | null => {
    const values = parameters.filter((each) => each.startsWith(`${name}=`))
    return values.length === 0 ? null : decode(values.at(-1)!.slice(name.length + 1))
  }
  const attrs = parameter('target_session_attrs')
  if (attrs !== null && !isAccepted(attrs))
    throw new HostsError(`target_session_attrs must be ${sessionAttrs.join(', ')}, because Backline writes`)
  const timeout = timeoutOf(parameter('connect_timeout'))

  const inAuthority = authority.split(',').map(splitPort)
  const names = parameter('host')?.split(',') ?? inAuthority.map(({ name }) => name)
  const ports = parameter('port')?.split(',') ?? inAuthority.map(({ port }) => port)
  if (names.length === 1 && ports.length === 1)
    return orderOf([{ name: null, address: { connectionString: url, ...timeout } }], attrs ?? 'any')

  if (ports.length !== 1 && ports.length !== names.length)
    throw new HostsError(`it has ${names.length} hosts and ${ports.length} ports`)
  if (names.includes('')) throw new HostsError('a name in the list of hosts is empty')
  const own = new Set(['host', 'port', 'target_session_attrs', 'connect_timeout'])
  const others = parameters.filter((each) => !own.has(each.split('=', 1)[0]!))
  const hosts = names.map((name, i): Host => {
    const port = validPort(ports.length === 1 ? ports[0]! : ports[i]!)
    const place = [`host=${encodeURIComponent(name)}`, ...(port === '' ? [] : [`port=${port}`])]
    // The driver takes host and port from the parameters.
    const connectionString = `${scheme}${user}localhost${path}?${[...others, ...place].join('&')}`
    if (!URL.canParse(connectionString)) throw new HostsError('its user, password or database is malformed')
    return { name: shown(name, port), address: { connectionString, ...timeout } }
  })
  return orderOf(hosts, attrs ?? 'read-write')
}

/**
 * The same connection to another host.
 * @param settings command-line options of the session, in addition to those of the connection
 */
export function urlAtHost(url: string, host: string, port: number, settings: string): string {
  const [, scheme = '', user = '', , path = '/', search = ''] = urlParts.exec(url) ?? []
  const parameters = new URLSearchParams(search)
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name)
  parameters.set('options', [parameters.get('options'), settings].filter(Boolean).join(' '))
  const name = host.includes(':') ? `[${host}]` : host
  return `${scheme}${user}${name}:${port}${path}?${parameters}`
}

const isAccepted = (text: string): text is SessionAttrs => (sessionAttrs as readonly string[]).includes(text)

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new HostsError('a percent sign is not followed by two hexadecimal digits')
  }
}

/** An IPv6 address is in brackets, a socket directory is percent-encoded. */
function splitPort(text: string): { name: string; port: string } {
  const parts = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:]*))?$/.exec(text)
  if (!parts) throw new HostsError('a host in the list is malformed; an IPv6 address must be in brackets')
  const [, six, name, port = ''] = parts
  return { name: decode(six ?? name!), port }
}

function validPort(text: string): string {
  if (text !== '' && !(/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535))
    throw new HostsError('a port in the list of hosts is not a number from 1 to 65535')
  return text
}

/** As in libpq, the limit is in seconds and for each host; 0 and negative values are the default. */
function timeoutOf(text: string | null): pg.ClientConfig {
  if (text === null) return {}
  if (!/^-?\d{1,6}$/.test(text)) throw new HostsError('connect_timeout must be a whole number of seconds')
  return Number(text) > 0 ? { connectionTimeoutMillis: Number(text) * 1_000 } : {}
}

const shown = (name: string, port: string): string =>
  name.startsWith('/') ? name : `${name.includes(':') ? `[${name}]` : name}:${port || 5432}`
