import type { Logger } from 'pino'
import { counter, type Metrics } from '../platform/kernel/metrics.ts'

/** The longest time that a process takes to stop after an exception. */
const longestEndMs = 30_000

type Ending = { log: Logger; metrics: Metrics; stop(): Promise<void> }

/**
 * Decides what ends the process (ADR 49). A signal and an uncaught exception stop everything that was started; a second
 * signal ends the process at once. An unhandled rejection is logged and counted, and the process goes on.
 * @returns whether the process is ending
 */
export function watchForEnd({ log, metrics, stop }: Ending): () => boolean {
  let isEnding = false

  function end(exitCode: number): void {
    isEnding = true
    process.exitCode = exitCode // if nothing keeps the process alive meanwhile
    stop().then(
      () => {
        log.info('stopped')
        process.exit(exitCode)
      },
      (error) => {
        log.error({ err: error }, 'shutdown failed; exiting')
        process.exit(1)
      },
    )
  }

  const onSignal = (signal: NodeJS.Signals) => {
    if (isEnding) process.exit(1)
    log.info({ signal }, 'stopping')
    end(0)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)

  const rejections = counter(metrics, {
    name: 'backline_unhandled_rejections_total',
    help: 'Rejections of promises that no code handled. Each is a defect; the process goes on.',
    labels: [],
  })
  process.on('unhandledRejection', (error) => {
    rejections.inc()
    log.error({ err: error }, 'unhandled rejection; the process goes on')
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, isEnding ? 'uncaught exception' : 'uncaught exception; stopping')
    if (isEnding) return
    setTimeout(() => process.exit(1), longestEndMs).unref()
    end(1)
  })
  return () => isEnding
}
