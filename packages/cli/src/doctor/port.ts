import { createConnection } from 'node:net'
import { type Config, reachable } from '@backline/server/compose/config.ts'
import { addressOf, adviceFor, findListener, listenBriefly, nameOf } from '@backline/server/compose/port.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { type Check, fault, ok } from './check.ts'

const patienceMs = 2_000

/**
 * Checks whether a server could listen, or which process does.
 * @param serverPid the Backline server on the data directory; null if there is none
 */
export async function checkPort(config: Config, serverPid: number | null): Promise<Check> {
  const { host, port } = config
  const address = addressOf(host, port)
  if (port === 0) return ok('port', 'any free port', { host, port })
  const unusable = (error: NodeJS.ErrnoException) =>
    fault('port', `${address}: ${reasonOf(error)}`, adviceFor(error.code, host), {
      host,
      port,
      served_by: null,
    })
  const addressFault = await failureToListen(host, 0) // another machine's address? Its ports cannot be checked here
  if (addressFault) return unusable(addressFault)
  if (!(await isServed(host, port))) {
    const portFault = await failureToListen(host, port)
    return portFault ? unusable(portFault) : ok('port', `${address} is free`, { host, port, served_by: null })
  }

  const listener = await findListener(port)
  const answer = await askBackline(host, port)
  const isBackline = answer !== null
  const by = listener ? nameOf(listener) : 'a program of another user'
  const facts = { host, port, served_by: listener, is_backline: isBackline }
  const isThis =
    config.databaseUrl !== null || (serverPid !== null && (!listener || listener.pid === serverPid))
  if (!isBackline || !isThis) {
    const who = isBackline ? `another Backline server, ${by}` : by
    return fault('port', `${address} is served by ${who}`, 'stop it, or set PORT to another port', facts)
  }
  const pid = listener?.pid ?? serverPid
  const here = `${address} is served by Backline${pid === null ? '' : ` (process ${pid})`}`
  const advice = 'see the other checks and the log of the server'
  if (answer.fault !== null)
    return fault('port', `${here}, which is not ready: ${answer.fault}`, advice, facts)
  const ready = `${here}, which is ready`
  const { warnings } = answer
  if (warnings.length === 0) return ok('port', ready, facts)
  return fault('port', [`${ready}, but:`, ...warnings].join('\n'), advice, { ...facts, warnings })
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

const failureToListen = (host: string, port: number): Promise<NodeJS.ErrnoException | null> =>
  listenBriefly(host, port).then(
    () => null,
    (error) => error,
  )

/** The answer of /readyz: `fault` is null if the server is ready. */
type Readiness = { fault: string | null; warnings: string[] }

/** Asks a server whether it is ready, and what it warns of; null if the process is not Backline. */
async function askBackline(host: string, port: number): Promise<Readiness | null> {
  const name = reachable(host)
  try {
    const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/readyz`
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' })
    if (!response.headers.get('request-id')?.startsWith('req_')) return null
    const { detail, warnings = [] } = (await response.json()) as { detail?: string; warnings?: string[] }
    return { fault: response.ok ? null : (detail ?? `it returned ${response.status}`), warnings }
  } catch {
    return null
  }
}
