import type { Logger } from 'pino'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { counter, gauge, type Metrics } from '../../../platform/kernel/metrics.ts'
import { addressList } from '../../../platform/kernel/networks.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { maxEmailBytes } from '../inbound-emails/schema.ts'
import type { MailListen } from '../smtp/listen-setting.ts'
import { type MailListener, startMailListener } from '../smtp/listening.ts'
import { mailboxOfRecipient } from './recipients.ts'
import { takeMail } from './taking.ts'

export type MailInDeps = {
  db: Db
  log: Logger
  metrics: Metrics
  /** A context for changes by the server itself. */
  context(env: Environment): Ctx
}

export type MailInSettings = {
  listen: MailListen
  allowedNetworks: string[]
  /** The name of the server in the greeting. */
  name: string
  /** The time for mails that are being taken when the listener stops. */
  stopMs: number
}

/** Listens for mails to the mailboxes of all environments. */
export async function listenForMail(
  { db, log, metrics, context }: MailInDeps,
  { listen, allowedNetworks, name, stopMs }: MailInSettings,
): Promise<MailListener> {
  const mails = counter(metrics, {
    name: 'backline_mail_listener_mails_total',
    help: 'Mails that were sent to the listener, by outcome: the client repeats those that were deferred.',
    labels: ['outcome'],
  })
  for (const outcome of ['stored', 'refused', 'deferred'] as const) mails.inc({ outcome }, 0)
  const listener = await startMailListener({
    listen,
    allowed: addressList(allowedNetworks),
    name,
    limits: { maxBytes: maxEmailBytes, stopMs },
    resolve: (address) => mailboxOfRecipient(db, address),
    take: (envelope, bytes) => takeMail({ db, context }, envelope, bytes),
    onTaken: (outcome) => mails.inc({ outcome }),
    log,
  })
  const open = {
    name: 'backline_mail_listener_connections_open',
    help: 'Open connections of clients that send mail by LMTP or SMTP.',
  }
  gauge(metrics, open, () => listener.connections)
  return listener
}
