import type { Config } from '@backline/server/compose/config.ts'
import { OidcError } from '@backline/server/support/access/oidc/faults.ts'
import { openOidcProvider } from '@backline/server/support/access/oidc/provider.ts'
import { oidcRedirectUri } from '@backline/server/support/access/oidc/settings.ts'
import { type Check, fault, ok } from './check.ts'

const name = 'openid provider'

/**
 * Reads the discovery document of the provider; null if none is configured. Only a sign-in shows whether the provider
 * accepts the client and its secret.
 */
export async function checkOidc({ oidc, publicUrl }: Config): Promise<Check | null> {
  if (!oidc) return null
  const redirectUri = oidcRedirectUri(publicUrl)
  const facts = { issuer: oidc.issuer, client_id: oidc.clientId, redirect_uri: redirectUri }
  try {
    await openOidcProvider(oidc).discover()
    return ok(name, `${oidc.issuer} responds; register the redirect URI ${redirectUri} there`, facts)
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    const advice = 'correct BACKLINE_OIDC_ISSUER, or let this machine reach it; nobody can sign in until then'
    return fault(name, `${oidc.issuer}: ${error.message}`, advice, facts)
  }
}
