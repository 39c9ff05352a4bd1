import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresError } from './error.ts'
import { applicationName, type Purpose, refusal, sessionLockHolder, takeSessionLock } from './lock.ts'
import { connectionThrough, readPostmaster, serverFlags } from './postmaster.ts'
import { cleanProcess, summarizeOutput } from './process.ts'

export type Log = (level: 'info' | 'warn' | 'error', message: string) => void

export type Supervised = {
  directory: string
  cluster: string
  socketDirectory: string
  logFile: string
  binaries: Binaries
  account: Account | null
  purpose: Purpose
  log: Log
  settings: Record<string, string>
}

const pollMs = 20
const stopPatienceMs = 30_000
const connectPatienceMs = 2_000
const lingeringPatienceMs = 10_000
const slowStartNoticeMs = 5_000
const firstRestartDelayMs = 100
const longestRestartDelayMs = 5_000
const stableAfterMs = 60_000
const longestLogBytes = 10 * 1024 * 1024

/** A session outside any pool. It emits `end` when it ends; errors without a query are not reported twice. */
export async function connect(
  connection: ReturnType<typeof connectionThrough>,
  name: string,
): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    application_name: name,
    connectionTimeoutMillis: connectPatienceMs,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

export type SupervisorState = { isUp: boolean; restarts: number }

/** Runs PostgreSQL as a child process, holds the cluster's lock, and restores both when they are lost. */
export class Supervisor {
  readonly connection: ReturnType<typeof connectionThrough>
  readonly #config: Supervised
  readonly #stopping = new AbortController()
  #child: ChildProcess | null = null
  #childFailure = ''
  #isUp = false
  #restarts = 0
  /** Resolves when the child has ended or the lock's session is lost. */
  #broken = Promise.withResolvers<void>()
  #watching: Promise<void> | null = null
  #stopped: Promise<void> | null = null
  #killOnExit = () => void this.#child?.kill('SIGINT')

  constructor(config: Supervised) {
    this.#config = config
    this.connection = connectionThrough(config.socketDirectory)
  }

  get state(): SupervisorState {
    return { isUp: this.#isUp, restarts: this.#restarts }
  }

  /** Resolves when PostgreSQL responds and the lock is held. */
  async start(): Promise<void> {
    process.once('exit', this.#killOnExit) // a crash of this process should not leave an orphan
    const startedAtMs = Date.now()
    while (!(await this.#tryFirst(startedAtMs))) await sleep(firstRestartDelayMs)
    const tookMs = Date.now() - startedAtMs
    this.#config.log('info', `PostgreSQL is ready (process ${this.#child?.pid}, ${tookMs} ms)`)
    this.#watching = this.#watch()
  }

  /** False if sessions of a killed PostgreSQL still exist: they end by themselves at different times. */
  async #tryFirst(startedAtMs: number): Promise<boolean> {
    try {
      await this.#bringUp()
      return true
    } catch (error) {
      const { message } = error as Error
      const isPatient = Date.now() - startedAtMs < lingeringPatienceMs
      if (isPatient && /pre-existing shared memory block/.test(message)) return false
      await this.stop()
      throw error instanceof EmbeddedPostgresError
        ? error
        : new EmbeddedPostgresError(`PostgreSQL failed to start: ${message}`, { cause: error })
    }
  }

  /** Stops PostgreSQL and waits for its end. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    this.#broken.resolve()
    await this.#watching
    process.off('exit', this.#killOnExit)
    if (this.#child) await endChild(this.#child)
    const { socketDirectory, cluster } = this.#config
    if (socketDirectory !== cluster) await rm(socketDirectory, { recursive: true, force: true })
  }

  async #watch(): Promise<void> {
    let delayMs = firstRestartDelayMs
    while (!this.#stopping.signal.aborted) {
      const upSinceMs = Date.now()
      await this.#broken.promise
      if (Date.now() - upSinceMs > stableAfterMs) delayMs = firstRestartDelayMs
      while (!(await this.#tryAgain(delayMs))) delayMs = Math.min(delayMs * 2, longestRestartDelayMs)
      delayMs = Math.min(delayMs * 2, longestRestartDelayMs)
    }
  }

  /** True if PostgreSQL is up again, or no longer needed. */
  async #tryAgain(delayMs: number): Promise<boolean> {
    const { signal } = this.#stopping
    await sleep(delayMs, undefined, { ref: false, signal }).catch(() => {})
    if (signal.aborted) return true
    try {
      await this.#bringUp()
      this.#restarts++
      this.#config.log('info', `PostgreSQL is ready again (process ${this.#child?.pid})`)
      return true
    } catch (error) {
      if (!signal.aborted)
        this.#config.log('error', `restarting PostgreSQL failed; will retry: ${(error as Error).message}`)
      return signal.aborted
    }
  }

  async #bringUp(): Promise<void> {
    const child = this.#child ?? this.#spawn()
    const client = await this.#connectTo(child)
    try {
      const { directory } = this.#config
      if (!(await takeSessionLock(client))) throw refusal(directory, await sessionLockHolder(client))
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    this.#broken = Promise.withResolvers()
    client.once('end', this.#broken.resolve)
    ;(client as pg.Client & { unref(): void }).unref()
    this.#isUp = true
    if (!this.#child) this.#broken.resolve() // it has just ended
  }

  #spawn(): ChildProcess {
    const { cluster, socketDirectory, logFile, binaries, account, settings } = this.#config
    const output = openLog(logFile)
    const user = account ? { uid: account.uid, gid: account.gid } : {}
    const child = spawn(binaries.postgres, serverFlags(cluster, socketDirectory, settings), {
      ...cleanProcess,
      ...user,
      stdio: ['ignore', output.fd, output.fd],
      detached: true, // Ctrl-C in the terminal must reach only this process, which stops PostgreSQL in order
    })
    closeSync(output.fd)
    child.unref()
    this.#child = child
    const onEnd = (reason: string) => {
      this.#childFailure = reason
      this.#child = null
      this.#broken.resolve()
      if (this.#isUp && !this.#stopping.signal.aborted) {
        this.#config.log('error', `PostgreSQL exited unexpectedly; restarting it: ${reason}`)
      }
      this.#isUp = false
    }
    child.once('error', (error) => onEnd(error.message))
    child.once('exit', (code, signal) => {
      onEnd(signal ? `killed by ${signal}` : `exit code ${code}, ${output.readNew()}`)
    })
    return child
  }

  /** Connects when the child reports that it is ready; never to a PostgreSQL that is not the child. */
  async #connectTo(child: ChildProcess): Promise<pg.Client> {
    const startedAtMs = Date.now()
    let isNoticed = false
    for (;;) {
      if (this.#stopping.signal.aborted) throw new EmbeddedPostgresError('PostgreSQL is being stopped')
      if (this.#child !== child)
        throw new EmbeddedPostgresError(`PostgreSQL failed to start: ${this.#childFailure}`)
      const postmaster = await readPostmaster(this.#config.cluster)
      if (postmaster?.pid === child.pid && postmaster?.isReady) {
        const client = await this.#tryConnect()
        if (client) return client
      }
      if (!isNoticed && Date.now() - startedAtMs > slowStartNoticeMs) {
        isNoticed = true
        this.#config.log('warn', 'PostgreSQL is not ready yet; it may be recovering from a crash')
      }
      await sleep(pollMs)
    }
  }

  /** Null if a retry is useful soon. */
  async #tryConnect(): Promise<pg.Client | null> {
    try {
      return await connect(this.connection, applicationName(this.#config.purpose))
    } catch (error) {
      if (codeOf(error) === '3D000') await this.#createDatabase()
      else if (error instanceof pg.DatabaseError && codeOf(error)?.startsWith('57P') !== true) throw error
      return null
    }
  }

  /** Needed right after initdb, or if a first start ended before this. */
  async #createDatabase(): Promise<void> {
    const client = await connect({ ...this.connection, database: 'postgres' as 'backline' }, 'backline setup')
    await client.query('create database backline').finally(() => client.end())
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.ref()
  child.kill('SIGINT') // fast shutdown: sessions end, everything is written
  const patience = new AbortController()
  await Promise.race([ended, sleep(stopPatienceMs, undefined, patience).catch(() => {})])
  patience.abort()
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGQUIT') // the next start will recover
  await ended
}

/** Opens PostgreSQL's log, as a new file if it is long. */
function openLog(file: string): { fd: number; readNew(): string } {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > longestLogBytes) renameSync(file, `${file}.1`)
  const fd = openSync(file, 'a', 0o600)
  const startBytes = fstatSync(fd).size
  return { fd, readNew: () => summarizeOutput(readFileSync(file).subarray(startBytes).toString()) }
}
