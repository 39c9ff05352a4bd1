import { parentPort, Worker } from 'node:worker_threads'
import type { Call, Report } from './threads.ts'

/** The processor time of this thread so far, as the main thread measures it. */
function busyMs(): number {
  if (!('cpuUsage' in Worker.prototype)) return performance.eventLoopUtilization().active
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The script of each thread of `openThreads`. It calls functions of modules, one at a time. */
parentPort!.on('message', async ({ module, name, args }: Call) => {
  const report = (message: Report) => parentPort!.postMessage(message)
  try {
    const exported = await import(module)
    report({ startedAtMs: busyMs() })
    report({ result: await exported[name](...args) })
  } catch (error) {
    report({ error })
  }
})
