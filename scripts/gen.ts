import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { schemaSql } from './gen/schema-sql.ts'
import { tables } from './gen/tables.ts'

/*
 * `npm run gen` writes files that are derived from the code, so that reviews show them. Two runs produce the same text.
 * With `--check`, as CI runs it, it writes nothing and fails if a file is not up to date.
 */
export type Generators = Record<string, () => Promise<string> | string>

/** The modules of the server import these, so they are written before the others are derived from those modules. */
const imported: Generators = {
  'packages/server/schema.sql': schemaSql,
  'packages/server/src/support/vocabulary/tables.generated.ts': tables,
  'packages/server/src/support/vocabulary/scopes.generated.ts': () =>
    execFileSync(process.execPath, [join(import.meta.dirname, 'gen/scopes.ts')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
}

const isCheck = process.argv.includes('--check')
await write(imported)
await write((await import('./gen/derived.ts')).derived)

async function write(generators: Generators): Promise<void> {
  for (const [file, generate] of Object.entries(generators)) {
    const path = join(import.meta.dirname, '..', file)
    const text = await generate()
    const before = await readFile(path, 'utf8').catch(() => null)
    console.log(`${text === before ? 'same   ' : isCheck ? 'stale  ' : 'written'} ${file}`)
    if (text === before) continue
    if (isCheck) process.exitCode = 1
    else await writeFile(path, text)
  }
}
