import type { Environment } from '../kernel/environment.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Db } from '../postgres/database.ts'
import type { Scope } from './scopes.ts'

/** The declaration of who may use a route: keys with a scope, or holders of another kind of credential. */
export type Access = { scope: Scope; credential?: never } | { credential: string; scope?: never }

/** A route that anybody may use, without a credential: what it names tells the environment. */
export type Open = {
  credential: 'none'
  scope?: never
  /** Finds the environment by the ids in the path, which are UUIDs, and its texts; null for 404. */
  environmentOf(db: Db, params: Record<string, string>, box: SecretBox): Promise<Environment | null>
}

/** The same for code that handles routes of all kinds. */
export type AnyAccess = { scope?: Scope; credential?: string; environmentOf?: Open['environmentOf'] }
