/** Aborts on Ctrl-C, or when stdout is closed. A second signal ends the process at once. */
export function untilStopped(): AbortSignal {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  process.stdout.once('error', stop)
  return stopping.signal
}
