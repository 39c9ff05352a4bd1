import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { unavailable } from './errors.ts'
import { openSemaphore, withSlot } from './semaphore.ts'

/** Worker threads for functions whose arguments may keep a processor busy for long. */
export type Threads = {
  /**
   * @param client each client uses one thread at a time; clients take turns
   * @param module `import.meta.url` of the module that exports `call`; arguments and result are copied
   * @throws TookTooLong, or ApiError `unavailable` if too many calls wait or this one waits too long
   */
  run<Args extends unknown[], Result>(
    client: string,
    module: string,
    call: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>
  close(): Promise<void>
}

/** The part of a request's context that threads need. */
export type Caller = { env: { tenantId: string }; services: { threads: Threads } }

/** A call exceeded its limit of processor time or memory. */
export class TookTooLong extends Error {
  override name = 'TookTooLong'
}

type Limits = {
  threads: number
  /** Processor time of a call, which does not depend on the load of the machine. */
  cpuMs: number
  heapMb: number
  /** Maximum time of a call, including its wait. */
  patienceMs: number
  /** Maximum number of waiting calls: in total, and per client. */
  waiting: number
  waitingOfKey: number
}
const defaults: Limits = {
  threads: 2,
  cpuMs: 1_000,
  heapMb: 128,
  patienceMs: 10_000,
  waiting: 400,
  waitingOfKey: 100,
}

/** Messages to a thread, and reports of it: the start of a call, and its outcome. */
export type Call = { module: string; name: string; args: unknown[] }
export type Report = { startedAtMs: number } | { result: unknown } | { error: unknown }

/** A worker, and the handlers of its current call. */
type Thread = { worker: Worker; report(report: Report): void; fail(error: unknown): void }

/** Threads start on demand and do not keep the process alive. */
export function openThreads(limits: Partial<Limits> = {}): Threads {
  const { threads: limit, cpuMs, heapMb, patienceMs, waiting, waitingOfKey } = { ...defaults, ...limits }
  const threads = new Set<Thread>()
  const idle = new Set<Thread>()
  const slots = openSemaphore({ limit, limitOfKey: 1, waiting, waitingOfKey })
  let isClosing = false

  function start(): Thread {
    const entry = new URL(`./thread${extname(import.meta.url)}`, import.meta.url) // TypeScript or compiled
    const resourceLimits = { maxOldGenerationSizeMb: heapMb }
    const worker = new Worker(entry, { execArgv: [], resourceLimits })
    const thread: Thread = { worker, report: () => undefined, fail: () => undefined }
    worker.on('message', (report) => thread.report(report))
    worker.on('error', (error) => thread.fail(error))
    worker.on('exit', () => {
      threads.delete(thread)
      idle.delete(thread)
      thread.fail(unavailable('shutting_down'))
    })
    worker.unref()
    threads.add(thread)
    return thread
  }

  return {
    async run(client, module, { name }, ...args) {
      const giveUpAt = performance.now() + patienceMs
      const work = async () => {
        const [thread = start()] = idle
        idle.delete(thread)
        const result = await perform(thread, { module, name, args }, cpuMs, giveUpAt - performance.now())
        idle.add(thread)
        return result as never
      }
      const refused = () => unavailable(isClosing ? 'shutting_down' : 'overloaded')
      return withSlot(slots, client, patienceMs, work, refused)
    },
    async close() {
      isClosing = true
      slots.close()
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

/** @throws TookTooLong, ApiError `unavailable`, or the error of the function; the thread has then ended */
async function perform(thread: Thread, call: Call, cpuMs: number, patienceMs: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers()
  const ended = new AbortController()
  const limit = async (startedAtMs: number) => {
    for (let leftMs = cpuMs; leftMs > 0; ) {
      await sleep(leftMs, null, { signal: ended.signal })
      leftMs = cpuMs - ((await busyMs(thread.worker)) - startedAtMs)
    }
    reject(new TookTooLong())
  }
  thread.report = (report) => {
    if ('startedAtMs' in report)
      limit(report.startedAtMs).catch(() => undefined) // the thread has ended
    else if ('error' in report) reject(report.error)
    else resolve(report.result)
  }
  thread.fail = (error) => {
    const outOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    reject(outOfMemory ? new TookTooLong() : error)
  }
  const patience = setTimeout(() => reject(unavailable('overloaded')), patienceMs)
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

/** The processor time of a thread so far. Node before 24.6 also counts the time in which it waits for a processor. */
async function busyMs(worker: Worker): Promise<number> {
  if (!('cpuUsage' in worker)) return (worker as Worker).performance.eventLoopUtilization().active
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1000
}
