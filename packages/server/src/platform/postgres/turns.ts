import { DatabaseUnavailable } from './errors.ts'

/** Lets at most `size` calls run at a time. Others wait in their order, up to a limit. */
export function openTurns(size: number, timeoutMs: number) {
  let running = 0
  const waiting = new Set<() => void>()

  function turn(): Promise<void> {
    if (running < size) {
      running++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        waiting.delete(start)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(new DatabaseUnavailable('All connections for slow statements are busy'))
      }, timeoutMs)
      waiting.add(start)
    })
  }

  return {
    async take<Result>(work: () => Promise<Result>): Promise<Result> {
      await turn()
      try {
        return await work()
      } finally {
        const [next] = waiting
        if (next) next()
        else running--
      }
    },
    waiting: () => waiting.size,
  }
}
