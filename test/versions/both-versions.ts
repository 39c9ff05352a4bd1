import type { ApiVersion } from '@backline/server/compose/app.ts'
import type { Resource } from '@backline/server/platform/resource/resource.ts'
import type { VersionChange } from '@backline/server/platform/versions/changes.ts'
import { versionOf } from '@backline/server/platform/versions/version.ts'
import { v2 } from './v2-example.ts'

/** `/v1` and, beside it, a `/v2` with these differences. */
export const bothVersions =
  (changes: VersionChange[] = v2) =>
  (resources: Resource[]): ApiVersion[] => [
    { prefix: '/v1', resources },
    { prefix: '/v2', resources: versionOf(resources, changes) },
  ]
