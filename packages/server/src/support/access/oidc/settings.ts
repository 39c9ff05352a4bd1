/** The client that is registered for this installation at an OpenID provider. */
export type OidcSettings = {
  /** The issuer as its discovery document names it. https, or http on this machine. */
  issuer: string
  clientId: string
  clientSecret: string
}

/** `workspace`: the name of the workspace that operators sign in to; null for the only one. */
export type ConsoleOidcSettings = OidcSettings & { workspace: string | null }

/** The address that the provider sends browsers back to. It has to be registered there. */
export const oidcRedirectUri = (publicUrl: string): string => `${publicUrl}/console/api/sign_in/oidc/callback`
