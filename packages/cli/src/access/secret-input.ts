import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError } from '../errors.ts'

/**
 * Reads a secret: from a terminal without showing it, otherwise all of stdin.
 * @throws CommandError on Ctrl-C and Ctrl-D
 */
export async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim()
  const nowhere = new Writable({ write: (_, __, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  process.stderr.write(prompt) // after the terminal shows nothing any more
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', (line) => resolve(line.trim()))
      lines.once('close', () => reject(new CommandError('cancelled', 'cancelled; nothing was stored')))
      lines.once('SIGINT', () => lines.close())
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
