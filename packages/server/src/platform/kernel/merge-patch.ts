/**
 * Merges a patch into an object as RFC 7396 says: null removes a member, an object merges into the one that is there,
 * anything else replaces it. What the result lacks, because the patch removed it or nothing was there, is the
 * caller's to refuse.
 */
export function mergePatch<Target extends object>(target: Target | null, patch: object): Partial<Target> {
  // fromEntries defines members, so a key like __proto__ is only a key.
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
