import { invalidBody } from './errors.ts'

/**
 * Merges a patch into an object (RFC 7396): null removes a member, an object merges into the existing one, any other
 * value replaces it. The caller rejects a result with missing members.
 */
export function mergePatch<Target extends object>(target: Target | null, patch: object): Partial<Target> {
  // `fromEntries` defines members, so a key like __proto__ is an ordinary key.
  const merged = new Map<string, unknown>(Object.entries(target ?? {}))
  for (const [name, value] of Object.entries(patch)) {
    const present = merged.get(name)
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(isObject(present) ? present : null, value) : value)
  }
  return Object.fromEntries(merged) as Partial<Target>
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
