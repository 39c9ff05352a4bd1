import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorsPage } from './gen/errors.ts'
import { filtersPage } from './gen/filters.ts'
import { openapi } from './gen/openapi.ts'
import { schemaSql } from './gen/schema-sql.ts'
import { errorsFile } from './gen/sdk/errors-file.ts'
import { filtersFile } from './gen/sdk/filters-file.ts'
import { operationsFile } from './gen/sdk/operations-file.ts'
import { resourcesFile } from './gen/sdk/resources-file.ts'
import { typesFile } from './gen/sdk/types-file.ts'
import { tables } from './gen/tables.ts'

/*
 * `npm run gen` writes files that are derived from the code, so that reviews show them. Two runs produce the same
 * text; CI runs it and rejects differences.
 */
const generators: Record<string, () => Promise<string> | string> = {
  'docs/errors.md': errorsPage,
  'docs/filters.md': filtersPage,
  'openapi/v1.json': openapi,
  'packages/sdk/src/errors.generated.ts': errorsFile,
  'packages/sdk/src/filters.generated.ts': filtersFile,
  'packages/sdk/src/operations.generated.ts': operationsFile,
  'packages/sdk/src/resources.generated.ts': resourcesFile,
  'packages/sdk/src/types.generated.ts': typesFile,
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
