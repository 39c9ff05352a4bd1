import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { ImapFlow, type ImapFlowError } from 'imapflow'
import { CommandError } from '../errors.ts'
import { fewOf, printable } from '../text.ts'
import { type Account, readPassword } from './account.ts'

/** A folder that is open. Each method throws if the connection is lost. */
export type Folder = {
  /** For messages. */
  name: string
  /** The UIDs of the mails that are neither seen nor deleted, oldest first. */
  unseen(): Promise<number[]>
  /** The bytes of a mail, which is not marked as seen by this. Null if it is gone. */
  read(uid: number): Promise<Readable | null>
  /** Marks a mail as seen, or moves it. @returns whether the server did */
  finish(uid: number): Promise<boolean>
  /** The same for the same mail at all times: made of the account, the folder, UIDVALIDITY and UID. */
  keyOf(uid: number): string
  /** Changes when the UIDs do. */
  readonly generation: string
  /** Resolves when mail has arrived, when the connection is lost, when the signal aborts, or after this time. */
  news(ms: number, stop: AbortSignal): Promise<void>
  /** Never throws. */
  close(): Promise<void>
}

export type Place = {
  account: Account
  passwordFile: string
  /** The folder for mails that were taken; null if they stay. */
  moveTo: string[] | null
  /** A part of the keys: a mail that goes to another mailbox is another request. */
  mailboxId: string
}

const pieceBytes = 1024 * 1024
const timeouts = { connectionTimeout: 30_000, greetingTimeout: 15_000, socketTimeout: 120_000 }
const lastStepMs = 10_000
/** A server that ignores the size of the piece that it is asked for sends a mail in one literal. */
const limits = {
  maxLiteralSize: 64 * 2 ** 20,
  maxResponseSize: 80 * 2 ** 20,
  maxLineLength: 16 * 2 ** 20,
  maxResponseTokens: 100_000,
}

/**
 * Connects to the server and opens the folder.
 * @throws CommandError if that cannot succeed later either, and errors of the connection
 */
export async function openFolder(place: Place, stop: AbortSignal): Promise<Folder> {
  const { account } = place
  const client = new ImapFlow({
    host: account.host,
    port: account.port,
    secure: account.security === 'tls',
    doSTARTTLS: account.security === 'starttls',
    auth: { user: account.user, pass: await readPassword(place.passwordFile) },
    clientInfo: { name: 'Backline' },
    logger: false,
    autoIdleDelay: 1_000,
    ...timeouts,
    ...limits,
  })
  client.on('error', () => undefined) // the method that waits throws it
  let isOpen = false
  // A step that runs when the signal comes is finished, unless the server takes too long.
  const end = () => void setTimeout(() => client.close(), isOpen ? lastStepMs : 0).unref()
  stop.addEventListener('abort', end, { once: true })
  client.once('close', () => stop.removeEventListener('abort', end))
  try {
    await client.connect().catch((error) => {
      throw finalFault(error, account) ?? error
    })
    const folder = await opened(client, place)
    isOpen = true
    return folder
  } catch (error) {
    client.close()
    throw error
  }
}

async function opened(client: ImapFlow, { account, moveTo, mailboxId }: Place): Promise<Folder> {
  const { path, readOnly } = await client.mailboxOpen(account.folder).catch(async (error: ImapFlowError) => {
    throw error.mailboxMissing ? await missing(client, account) : error
  })
  const shown = `${printable(path)} of ${printable(account.user)} at ${account.url}`
  if (readOnly) throw new CommandError('folder_read_only', `${shown} can only be read; mails must be marked`)
  const target = moveTo && (await targetOf(client, moveTo, path))
  let hasNews = false
  let wake = () => {}
  for (const event of ['exists', 'close'] as const)
    client.on(event, () => {
      hasNews = true
      wake()
    })
  /** The library answers with nothing if the connection was lost before. */
  const answered = <Answer>(answer: Answer): Answer => {
    if (client.usable && client.mailbox) return answer
    throw new Error(client.byeReason ?? 'the connection was lost')
  }
  const generation = () => String((client.mailbox || { uidValidity: 0n }).uidValidity)
  return {
    name: shown,
    async unseen() {
      hasNews = false
      const uids = answered(await client.search({ seen: false, deleted: false }, { uid: true }))
      if (!uids) throw new Error('the search for unseen mail was refused')
      return uids
    },
    async read(uid) {
      const mail = await client.download(String(uid), undefined, { uid: true, chunkSize: pieceBytes })
      return mail.content ?? answered(null)
    },
    finish: async (uid) =>
      target === null
        ? (await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true, silent: true })) ||
          answered(false)
        : Boolean(await client.messageMove(String(uid), target, { uid: true })) || answered(false),
    keyOf: (uid) => {
      const parts = [account.host, account.user, path, generation(), uid, mailboxId]
      return `imap-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
    },
    get generation() {
      return generation()
    },
    news: (ms, stop) =>
      new Promise((resolve) => {
        if (hasNews || stop.aborted || !client.usable) return resolve()
        const done = () => {
          clearTimeout(timer)
          stop.removeEventListener('abort', done)
          wake = () => {}
          resolve()
        }
        const timer = setTimeout(done, ms)
        stop.addEventListener('abort', done, { once: true })
        wake = done
      }),
    close: async () => void (await client.logout().catch(() => client.close())),
  }
}

async function missing(client: ImapFlow, account: Account): Promise<CommandError> {
  const names = (await client.list()).map(({ path }) => printable(path))
  const asked = printable(account.folder.join('/'))
  return new CommandError(
    'folder_not_found',
    `${account.url} has no folder ${asked} for ${printable(account.user)}; it has ${fewOf(names, 10)}`,
  )
}

/** The path of the folder for mails that were taken, which is made if it is missing. */
async function targetOf(client: ImapFlow, names: string[], source: string): Promise<string> {
  const shown = printable(names.join('/'))
  const { capabilities } = client
  if (!['MOVE', 'UIDPLUS', 'IMAP4rev2'].some((each) => capabilities.has(each)))
    throw new CommandError('move_not_possible', 'the IMAP server cannot move mails; leave --move-to out')
  const found = async () =>
    (await client.status(names, { messages: true }).catch(() => false as const)) || null
  let target = await found()
  if (!target) {
    await client.mailboxCreate(names).catch((error: ImapFlowError) => {
      if (!error.responseStatus) throw error
      const message = `the folder ${shown} of --move-to cannot be made: ${reasonIn(error)}`
      throw new CommandError('folder_not_found', message)
    })
    target = await found()
  }
  if (!target) throw new CommandError('folder_not_found', `the folder ${shown} of --move-to cannot be used`)
  if (target.path !== source) return target.path
  throw new CommandError('move_not_possible', `--move-to ${shown} is the folder from which mails are fetched`)
}

/** Response codes after which the same credentials may be accepted later (RFC 5530). */
const passing = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'CONTACTADMIN', 'OVERQUOTA']
const untrusted =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME_INVALID$)/

/** The error that ends the command: another attempt with the same settings would fail as well. Null for others. */
function finalFault(error: ImapFlowError, { url, user, security }: Account): CommandError | null {
  if (error.authenticationFailed && !passing.includes(error.serverResponseCode ?? '')) {
    const said = typeof error.response === 'string' ? ` (${printable(error.response)})` : ''
    const cure =
      'check the user and the password file; providers with two-step verification ask for an app password'
    return new CommandError(
      'imap_login_failed',
      `${url} refused the login of ${printable(user)}${said}; ${cure}`,
    )
  }
  if (untrusted.test(error.code ?? '')) {
    const cure =
      'set NODE_EXTRA_CA_CERTS to the file of its authority, or name the host as in its certificate'
    const message = `the certificate of ${url} is not trusted: ${reasonOf(error)}; ${cure}`
    return new CommandError('imap_certificate_untrusted', message)
  }
  if (error.code === 'ERR_SSL_WRONG_VERSION_NUMBER' && security === 'tls') {
    const message = `${url} does not begin with TLS; try imap://, which is encrypted by STARTTLS`
    return new CommandError('imap_not_encrypted', message)
  }
  if (security === 'starttls' && /STARTTLS/i.test(error.message)) {
    const message = `${url} offers no encryption (STARTTLS), without which no password is sent; try imaps://`
    return new CommandError('imap_not_encrypted', message)
  }
  return null
}

/** One line about an error of the connection, with what the server said. */
export function reasonIn(error: unknown): string {
  const { response, responseText, reason } = error as ImapFlowError
  const said = responseText ?? (typeof response === 'string' ? response : reason)
  return printable(said ? `${reasonOf(error)}: ${said}` : reasonOf(error))
}
