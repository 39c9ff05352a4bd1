/** Work that runs on request, one run at a time. */
export type WhenAsked = { ask(): void; readonly isRunning: boolean }

/**
 * Runs `work` once more after the current run if it was requested meanwhile. So each request is followed by a run that
 * began later than the request.
 * @param work must not reject
 */
export function whenAsked(work: () => Promise<void>): WhenAsked {
  let [isAsked, isRunning] = [false, false]

  async function run(): Promise<void> {
    isRunning = true
    await null // simultaneous requests share a run
    while (isAsked) {
      isAsked = false
      await work()
    }
    isRunning = false
  }

  return {
    ask() {
      isAsked = true
      if (!isRunning) void run()
    },
    get isRunning() {
      return isRunning
    },
  }
}
