import { once } from 'node:events'
import { connect } from 'node:net'
import { type Config, reachable } from '@backline/server/compose/config.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { nameOfListener } from '@backline/server/support/mail/smtp/listen-setting.ts'
import { type Check, fault, ok } from './check.ts'

const name = 'mail'
const patienceMs = 2_000

/**
 * Reads the greeting of the listener for mail. None is configured, or this process would not listen: null.
 * @param isServed true if the server runs, which then has to listen
 */
export async function checkMailListener({ mail, role }: Config, isServed: boolean): Promise<Check | null> {
  const { listen } = mail
  if (!listen || role === 'worker') return null
  const place = nameOfListener(listen)
  const { at } = listen
  const greeting = await greetingAt('path' in at ? at : { host: reachable(at.host), port: at.port })
  const facts = { listen: place, greeting: greeting instanceof Error ? null : greeting }
  if (greeting instanceof Error) {
    const reason = reasonOf(greeting)
    if (!isServed) return ok(name, `${place}: nobody listens, and no server runs`, facts)
    const advice = 'restart the server, which was started without BACKLINE_MAIL_LISTEN or with another one'
    return fault(name, `${place}: ${reason}`, advice, facts)
  }
  if (greeting.startsWith('220 ')) return ok(name, `${place} answers`, facts)
  if (greeting.startsWith('554 '))
    return ok(
      name,
      `${place} answers, and refuses this machine, which is not in BACKLINE_MAIL_ALLOWED_NETWORKS`,
      facts,
    )
  const advice = 'see the log of the server, and whether another program listens there'
  return fault(name, `${place} answers: ${greeting}`, advice, facts)
}

/** The first line that a server sends. */
async function greetingAt(at: { host: string; port: number } | { path: string }): Promise<string | Error> {
  const socket = connect(at).setEncoding('latin1')
  try {
    const [text] = await once(socket, 'data', { signal: AbortSignal.timeout(patienceMs) })
    return (text as string).split('\r\n', 1)[0]!.slice(0, 200)
  } catch (error) {
    return error as Error
  } finally {
    socket.destroy()
  }
}
