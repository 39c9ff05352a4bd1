import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { shareServers } from './harness.ts'

/*
 * `npm test` runs test files in groups: a group is one process, and its files share one server. To load the modules and
 * to start a server takes longer than most files do. Each file is a suite of its name, one after another.
 */

/** The files of each group; those that no group names are of `platform`. */
const groups = {
  audit: ['packages/server/src/support/integration/{audit-log,events}/**/*.test.ts'],
  deliveries: ['packages/server/src/support/integration/webhook-endpoints/**/*.test.ts'],
  desk: ['packages/server/src/support/{desk,automation,sla}/**/*.test.ts'],
  platform: [],
  resources: [
    'packages/server/src/support/{admin,catalogue,files,knowledge,me,people,properties,team}/**/*.test.ts',
  ],
  'routes-1': ['test/contract/[a-j]*.test.ts'],
  'routes-2': ['test/contract/[k-q]*.test.ts'],
  'routes-3': ['test/contract/[r-z]*.test.ts'],
}
type Group = keyof typeof groups

/** `npm run test:system` and `npm run test:browser` run these, each in a process of its own. */
const system = ['{packages,test}/**/*.system.test.ts', 'test/faults/*.test.ts', 'test/browser/*.test.ts']

const root = join(import.meta.dirname, '..')
const filesOf = (patterns: string[]) => globSync(patterns, { cwd: root }).sort()

function filesOfGroup(group: Group): string[] {
  if (group !== 'platform') return filesOf(groups[group])
  const named = new Set(filesOf(Object.values(groups).flat()))
  return filesOf(['{packages,test}/**/*.test.ts']).filter((file) => !named.has(file))
}

/** For the file of a group in `test/groups/`. */
export async function runGroup(group: Group): Promise<void> {
  shareServers()
  const isSystem = new Set(filesOf(system))
  for (const file of filesOfGroup(group)) {
    if (isSystem.has(file)) continue
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
}
