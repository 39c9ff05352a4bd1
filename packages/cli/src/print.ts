/** Prints a line and waits until a slow reader has taken what is buffered. False if nobody reads any more. */
export async function printLine(line: string): Promise<boolean> {
  const { stdout } = process
  if (stdout.destroyed) return false
  if (stdout.write(`${line}\n`)) return true
  await new Promise<void>((resolve) => {
    const events = ['drain', 'close', 'error']
    const done = () => {
      for (const event of events) stdout.off(event, done)
      resolve()
    }
    for (const event of events) stdout.once(event, done)
  })
  return !stdout.destroyed
}
