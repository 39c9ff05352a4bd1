import { invalidBody } from './errors.ts'

export const maxMetadataKeys = 50

/**
 * Merges a patch into metadata key by key (RFC 7396): null removes a key; null instead of an object removes all.
 */
export function mergeMetadata(
  metadata: Record<string, string>,
  patch: Record<string, string | null> | null | undefined,
): Record<string, string> {
  if (patch === undefined) return metadata
  if (patch === null) return {}
  // `fromEntries` defines members, so a key like __proto__ is an ordinary key.
  const merged = Object.fromEntries([...Object.entries(metadata), ...Object.entries(patch)])
  const kept = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null)
  if (kept.length > maxMetadataKeys) {
    throw invalidBody({
      pointer: '/metadata',
      code: 'too_long',
      detail: `must have at most ${maxMetadataKeys} keys`,
    })
  }
  return Object.fromEntries(kept)
}
