import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openClamd } from '@backline/server/platform/files/clamd.ts'
import { freePort, temporaryDirectory, until } from './processes.ts'

/* The real clamd, with one signature instead of the database that freshclam downloads: it starts within a second. */

/** The option `skip` of tests that need clamd. */
export const needsClamd = {
  skip:
    spawnSync('clamd', ['--version']).status === 0
      ? false
      : "no clamd: install Debian's package `clamav-daemon`",
}

/** The test file of https://www.eicar.org, put together here so that no scanner finds it in this file. */
export const eicar = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD', '-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

export type Clamd = {
  /** Its local socket. */
  path: string
  port: number
  stop(): Promise<void>
}

/** Starts clamd, which listens on a local socket and a port. */
export async function startClamd({ streamMaxLength = 2 ** 20 } = {}): Promise<Clamd> {
  const directory = temporaryDirectory()
  const path = join(directory, 'clamd.socket')
  const port = await freePort()
  const database = join(directory, 'database')
  mkdirSync(database)
  writeFileSync(join(database, 'test.ndb'), `Test.EICAR:0:*:${eicar.toString('hex')}\n`)
  const configuration = join(directory, 'clamd.conf')
  const settings = {
    Foreground: 'yes',
    DatabaseDirectory: database,
    TemporaryDirectory: directory,
    LocalSocket: path,
    TCPAddr: '127.0.0.1',
    TCPSocket: port,
    StreamMaxLength: streamMaxLength,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`)
  writeFileSync(configuration, lines.join(''))
  const daemon = spawn('clamd', ['--config-file', configuration])
  let output = ''
  for (const stream of [daemon.stdout, daemon.stderr])
    stream.on('data', (data) => {
      output += data
    })
  await until('clamd answers', () => {
    assert.equal(daemon.exitCode, null, output)
    return openClamd({ path })
      .ping()
      .then(
        () => true,
        () => false,
      )
  })
  return { path, port, stop: () => stop(daemon) }
}

async function stop(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null) return
  const ended = new Promise((resolve) => daemon.once('exit', resolve))
  daemon.kill('SIGKILL')
  await ended
}
