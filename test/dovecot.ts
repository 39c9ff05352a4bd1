import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort, temporaryDirectory, until } from './processes.ts'
import { certificate } from './receivers.ts'

/*
 * The real Dovecot, as an instance of its own with one account: IMAP with TLS on one port, and with STARTTLS on another
 * one. Its certificate is that of `receiver.test`, which is for 127.0.0.1 too.
 */

const version = spawnSync('dovecot', ['--version'], { encoding: 'utf8' }).stdout ?? ''

/** The option `skip` of tests that need Dovecot. Version 2.4 has other settings. */
export const needsDovecot = {
  skip: version.startsWith('2.3.') ? false : "no Dovecot 2.3: install Debian's package `dovecot-imapd`",
}

export const user = 'ada@desk.test'
export const password = 'p"ass wörd\\'

export type Dovecot = {
  tlsPort: number
  plainPort: number
  /** Puts a mail into a folder. @returns its UID */
  put(mail: string | Buffer, folder?: string): number
  create(folder: string): void
  /** Marks a mail as seen. */
  see(uid: number, folder?: string): void
  /** The flags of the mails in a folder, by UID. */
  flags(folder?: string): Map<number, string[]>
  /** What Dovecot and its processes have logged. */
  log(): string
  /** Ends the server. The mails stay. */
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startDovecot(): Promise<Dovecot> {
  const directory = temporaryDirectory()
  const [tlsPort, plainPort] = [await freePort(), await freePort()]
  const { uid, gid, username } = userInfo()
  const isRoot = uid === 0
  // Dovecot delivers no mail as root, and takes other users only as root.
  const [mailUser, mailGroup] = isRoot ? ['nobody', 'nogroup'] : [String(uid), String(gid)]
  const file = (name: string, text: string, mode = 0o644) => {
    const path = join(directory, name)
    writeFileSync(path, text, { mode })
    return path
  }
  const mails = join(directory, 'mails')
  mkdirSync(mails)
  if (isRoot) spawnSync('chown', [`${mailUser}:${mailGroup}`, mails])
  const pem = file('tls.pem', certificate('receiver.test'), 0o600)
  const users = file('users', `${user}:{PLAIN}${password}::::::\n`)
  const log = join(directory, 'log')
  const settings = file(
    'dovecot.conf',
    `base_dir = ${directory}/run
state_dir = ${directory}/state
log_path = ${log}
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${pem}
ssl_key = <${pem}
disable_plaintext_auth = no
mail_location = maildir:${mails}
first_valid_uid = 1
first_valid_gid = 0
mail_uid = ${mailUser}
mail_gid = ${mailGroup}
mail_access_groups =
${isRoot ? '' : `default_internal_user = ${username}\ndefault_login_user = ${username}\ndefault_internal_group = ${gid}`}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${users}
}
userdb {
  driver = static
  args = uid=${mailUser} gid=${mailGroup} home=${mails}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${plainPort}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
namespace inbox {
  inbox = yes
  separator = /
}
`,
  )
  let daemon: ChildProcess | null = null
  let output = ''
  const read = () => output + (existsSync(log) ? readFileSync(log, 'utf8') : '')
  const pathOf = (folder: string) => join(mails, folder === 'INBOX' ? '' : `.${folder.replaceAll('/', '.')}`)
  const doveadm = (args: string[], input: string | Buffer = '') => {
    const { stdout, stderr, status } = spawnSync('doveadm', ['-c', settings, ...args], { input })
    if (status !== 0) throw new Error(`doveadm ${args.join(' ')}: ${stderr}${read()}`)
    return stdout.toString()
  }
  const flags = (folder = 'INBOX') => {
    if (!existsSync(pathOf(folder))) return new Map<number, string[]>()
    const lines = doveadm(['-f', 'tab', 'fetch', '-u', user, 'uid flags', 'mailbox', folder, 'all'])
    const rows = lines.trimEnd().split('\n').slice(1)
    return new Map(
      rows.map((row) => {
        const [id = '', names = ''] = row.split('\t')
        return [Number(id), names.split(' ').filter(Boolean)]
      }),
    )
  }
  async function start(): Promise<void> {
    const child = spawn('dovecot', ['-F', '-c', settings], { stdio: ['ignore', 'pipe', 'pipe'] })
    daemon = child
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data
      })
    await until(
      () => `Dovecot listens: ${read()}`,
      () => child.exitCode === null && answers(plainPort),
    )
  }
  await start()
  return {
    tlsPort,
    plainPort,
    put(mail, folder = 'INBOX') {
      doveadm(['save', '-u', user, '-m', folder], mail)
      return Math.max(...flags(folder).keys())
    },
    create: (folder) => void doveadm(['mailbox', 'create', '-u', user, folder]),
    see: (uid, folder = 'INBOX') =>
      void doveadm(['flags', 'add', '-u', user, '\\Seen', 'mailbox', folder, 'uid', String(uid)]),
    flags,
    log: read,
    start,
    async stop() {
      if (!daemon || daemon.exitCode !== null) return
      const ended = new Promise((resolve) => daemon!.once('exit', resolve))
      daemon.kill('SIGTERM')
      await ended
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
    socket.once('end', () => resolve(false))
  })
