import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { globalSetup, globalTeardown } from '../test/setup.ts'
import { type Mutation, mutations } from './mutations.ts'

/*
 * `npm run test:mutations` plants one fault at a time in the source and runs the test files that should catch it. A fault
 * that no test catches survived, and is listed at the end. An argument names the faults to plant: a part of their files,
 * their texts or their tests. The file is restored after each fault, and when the script is interrupted.
 */
const root = join(import.meta.dirname, '..')
const patienceMs = 180_000

let restore: () => void = () => undefined
let running: ReturnType<typeof spawn> | null = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    restore()
    running?.kill()
    process.exit(1)
  })
}
process.on('exit', () => restore())

function plant({ file, text, fault }: Mutation): void {
  const path = join(root, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(text).length !== 2)
    throw new Error(`${file} does not have this text exactly once: ${text}`)
  restore = () => {
    writeFileSync(path, source)
    restore = () => undefined
  }
  writeFileSync(
    path,
    source.replace(text, () => fault),
  )
}

/** Do the tests pass? */
const passes = (files: string[]): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const args = ['--test', '--test-reporter=dot', '--test-concurrency=2', ...files]
    running = spawn(process.execPath, args, { cwd: root, stdio: 'ignore', timeout: patienceMs })
    running.on('error', reject).on('exit', (code) => resolve(code === 0))
  })

const wanted = process.argv[2] ?? ''
const chosen = mutations.filter(({ file, text, tests }) =>
  [file, text, ...tests].some((name) => name.includes(wanted)),
)
const survivors: Mutation[] = []
await globalSetup()
try {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))]
  if (!(await passes(files))) throw new Error(`These tests fail without a fault: ${files.join(' ')}`)
  for (const [i, mutation] of chosen.entries()) {
    const begun = performance.now()
    plant(mutation)
    const survived = await passes(mutation.tests).finally(() => restore())
    if (survived) survivors.push(mutation)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(
      `${i + 1}/${chosen.length} ${survived ? 'SURVIVED' : 'caught'} in ${seconds} s: ${mutation.file}: ${mutation.text.trim()}`,
    )
  }
} finally {
  await globalTeardown()
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} faults were caught.`)
for (const { file, text, fault } of survivors) console.log(`\n${file}\n- ${text}\n+ ${fault}`)
process.exitCode = survivors.length === 0 ? 0 : 1
