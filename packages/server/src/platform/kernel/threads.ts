import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { unavailable } from './errors.ts'

/** Calls functions outside the event loop: those whose arguments may keep a processor busy for long. */
export type Threads = {
  /**
   * @param client clients take turns, and each has one thread at a time
   * @param module `import.meta.url` of the module that exports `call`; arguments and result are copied
   * @throws TookTooLong, or ApiError `unavailable` when too many calls wait, or this one for too long
   */
  run<Args extends unknown[], Result>(
    client: string,
    module: string,
    call: (...args: Args) => Result,
    ...args: Args
  ): Promise<Result>
  close(): Promise<void>
}

/** As much of the context of a request as tells whose turn it is. */
export type Caller = { env: { tenantId: string }; services: { threads: Threads } }

/** A call needed more processor time or memory than it may have. */
export class TookTooLong extends Error {
  override name = 'TookTooLong'
}

type Limits = {
  threads: number
  /** Processor time of a call; not what the clock says, which on a busy machine is more. */
  cpuMs: number
  heapMb: number
  /** From when it is asked for until it is given up. */
  patienceMs: number
  /** Calls that wait: in all, and of one client. */
  waiting: number
  waitingOfOne: number
}
const defaults: Limits = {
  threads: 2,
  cpuMs: 1_000,
  heapMb: 128,
  patienceMs: 10_000,
  waiting: 400,
  waitingOfOne: 100,
}

/** What a thread is told, and what it says: that it begins, at this processor time of its own, and how it ended. */
export type Call = { module: string; name: string; args: unknown[] }
export type Report = { startedAt: NodeJS.CpuUsage } | { result: unknown } | { error: unknown }

type Waiting = { call: Call; giveUpAt: number; resolve(result: never): void; reject(error: unknown): void }

/** A worker, and what is told by it or of it at the moment. */
type Thread = { worker: Worker; report(report: Report): void; fail(error: unknown): void }

/** Threads are started when there is something to do. They do not keep the process alive. */
export function openThreads(limits: Partial<Limits> = {}): Threads {
  const { threads: most, cpuMs, heapMb, patienceMs, waiting, waitingOfOne } = { ...defaults, ...limits }
  const threads = new Set<Thread>()
  const idle = new Set<Thread>()
  const served = new Set<string>()
  /** By client, in the order of their turns. */
  const queues = new Map<string, Waiting[]>()

  function next(): void {
    const client = queues.keys().find((each) => !served.has(each))
    if (client === undefined || served.size === most) return
    const [first, ...others] = queues.get(client)!
    if (others.length > 0) queues.set(client, others)
    else queues.delete(client)
    served.add(client)
    void serve(first!).then(() => {
      served.delete(client)
      const own = queues.get(client)
      if (own) {
        queues.delete(client)
        queues.set(client, own) // behind all others
      }
      next()
    })
  }

  async function serve({ call, giveUpAt, resolve, reject }: Waiting): Promise<void> {
    const leftMs = giveUpAt - performance.now()
    if (leftMs <= 0) return reject(unavailable())
    try {
      const [thread = start()] = idle
      idle.delete(thread)
      resolve((await perform(thread, call, cpuMs, leftMs)) as never)
      idle.add(thread)
    } catch (error) {
      reject(error)
    }
  }

  function start(): Thread {
    const entry = new URL(`./thread${extname(import.meta.url)}`, import.meta.url) // TypeScript, or compiled
    const resourceLimits = { maxOldGenerationSizeMb: heapMb }
    const worker = new Worker(entry, { execArgv: [], resourceLimits })
    const thread: Thread = { worker, report: () => undefined, fail: () => undefined }
    worker.on('message', (report) => thread.report(report))
    worker.on('error', (error) => thread.fail(error))
    worker.on('exit', () => {
      threads.delete(thread)
      idle.delete(thread)
      thread.fail(unavailable())
    })
    worker.unref()
    threads.add(thread)
    return thread
  }

  return {
    run(client, module, { name }, ...args) {
      const queue = queues.get(client) ?? []
      const all = queues.values().reduce((sum, { length }) => sum + length, 0)
      if (queue.length >= waitingOfOne || all >= waiting) return Promise.reject(unavailable())
      return new Promise((resolve, reject) => {
        const call = { module, name, args }
        const giveUpAt = performance.now() + patienceMs
        queues.set(client, [...queue, { call, giveUpAt, resolve, reject }])
        next()
      })
    },
    async close() {
      for (const { reject } of [...queues.values()].flat()) reject(unavailable())
      queues.clear()
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

/** @throws TookTooLong, ApiError `unavailable`, or what the function throws; then this was the end of the thread */
async function perform(thread: Thread, call: Call, cpuMs: number, patienceMs: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers()
  const ended = new AbortController()
  const limit = async (startedAt: NodeJS.CpuUsage) => {
    for (let leftMs = cpuMs; leftMs > 0; ) {
      await sleep(leftMs, null, { signal: ended.signal })
      const { user, system } = await thread.worker.cpuUsage(startedAt)
      leftMs = cpuMs - (user + system) / 1000
    }
    reject(new TookTooLong())
  }
  thread.report = (report) => {
    if ('startedAt' in report)
      limit(report.startedAt).catch(() => undefined) // it has ended
    else if ('error' in report) reject(report.error)
    else resolve(report.result)
  }
  thread.fail = (error) => {
    const outOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    reject(outOfMemory ? new TookTooLong() : error)
  }
  const patience = setTimeout(() => reject(unavailable()), patienceMs)
  try {
    thread.worker.postMessage(call)
    return await promise
  } catch (error) {
    void thread.worker.terminate()
    throw error
  } finally {
    clearTimeout(patience)
    ended.abort()
  }
}
