import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { ResourceDeclaration } from '../platform/resource/resource.ts'

const support = join(import.meta.dirname, '../support')
const index = `index${extname(import.meta.url)}` // TypeScript or compiled

/**
 * The declarations of all resources: folders of `support/<area>/` with an `index.ts`, in the order of their names.
 * `scripts/bundle.ts` has a list of them in place of this module.
 */
export async function readDeclarations(): Promise<ResourceDeclaration[]> {
  const folders = readdirSync(support, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === index)
    .map(({ parentPath }) => parentPath)
    .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))
  return Promise.all(
    folders.map(async (folder) => (await import(join(folder, index))).default as ResourceDeclaration),
  )
}
