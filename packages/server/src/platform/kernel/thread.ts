import { parentPort } from 'node:worker_threads'
import type { Call, Report } from './threads.ts'

/** The script of each thread of `openThreads`. It calls functions of modules, one at a time. */
parentPort!.on('message', async ({ module, name, args }: Call) => {
  const report = (message: Report) => parentPort!.postMessage(message)
  try {
    const exported = await import(module)
    report({ isStarted: true })
    report({ result: await exported[name](...args) })
  } catch (error) {
    report({ error })
  }
})
