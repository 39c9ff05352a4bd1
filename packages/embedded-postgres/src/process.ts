import { codeOf } from './error.ts'

/**
 * The environment and directory of every PostgreSQL process: none of our variables, and `/`, which any user may
 * enter.
 */
export const cleanProcess = { env: { PATH: process.env.PATH ?? '' }, cwd: '/' }

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Summarizes PostgreSQL's output in one line: its errors without time stamps, or its last lines. */
export function summarizeOutput(output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/^\d{4}-\d\d-\d\d \S+ \S+ \[\d+\] /, '').trim())
  const complaint = /^(initdb: error|FATAL|PANIC|ERROR|DETAIL|HINT|LOG:.*\b(error|could not))\b/
  const complaints = lines.filter((line) => complaint.test(line))
  const chosen = complaints.length > 0 ? complaints : lines.filter((line) => line !== '')
  return chosen.slice(-4).join(' ').slice(-600) || 'it printed nothing'
}
