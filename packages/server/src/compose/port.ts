import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { type MailListen, nameOfListener } from '../support/mail/smtp/listen-setting.ts'
import type { Config } from './config.ts'

/** The server cannot listen. The message is one line that names the setting to change. */
export class ListenError extends Error {
  override name = 'ListenError'
}

/**
 * Listens for a moment, before anything is created. `PORT=0` becomes a free port, because links contain it.
 * @throws ListenError
 */
export async function claimPort(config: Config): Promise<Config> {
  const port = await listenBriefly(config.host, config.port).catch(refuse(config))
  return config.port === 0
    ? { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
    : config
}

/** For `promise.catch`: converts the error of `listen`. */
export const refuse =
  ({ host, port }: Config) =>
  async (error: NodeJS.ErrnoException): Promise<never> => {
    if (error.syscall !== 'listen' && error.syscall !== 'bind' && error.syscall !== 'getaddrinfo') throw error
    const listener = error.code === 'EADDRINUSE' ? await findListener(port) : null
    const reason = listener ? `${nameOf(listener)} uses the port` : error.message
    const message = `cannot listen on ${addressOf(host, port)} (${reason}): ${adviceFor(error.code, host)}`
    throw new ListenError(message, { cause: error })
  }

/** As `refuse`, for BACKLINE_MAIL_LISTEN. */
export const refuseMail =
  (listen: MailListen) =>
  async (error: NodeJS.ErrnoException): Promise<never> => {
    if (typeof error.code !== 'string') throw error
    const advice = adviceForMail(error.code, 'path' in listen.at)
    const message = `cannot listen for mail on ${nameOfListener(listen)} (${error.message}): ${advice}`
    throw new ListenError(message, { cause: error })
  }

function adviceForMail(code: string, isSocket: boolean): string {
  if (code === 'EADDRINUSE')
    return 'stop the program that uses it, or set BACKLINE_MAIL_LISTEN to another place'
  if (isSocket)
    return 'set BACKLINE_MAIL_LISTEN to a path in a directory that exists and in which this user may create files'
  if (code === 'EACCES')
    return 'ports below 1024 require a privilege: set BACKLINE_MAIL_LISTEN to a higher port'
  return 'set the host in BACKLINE_MAIL_LISTEN to an address of this machine'
}

/** @returns the port @throws the error of `listen` */
export async function listenBriefly(host: string, port: number): Promise<number> {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  const { port: found } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return found
}

export const addressOf = (host: string, port: number) => `${host.includes(':') ? `[${host}]` : host}:${port}`

export function adviceFor(code: string | undefined, host: string): string {
  if (code === 'EADDRINUSE') return 'stop the program that uses it, or set PORT to another port'
  if (code === 'EACCES') return 'ports below 1024 require a privilege: set PORT to a higher port'
  return `HOST=${host} is not an address of this machine: set HOST to one of its addresses, or to 0.0.0.0 for all of them`
}

/** The process that listens on a port, if it is visible: processes of other users are not. */
export type Listener = { pid: number; program: string }

export const nameOf = ({ pid, program }: Listener) => `${program} (process ${pid})`

/** Reads Linux's own lists: the listening socket, then the process that has it open. */
export async function findListener(port: number): Promise<Listener | null> {
  const sockets = new Set<string>()
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(1)
    for (const line of lines) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      const isListening = state === '0A'
      if (isListening && Number.parseInt(local.split(':')[1] ?? '', 16) === port)
        sockets.add(`socket:[${inode}]`)
    }
  }
  if (sockets.size === 0) return null
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const directory = path.join('/proc', pid, 'fd')
    for (const fd of await readdir(directory).catch(() => [])) {
      const target = await readlink(path.join(directory, fd)).catch(() => '')
      if (sockets.has(target)) return { pid: Number(pid), program: await programOf(pid) }
    }
  }
  return null
}

/** The command without its arguments, which may contain secrets; that of Node with its script. */
const programOf = (pid: string) =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (text) => {
      const [command = '', ...args] = text.split('\0')
      const program = path.basename(command)
      const script = program === 'node' ? args.find((arg) => !arg.startsWith('-')) : ''
      return `${program} ${script}`.trim() || 'a program'
    },
    () => 'a program',
  )
