import hooks, { type AsyncHook, createHook } from 'node:async_hooks'
import { globSync } from 'node:fs'
import { join } from 'node:path'

/*
 * `npm test` and `npm run test:browser` run test files in groups: a group is one process, and its files share one
 * server. To load and compile the modules, and to start a server, takes longer than most files do. Each file is a suite
 * of its name, one after another.
 */

/** The files of each group; those that no group names are of `platform`. */
const groups = {
  'browser-1': ['test/browser/[a-h]*.test.ts'],
  'browser-2': ['test/browser/i*.test.ts'],
  'browser-3': ['test/browser/[j-z]*.test.ts'],
  desk: ['packages/server/src/support/{desk,automation,integration,mail,sla}/**/*.test.ts'],
  platform: [],
  resources: [
    'packages/server/src/support/{access,admin,catalogue,data,files,knowledge,me,people,properties,team}/**/*.test.ts',
  ],
  'routes-1': ['test/contract/[a-l]*.test.ts'],
  'routes-2': ['test/contract/[m-z]*.test.ts'],
}
type Group = keyof typeof groups

/** `npm run test:system` runs these, each in a process of its own. */
const system = ['{packages,test}/**/*.system.test.ts', 'test/faults/*.test.ts']

const root = join(import.meta.dirname, '..')
/** @throws Error for a pattern that no file matches any more */
export function filesOf(patterns: string[]): string[] {
  const files = patterns.map((pattern) => globSync(pattern, { cwd: root }))
  const unmatched = patterns.filter((_, i) => files[i]!.length === 0)
  if (unmatched.length > 0) throw new Error(`No file matches ${unmatched.join(', ')}`)
  return files.flat().sort()
}

function filesOfGroup(group: Group): string[] {
  if (group !== 'platform') return filesOf(groups[group])
  const named = new Set(filesOf(Object.values(groups).flat()))
  return filesOf(['{packages,test}/**/*.test.ts']).filter((file) => !named.has(file))
}

/**
 * The hook with which `node:test` follows every promise of the process, to know which test is declared or fails in it:
 * an eighth of the processor time. It is needed until all tests are declared, as a group runs one at a time.
 */
let following: AsyncHook | undefined

/** Loads `node:test`, which must not be loaded yet. */
async function loadRunner() {
  Object.assign(hooks, {
    createHook: (callbacks: Parameters<typeof createHook>[0]) => (following = createHook(callbacks)),
  })
  const runner = await import('node:test')
  Object.assign(hooks, { createHook })
  return runner
}

/** For the file of a group in `test/groups/`. */
export async function runGroup(group: Group): Promise<void> {
  const isSystem = new Set(filesOf(system))
  await runTogether(filesOfGroup(group).filter((file) => !isSystem.has(file)))
}

/** Runs test files in this process, which must not have loaded `node:test` yet. */
export async function runTogether(files: string[]): Promise<void> {
  const { describe, test } = await loadRunner()
  const { shareServers } = await import('./harness.ts')
  shareServers()
  // Declares what holds for each test, and not only for those of the first file that imports it.
  if (files.some((file) => file.startsWith('test/browser/'))) await import('./browser/console.ts')
  for (const file of files) {
    // One is loaded after another: tests belong to the suite that was loading when they were declared.
    await new Promise<void>((resolve) => {
      describe(file, () =>
        import(join(root, file))
          .catch((error) => {
            test('is loaded', () => {
              throw error
            })
          })
          .finally(resolve),
      )
    })
  }
  following!.disable()
  // The runner reports these without their stack, and the test that waits for them by its time limit.
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => console.error(`${event}:`, error))
}
