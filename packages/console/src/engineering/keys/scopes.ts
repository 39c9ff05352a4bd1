import type { Scope } from '../../data/environment.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** So many scopes are named. */
const fewScopes = 2

/** Says in a few words what scopes allow. */
export function useScopesSummary(): (scopes: readonly Scope[]) => string {
  const text = useTexts(texts)
  return (scopes) => {
    if (scopes.includes('*')) return text.allScopes
    const write = scopes.filter((scope) => scope.endsWith(':write'))
    const read = scopes.filter((scope) => scope.endsWith(':read'))
    const [readsAll, writesAll] = [scopes.includes('*:read'), scopes.includes('*:write')]
    if (!readsAll && !writesAll && scopes.length <= fewScopes) return scopes.join(', ')
    return [
      readsAll ? text.readAll : read.length > 0 && text.reads(read.length),
      writesAll ? text.writeAll : write.length > 0 && text.writes(write.length),
    ]
      .filter(Boolean)
      .join(', ')
  }
}
