/** Work that is done on request, one run at a time. */
export type WhenAsked = { ask(): void; readonly isRunning: boolean }

/**
 * Requests that come during a run are answered by one more run after it, so that each request is followed by a run that
 * began later than the request.
 * @param work must not reject
 */
export function whenAsked(work: () => Promise<void>): WhenAsked {
  let [isAsked, isRunning] = [false, false]

  async function run(): Promise<void> {
    isRunning = true
    await null // requests of the same moment share a run
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
