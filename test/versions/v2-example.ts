import { renameField, type VersionChange } from '@backline/server/platform/versions/changes.ts'

/* The differences of a `/v2` from `/v1`, as an example for docs/versioning.md. */

export const v2: VersionChange[] = [renameField('conversation', 'subject', 'title')]
