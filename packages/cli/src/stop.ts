const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work that ends on Ctrl-C, or when the terminal or stdout is closed. A second signal ends the process at once.
 * @param work receives the signal to end
 */
export async function untilStopped<Result>(work: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of signals) process.once(signal, stop)
  process.stdout.once('error', stop)
  try {
    return await work(stopping.signal)
  } finally {
    for (const signal of signals) process.off(signal, stop)
    process.stdout.off('error', stop)
  }
}
