import type { Db } from '../../../platform/postgres/database.ts'
import { findWorkspaceByName, listWorkspaces } from '../../admin/workspace/queries.ts'
import { OidcError } from '../oidc/faults.ts'
import { openOidcProvider } from '../oidc/provider.ts'
import type { ConsoleOidcSettings } from '../oidc/settings.ts'
import { openTransactions } from '../oidc/transaction.ts'
import type { OidcSignInDeps } from './oidc-routes.ts'
import { type SignInDeps, signIn } from './sign-in.ts'

/** Connects the OpenID provider with the operators of a workspace. Nothing is sent before the first sign-in. */
export function oidcSignIn(
  settings: ConsoleOidcSettings,
  deps: SignInDeps & Pick<OidcSignInDeps, 'attempts'>,
  secret: Buffer,
): OidcSignInDeps {
  return {
    publicUrl: deps.publicUrl,
    provider: openOidcProvider(settings),
    transactions: openTransactions(secret, deps.clock),
    attempts: deps.attempts,
    async signIn(email, client) {
      const workspaceId = await workspaceOf(deps.db, settings.workspace)
      return signIn(deps, { ...client, workspaceId, email, createdBy: 'oidc' })
    },
  }
}

/** @throws OidcError if no workspace has the name, or without a name unless there is exactly one */
async function workspaceOf(db: Db, name: string | null): Promise<string> {
  if (name !== null) {
    const found = await findWorkspaceByName(db, name)
    if (found) return found.id
    throw new OidcError('unavailable', 'no workspace has the name in BACKLINE_OIDC_WORKSPACE')
  }
  const [only, ...others] = await listWorkspaces(db)
  if (only && others.length === 0) return only.id
  throw new OidcError('unavailable', 'there are several workspaces: set BACKLINE_OIDC_WORKSPACE')
}
