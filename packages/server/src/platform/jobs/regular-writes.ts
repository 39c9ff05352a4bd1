/** Writes of what requests keep in memory. */
export type RegularWrites = {
  /** Begins to write everything: the server stops, and may not wait for its last requests. */
  stopping(): void
  /** Writes for the last time. */
  close(): Promise<void>
}

/**
 * Writes once in each interval, and when the server stops.
 * @param write must write everything when `isStopping`
 * @param onError called with whether a later write tries again
 */
export function writeRegularly(
  write: (isStopping: boolean) => Promise<void>,
  onError: (error: unknown, willRetry: boolean) => void,
  intervalMs: number,
): RegularWrites {
  let isBusy = false
  let last = Promise.resolve()

  /** One after the other. */
  function run(isStopping: boolean, willRetry: boolean): Promise<void> {
    last = last.then(() => write(isStopping).catch((error) => onError(error, willRetry)))
    return last
  }
  async function runUnlessBusy(): Promise<void> {
    if (isBusy) return
    isBusy = true
    await run(false, true)
    isBusy = false
  }

  const timer = setInterval(runUnlessBusy, intervalMs).unref()
  return {
    stopping: () => void run(true, true),
    close() {
      clearInterval(timer)
      return run(true, false)
    },
  }
}
