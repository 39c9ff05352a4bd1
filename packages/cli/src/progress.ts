export type Progress = { step(): void; end(): void }

const columns = 30
const intervalMs = 100
const emptyLine = '\r\x1b[K'

/** Shows the text on a terminal during the work; nothing elsewhere. */
export async function whileShowing<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  const { stderr } = process
  if (stderr.isTTY) stderr.write(text)
  try {
    return await work()
  } finally {
    if (stderr.isTTY) stderr.write(emptyLine)
  }
}

/** A line on a terminal that shows how far it is; nothing elsewhere. */
export function progressOf(total: number, noun: string): Progress {
  const meter = openMeter()
  let done = 0
  return {
    step: () => meter.show(++done, total, noun),
    end: meter.end,
  }
}

export type Meter = {
  /** @param total null while it is not known */
  show(done: number, total: number | null, noun: string): void
  /** Removes the line. */
  end(): void
}

type Terminal = { isTTY?: boolean | undefined; write(text: string): unknown }

/** A line on a terminal with a bar, the rate and the time left; nothing elsewhere. */
export function openMeter(terminal: Terminal = process.stderr, now = () => performance.now()): Meter {
  let shownAt = Number.NEGATIVE_INFINITY
  let start: { noun: string; done: number; at: number } | null = null
  return {
    show(done, total, noun) {
      if (start?.noun !== noun) start = { noun, done, at: now() }
      if (!terminal.isTTY || now() - shownAt < intervalMs) return
      shownAt = now()
      const seconds = (shownAt - start.at) / 1000
      const rate = seconds > 1 ? (done - start.done) / seconds : 0
      terminal.write(`${emptyLine}${lineOf(done, total, noun, rate)}`)
    },
    end() {
      if (terminal.isTTY) terminal.write(emptyLine)
    },
  }
}

/** @param rate how many a second; 0 while it is not known */
export function lineOf(done: number, total: number | null, noun: string, rate: number): string {
  const shown = (count: number) => count.toLocaleString('en')
  const speed = rate > 0 ? ` · ${shown(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))}/s` : ''
  if (total === null) return `${shown(done)} ${noun}${speed}`
  const bar = '█'
    .repeat(Math.min(columns, Math.floor((columns * done) / Math.max(total, 1))))
    .padEnd(columns, '·')
  const left = rate > 0 && total > done ? ` · ${durationOf((total - done) / rate)} left` : ''
  return `${bar} ${shown(done)} of ${shown(total)} ${noun}${speed}${left}`
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
