import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/*
 * `npm run dev`: a server that restarts when a source changes, at http://localhost:8080, and the console from its
 * sources, at http://localhost:5173/console/, which shows each change at once. The console sends its requests to that
 * server. Both end together.
 */

const root = join(import.meta.dirname, '..')
const watched = ['server', 'cli', 'embedded-postgres'].map((name) => `--watch-path=packages/${name}`)

const start = (command: string, args: string[], cwd = root): ChildProcess =>
  spawn(command, args, { cwd, stdio: 'inherit' })

const both = [
  start(process.execPath, ['--watch', ...watched, 'packages/server/src/main.ts']),
  start(join(root, 'node_modules/.bin/vite'), [], join(root, 'packages/console')),
]

for (const one of both)
  one.once('exit', (code) => {
    process.exitCode = code ?? 1
    for (const other of both) other.kill()
  })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const one of both) one.kill(signal)
  })
