import { covers } from '../../platform/resource/scopes.ts'
import { declaredFor } from './scopes.ts'

export const roles = ['agent', 'lead', 'admin'] as const
export type Role = (typeof roles)[number]

export const isHigher = (one: Role, other: Role): boolean => roles.indexOf(one) > roles.indexOf(other)

/** The scopes of console sessions by the role of their operators. */
export const scopesOfRole: Record<Role, readonly string[]> = {
  agent: declaredFor('agent'),
  lead: declaredFor('lead'),
  admin: ['*'],
}

const sets = {
  agent: new Set(scopesOfRole.agent),
  lead: new Set(scopesOfRole.lead),
  admin: new Set(scopesOfRole.admin),
} satisfies Record<Role, Set<string>>

/** True if the scopes of a role include this one. */
export const roleAllows = (role: Role, scope: string): boolean => covers(sets[role], scope)
