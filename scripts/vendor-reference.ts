import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import fastify from 'fastify'

/* Writes the script of the API reference to packages/server/assets, from its npm package (assets/README.md). */

const version = '1.70.0'
const name = '@scalar/fastify-api-reference'
const target = join(import.meta.dirname, `../packages/server/assets/scalar-${version}.js.br`)

const folder = mkdtempSync(join(tmpdir(), 'scalar-'))
try {
  execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', `${name}@${version}`], {
    stdio: 'inherit',
  })
  const { default: plugin } = await import(
    pathToFileURL(join(folder, 'node_modules', name, 'dist/index.js')).href
  )
  const app = fastify()
  await app.register(plugin, { routePrefix: '/docs', configuration: { url: 'openapi.json' } })
  const { body } = await app.inject('/docs/js/scalar.js')
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(target, brotliCompressSync(body, { params }))
} finally {
  rmSync(folder, { recursive: true })
}
