import type { ApiKey } from '@backline/sdk'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

export type Scope = ApiKey['scopes'][number]

/** The families in the order of the API. The types of the SDK check that each of them is a scope. */
export const families = [
  'conversations',
  'messages',
  'end_users',
  'companies',
  'end_user_sessions',
  'identity_keys',
  'files',
  'departments',
  'operators',
  'categories',
  'tags',
  'macros',
  'message_templates',
  'hold_reasons',
  'sla_configs',
  'custom_fields',
  'views',
  'kb',
  'faqs',
  'events',
  'webhook_endpoints',
  'audit_log',
  'api_keys',
  'workspace',
] as const
export type Family = (typeof families)[number]

/** Fails to compile if the SDK has a family that is missing above. */
type Missing = Exclude<
  Scope extends infer S ? (S extends `${infer F}:read` ? F : never) : never,
  Family | '*'
>
export const allFamiliesAreListed: [Missing] extends [never] ? true : never = true

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
