import type { Environment } from '../kernel/environment.ts'
import type { Credential } from '../kernel/key-format.ts'
import type { Db } from '../postgres/database.ts'
import type { Scope } from './scopes.ts'

/** The declaration of the credential that a route takes: a secret key with a scope, or another one. */
export type Access =
  | { scope: Scope; credential?: never }
  | { credential: Exclude<Credential, 'secret_key'>; scope?: never }

/** A route that anybody may use, without a credential: what it names tells the environment. */
export type Open = {
  credential: 'none'
  scope?: never
  /** Finds the environment by the ids in the path, which are UUIDs; null for 404. */
  environmentOf(db: Db, params: Record<string, string>): Promise<Environment | null>
}

/** The same for code that handles routes of all kinds. */
export type AnyAccess = {
  scope?: Scope
  credential?: Exclude<Credential, 'secret_key'> | 'none'
  environmentOf?: Open['environmentOf']
}

export const credentialFor = ({ credential }: AnyAccess): Credential | 'none' => credential ?? 'secret_key'

/** Limits in real time besides the general one, which count attempts. */
export type AttemptLimit = 'sessions' | 'end_user_writes'
