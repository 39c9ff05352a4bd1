import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const assets = join(import.meta.dirname, '../../packages/console/dist/assets')

/** In kilobytes: what the scripts of the console may be in all. The aim is 420 (docs/adr/0047-console.md). */
export const mostScriptsKb = 480

/** Kilobytes of files of the built page by gzip, which browsers without Brotli receive. */
export const gzipKb = (files: string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(assets, file)), { level: 9 }).length, 0) /
  1_000

/** The names of the files of the built page that end so. @throws if it is not built */
export const filesEnding = (ending: string): string[] =>
  readdirSync(assets).filter((file) => file.endsWith(ending))
