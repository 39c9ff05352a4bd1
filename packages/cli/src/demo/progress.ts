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
  let [done, shownAt] = [0, 0]
  const { stderr } = process
  const show = () => {
    shownAt = performance.now()
    const bar = '█'.repeat(Math.floor((columns * done) / Math.max(total, 1))).padEnd(columns, '·')
    stderr.write(`\r${bar} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${noun}`)
  }
  return {
    step() {
      done++
      if (stderr.isTTY && performance.now() - shownAt > intervalMs) show()
    },
    end() {
      if (stderr.isTTY) stderr.write(emptyLine)
    },
  }
}
