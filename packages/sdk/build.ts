import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * `npm pack` compiles the sources to JavaScript and declarations in `dist`. The workspace imports the sources by their
 * names (`@backline/sdk/index.ts`), so it needs no build.
 */

const here = import.meta.dirname
const dist = join(here, 'dist')

rmSync(dist, { recursive: true, force: true })
execFileSync('tsc', ['-p', join(here, 'tsconfig.build.json')], { stdio: 'inherit' })
// The compiler renames imports in JavaScript only.
for (const file of globSync(join(dist, '*.d.ts'))) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(from '\.[^']+)\.ts'/g, "$1.js'"))
}
copyFileSync(join(here, '../../LICENSE'), join(here, 'LICENSE'))
