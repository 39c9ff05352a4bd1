import type { Generators } from '../gen.ts'
import { errorsPage } from './errors.ts'
import { examplesFile } from './examples.ts'
import { filtersPage } from './filters.ts'
import { openapi } from './openapi.ts'
import { errorsFile } from './sdk/errors-file.ts'
import { filtersFile } from './sdk/filters-file.ts'
import { operationsFile } from './sdk/operations-file.ts'
import { resourcesFile } from './sdk/resources-file.ts'
import { scopesFile } from './sdk/scopes-file.ts'
import { typesFile } from './sdk/types-file.ts'

/** The files that are derived from the modules of the server. */
export const derived: Generators = {
  'docs/errors.md': errorsPage,
  'docs/filters.md': filtersPage,
  'openapi/v1.json': openapi,
  'packages/cli/src/trigger/examples.generated.ts': examplesFile,
  'packages/sdk/src/errors.generated.ts': errorsFile,
  'packages/sdk/src/filters.generated.ts': filtersFile,
  'packages/sdk/src/operations.generated.ts': operationsFile,
  'packages/sdk/src/resources.generated.ts': resourcesFile,
  'packages/sdk/src/scopes.generated.ts': scopesFile,
  'packages/sdk/src/types.generated.ts': typesFile,
}
