import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorsPage } from './gen/errors.ts'
import { openapi } from './gen/openapi.ts'
import { schemaSql } from './gen/schema-sql.ts'
import { sdkTypes } from './gen/sdk.ts'
import { tables } from './gen/tables.ts'

/*
 * `npm run gen` writes files that are derived from the code, so that reviews show them. Two runs produce the same
 * text; CI runs it and rejects differences.
 */
const generators: Record<string, () => Promise<string> | string> = {
  'docs/errors.md': errorsPage,
  'openapi/v1.json': openapi,
  'packages/sdk/src/generated.ts': sdkTypes,
  'packages/server/schema.sql': schemaSql,
  'packages/server/src/support/vocabulary/tables.generated.ts': tables,
}

for (const [file, generate] of Object.entries(generators)) {
  const path = join(import.meta.dirname, '..', file)
  const text = await generate()
  const before = await readFile(path, 'utf8').catch(() => null)
  if (text !== before) await writeFile(path, text)
  console.log(`${text === before ? 'same   ' : 'written'} ${file}`)
}
