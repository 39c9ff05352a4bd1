import { open } from 'node:fs/promises'
import { BlockList, isIP } from 'node:net'
import { CommandError, UsageError } from '../errors.ts'

/** A folder of an IMAP account. */
export type Account = {
  host: string
  port: number
  /** How the connection is encrypted. `none` is for this machine alone. */
  security: 'tls' | 'starttls' | 'none'
  user: string
  /** The names from the root to the folder; the server has the delimiter between them. */
  folder: string[]
  /** Without the user, for messages. */
  url: string
}

const ports = { 'imaps:': 993, 'imap:': 143 } as const
const option = '--imap'
const form = 'imaps://USER@HOST/FOLDER'

/**
 * Reads the value of --imap (RFC 5092). A user that is an address may have its `@` unescaped. The message of an error
 * has no part of the value, which may contain a password.
 * @throws UsageError
 */
export function accountOf(text: string, command: string): Account {
  const refuse = (detail: string): never => {
    throw new UsageError(`${option} ${detail}`, command, [{ argument: option, code: 'bad_format', detail }])
  }
  const url = URL.parse(text)
  if (url?.protocol !== 'imaps:' && url?.protocol !== 'imap:') return refuse(`must be ${form}`)
  if (url.password) return refuse('must not have the password, which is read from --password-file')
  const user = decoded(url.username)
  const folder = namesOf(url.pathname.slice(1).replace(/\/$/, ''))
  if (!user || !url.hostname || !folder || url.search || url.hash) return refuse(`must be ${form}`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(url.port) || ports[url.protocol],
    security: url.protocol === 'imaps:' ? 'tls' : isThisMachine(host) ? 'none' : 'starttls',
    user,
    folder,
    url: `${url.protocol}//${url.host}`,
  }
}

/** The names of a path such as `Support/Done`, in which `%2F` is a slash within a name. Null if it has none. */
function namesOf(path: string): string[] | null {
  const names = path === '' ? ['INBOX'] : path.split('/').map(decoded)
  return names.every((name): name is string => !!name) ? names : null
}

/** The folder of --move-to. @throws UsageError */
export function folderOf(argument: string, path: string, command: string): string[] {
  const names = path.split('/')
  if (names.every(Boolean)) return names
  const detail = 'must be the path of a folder, such as Done or Support/Done'
  throw new UsageError(`${argument} ${detail}`, command, [{ argument, code: 'bad_format', detail }])
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function isThisMachine(host: string): boolean {
  const version = isIP(host)
  return version === 0 ? host === 'localhost' : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4')
}

const othersMayRead = 0o077
const maxPasswordBytes = 64 * 1024

/**
 * Reads a password, which is all of a file but the line end at its end.
 * @throws CommandError if it is not readable, empty, or readable by other users
 */
export async function readPassword(file: string): Promise<string> {
  const handle = await open(file).catch((error: Error) => {
    throw new CommandError('password_file_not_usable', `cannot read the password: ${error.message}`, error)
  })
  try {
    const { mode, size } = await handle.stat()
    if (process.platform !== 'win32' && (mode & othersMayRead) !== 0) {
      const message = `${file} contains a password and other users can access it; run: chmod 600 '${file}'`
      throw new CommandError('password_file_unsafe', message)
    }
    const text = size > maxPasswordBytes ? '' : await handle.readFile('utf8')
    const password = text.replace(/\r?\n$/, '')
    if (password !== '' && !/[\r\n\0]/.test(password)) return password
    const message = `${file} must contain the password alone, on one line`
    throw new CommandError('password_file_not_usable', message)
  } catch (error) {
    if (error instanceof CommandError) throw error
    const message = `cannot read the password: ${(error as Error).message}`
    throw new CommandError('password_file_not_usable', message, error)
  } finally {
    await handle.close()
  }
}
