import { readdir, readFile, readlink } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import path from 'node:path'
import type { Config } from '@backline/server/compose/config.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { type Check, fault, ok } from './check.ts'

const patienceMs = 2_000

/** The process that listens on a port, if it is visible: processes of other users are not. */
type Listener = { pid: number; program: string }

/**
 * Checks whether a server could listen, or which process does.
 * @param serverPid the Backline server on the data directory; null if there is none
 */
export async function checkPort(config: Config, serverPid: number | null): Promise<Check> {
  const { host, port } = config
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (port === 0) return ok('port', 'any free port', { host, port })
  const unusable = (error: NodeJS.ErrnoException) =>
    fault('port', `${address}: ${reasonOf(error)}`, adviceFor(error.code), { host, port, served_by: null })
  const addressFault = await failureToListen(host, 0) // another machine's address? Its ports cannot be checked here
  if (addressFault) return unusable(addressFault)
  if (!(await isServed(host, port))) {
    const portFault = await failureToListen(host, port)
    return portFault ? unusable(portFault) : ok('port', `${address} is free`, { host, port, served_by: null })
  }

  const listener = await findListener(port)
  const faults = await askBackline(host, port)
  const isBackline = faults !== null
  const by = listener ? `${listener.program} (process ${listener.pid})` : 'a program of another user'
  const facts = { host, port, served_by: listener, is_backline: isBackline }
  const isThis =
    config.databaseUrl !== null || (serverPid !== null && (!listener || listener.pid === serverPid))
  if (!isBackline || !isThis) {
    const who = isBackline ? `another Backline server, ${by}` : by
    return fault('port', `${address} is served by ${who}`, 'stop it, or set PORT to another port', facts)
  }
  const pid = listener?.pid ?? serverPid
  const here = `${address} is served by Backline${pid === null ? '' : ` (process ${pid})`}`
  if (faults.length === 0) return ok('port', `${here}, which is ready`, facts)
  return fault(
    'port',
    `${here}, which is not ready: ${faults.join(' ')}`,
    'see the other checks and the log of the server',
    facts,
  )
}

/** Connects instead of listening, which could disturb a server that is just starting. */
function isServed(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: reachable(host), port, timeout: patienceMs })
    const end = (served: boolean) => {
      socket.destroy()
      resolve(served)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}

const reachable = (host: string) => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)

const failureToListen = (host: string, port: number) =>
  new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })

function adviceFor(code: string | undefined): string {
  if (code === 'EADDRINUSE')
    return 'a program uses this port on another address: stop it, or set PORT to another port'
  if (code === 'EACCES') return 'ports below 1024 require a privilege: set PORT to a higher port'
  return 'set HOST to an address of this machine, or to 0.0.0.0 for all of them'
}

/** The problems that /readyz reports, none if it is ready; null if the process is not Backline. */
async function askBackline(host: string, port: number): Promise<string[] | null> {
  const name = reachable(host)
  try {
    const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/readyz`
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' })
    if (!response.headers.get('request-id')?.startsWith('req_')) return null
    if (response.ok) return []
    const { detail } = (await response.json()) as { detail?: string }
    return [detail ?? `it returned ${response.status}`]
  } catch {
    return null
  }
}

/** Reads Linux's own lists: the listening socket, then the process that has it open. */
async function findListener(port: number): Promise<Listener | null> {
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

/** The command without its options, which may contain secrets: `node packages/server/src/main.ts`. */
const programOf = (pid: string) =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (text) => {
      const [program = '', script = '-'] = text.split('\0')
      return [path.basename(program), script.startsWith('-') ? '' : script].join(' ').trim() || 'a program'
    },
    () => 'a program',
  )
