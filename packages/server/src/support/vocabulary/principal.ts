import type { Environment } from '../../platform/kernel/environment.ts'
import type { Ctx } from '../../platform/unit-of-work/context.ts'
import type { Principal } from '../../platform/unit-of-work/principal.ts'
import type { Role } from './roles.ts'

/** The end user of a token, and what its session may see. Ids are UUIDs. */
export type TokenHolder = {
  /** The target, if the end user was merged. */
  id: string
  /** The end user that the session was made for. */
  ownerId: string
  sessionId: string
  /** The only conversation that the session may see; null for all of the end user. */
  conversationId: string | null
  isBlocked: boolean
}

/** The facts of a principal that the platform does not read. */
export type Facts = {
  /** Null unless the credential is an end-user token. */
  endUser: TokenHolder | null
  /** The session of an operator in the console, by its UUID; null for others. */
  consoleSession: { id: string; role: Role } | null
  /** The origins of web pages that may use the publishable key. */
  allowedOrigins: readonly string[]
}

const noFacts: Facts = { endUser: null, consoleSession: null, allowedOrigins: [] }

/** A principal whose other members are those of a sender without particular rights. */
export const principalOf = ({
  facts,
  ...given
}: Pick<Principal, 'environment' | 'actor' | 'credential' | 'token' | 'holderId' | 'countedAs'> &
  Partial<Omit<Principal, 'facts'>> & { facts?: Partial<Facts> }): Principal => ({
  allows: () => false,
  space: null,
  viewerId: null,
  seesVersions: true,
  streams: null,
  logged: {},
  ...given,
  facts: { ...noFacts, ...facts },
})

export const factsOf = (principal: Pick<Principal, 'facts'>): Facts => principal.facts as Facts

/** The end user whose token was presented; null for others. */
export const tokenHolderOf = ({ principal }: Pick<Ctx, 'principal'>): TokenHolder | null =>
  factsOf(principal).endUser

/** The UUID of the session of an operator in the console; null for others. */
export const consoleSessionIdOf = ({ principal }: Pick<Ctx, 'principal'>): string | null =>
  factsOf(principal).consoleSession?.id ?? null

/** The server itself. */
export const systemPrincipal = (environment: Environment): Principal =>
  principalOf({
    environment,
    actor: { type: 'system', id: null, operator_id: null },
    credential: null,
    token: '',
    holderId: '',
    countedAs: 'network',
    allows: () => true,
  })
