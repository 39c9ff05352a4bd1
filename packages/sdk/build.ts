import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * `npm run build -w @backline/sdk` writes the package that is published to `dist`: JavaScript, declarations and a
 * manifest that exports them. The manifest of this folder exports the sources, so that the workspace needs no build.
 */

const here = import.meta.dirname
const dist = join(here, 'dist')

rmSync(dist, { recursive: true, force: true })
execFileSync('tsc', ['-p', join(here, 'tsconfig.build.json')], { stdio: 'inherit' })
// The compiler renames imports in JavaScript only.
for (const file of globSync(join(dist, 'lib/*.d.ts'))) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(from '\.[^']+)\.ts'/g, "$1.js'"))
}

const { private: _, scripts: __, ...manifest } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const files = { types: './lib/index.d.ts', default: './lib/index.js' }
const published = { ...manifest, exports: { '.': files }, sideEffects: false }
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
cpSync(join(here, 'README.md'), join(dist, 'README.md'))
cpSync(join(here, '../../LICENSE'), join(dist, 'LICENSE'))
