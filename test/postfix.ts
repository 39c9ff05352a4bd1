import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort, temporaryDirectory, until } from './processes.ts'
import { certificate } from './receivers.ts'

/*
 * The real Postfix, as an instance of its own: it takes mail by SMTP with STARTTLS, and delivers it by LMTP. Its
 * certificate is that of `receiver.test`.
 */

const isInstalled = spawnSync('postconf', ['mail_version']).status === 0

/** The option `skip` of tests that need Postfix, which starts as root only. */
export const needsPostfix = {
  skip: !isInstalled
    ? "no postfix: install Debian's package `postfix`"
    : process.getuid?.() === 0
      ? false
      : 'Postfix needs root',
}

export type Postfix = {
  port: number
  log(): string
  /** Tries to deliver all mails now. */
  flush(): void
  stop(): Promise<void>
}

/**
 * Starts Postfix, which delivers mails for `desk.test` to `lmtp`.
 * @param recipe further lines of main.cf, in which `$config_directory` has the files in `files`
 */
export async function startPostfix(
  lmtp: number,
  recipe = '',
  files: Record<string, string> = {},
): Promise<Postfix> {
  const directory = temporaryDirectory()
  const port = await freePort()
  const file = (name: string, text: string) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    return path
  }
  for (const name of ['queue', 'data']) mkdirSync(join(directory, name))
  spawnSync('chown', ['postfix', join(directory, 'data')])
  const log = join(directory, 'log')
  const installed = [
    'command_directory',
    'daemon_directory',
    'sendmail_path',
    'newaliases_path',
    'mailq_path',
  ]
  const places = spawnSync('postconf', ['-d', ...installed], { encoding: 'utf8' }).stdout
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(directory, 'queue'),
    data_directory: join(directory, 'data'),
    maillog_file: log,
    maillog_file_prefixes: directory,
    myhostname: 'postfix.test',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    alias_maps: '',
    alias_database: '',
    local_recipient_maps: '',
    virtual_mailbox_domains: 'desk.test',
    virtual_mailbox_maps: '',
    virtual_transport: `lmtp:inet:127.0.0.1:${lmtp}`,
    default_transport: 'error:only desk.test is delivered',
    smtpd_relay_restrictions: 'reject_unauth_destination',
    smtpd_tls_chain_files: file('tls.pem', certificate('receiver.test')),
    smtpd_tls_security_level: 'encrypt',
    smtputf8_enable: 'yes',
    message_size_limit: '40000000',
    mailbox_size_limit: '0',
    minimal_backoff_time: '1s',
    maximal_backoff_time: '1s',
    queue_run_delay: '1s',
  }
  file(
    'main.cf',
    `${places}${Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}${recipe}`,
  )
  for (const [name, text] of Object.entries(files)) file(name, text)
  // name, type, private, unprivileged, chroot, wake-up, most processes, command
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'lmtp unix - - n - - lmtp',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
  ]
  file('master.cf', `${services.join('\n')}\n`)
  const daemon = spawn('postfix', ['-c', directory, 'start-fg'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [daemon.stdout, daemon.stderr]) {
    stream.on('data', (data) => {
      output += data
    })
  }
  const read = () => output + (existsSync(log) ? readFileSync(log, 'utf8') : '')
  await until(
    () => `Postfix listens: ${read()}`,
    () => daemon.exitCode === null && answers(port),
  )
  return {
    port,
    log: read,
    flush: () => void spawnSync('postqueue', ['-c', directory, '-f']),
    stop: () => stop(daemon, directory),
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

async function stop(daemon: ChildProcess, directory: string): Promise<void> {
  if (daemon.exitCode !== null) return
  const ended = new Promise((resolve) => daemon.once('exit', resolve))
  spawnSync('postfix', ['-c', directory, 'stop'])
  await ended
}
