import { hash } from 'node:crypto'
import { plusSeconds } from '../../../platform/kernel/clock.ts'
import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { hasShape, newEndUserToken, tenantOfToken } from '../../vocabulary/credentials.ts'
import { invalidIdentity } from '../../vocabulary/errors.ts'
import { tokenHolderOf } from '../../vocabulary/principal.ts'
import { endUsers } from '../end-users/entity.ts'
import { decide, identityStateOf, requireAllowed } from '../end-users/identity.ts'
import { merge } from '../end-users/merge.ts'
import { endUserNamed, newEndUser } from '../end-users/naming.ts'
import { type EndUser, idsOfEndUser } from '../end-users/queries.ts'
import { fieldsOf } from '../identity-keys/claims.ts'
import { verifyIdentity } from '../identity-keys/verify.ts'
import { sessions } from './entity.ts'
import { findOpenSession, findOpenSessions, type Session, takesPart } from './queries.ts'
import {
  defaultSeconds,
  type Exchange,
  type NewSession,
  type SessionWithToken,
  type Visitor,
} from './schema.ts'

/** The lifetime of a session that a visitor starts without a JWT. */
const anonymousSeconds = 86_400
/** A page with the former token finishes its requests within this time. */
const overlapSeconds = 60
/** The number of open sessions from which a renewal ends the oldest ones. */
const maxRenewed = 100

type Opening = Pick<Session, 'created_by' | 'conversation_id' | 'lifetime_seconds'>

/** The token is random: only its hash is stored, and only the result contains it. */
function openSession(
  change: Change,
  owner: { id: string; holder?: string },
  opening: Opening,
): SessionWithToken {
  const token = newEndUserToken(change.ctx.env)
  const session = change.rows.create(sessions, {
    ...change.stamp(),
    ...opening,
    token_hash: tokenHash(token),
    end_user_id: owner.id,
    holder_id: owner.holder ?? owner.id,
    expires_at: plusSeconds(change.now, opening.lifetime_seconds),
    revoked_at: null,
    last_used_at: null,
  })
  return { ...session, token }
}

const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Opens a session for the end user that a secret key names. */
export async function mintSession(change: Change, input: NewSession): Promise<SessionWithToken> {
  const { expires_in_seconds = defaultSeconds, conversation_id } = input
  const references = new References(change)
  const named = await references.to(endUsers, '/end_user_id', input.end_user_id)
  const conversation = await references.to(
    change.entityOf('conversation'),
    '/conversation_id',
    conversation_id,
  )
  references.check()
  const endUser = named ?? (await endUserNamed(change, input.external_user_id!))
  requireSession(endUser, named ? '/end_user_id' : '/external_user_id')
  if (conversation) await requirePart(change, conversation.id, endUser)
  change.rows.guard(endUsers, endUser)
  return openSession(change, endUser, {
    created_by: 'key',
    conversation_id: conversation?.id ?? null,
    lifetime_seconds: expires_in_seconds,
  })
}

/** @throws ApiError `end_user_blocked`; `identity_conflict` for a merged end user; 422 for an erased one */
function requireSession(endUser: EndUser, pointer: string): void {
  const state = identityStateOf(endUser)
  if (state === 'erased')
    throw invalidBody({ pointer, code: 'not_allowed', detail: 'must not refer to an erased end user' })
  if (state === 'merged') {
    throw new ApiError('identity_conflict', { reason: 'merged' })
  }
  requireAllowed('session', endUser)
}

/** @throws ApiError 422 unless the end user takes part in the conversation */
async function requirePart(change: Change, conversationId: string, endUser: EndUser): Promise<void> {
  const ids = [endUser.id, ...(await idsOfEndUser(change.db, change.tenantId, endUser.id))]
  if (await takesPart(change.db, change.tenantId, conversationId, ids, endUser.external_id)) return
  throw invalidBody({
    pointer: '/conversation_id',
    code: 'not_allowed',
    detail: 'must be a conversation of this end user',
  })
}

/** Opens a session for the end user whom a JWT of the client's server proves, and verifies that end user. */
export async function exchangeJwt(change: Change, input: Exchange): Promise<SessionWithToken> {
  const claims = await verifyIdentity(change.ctx, input.jwt, change.now)
  const known = await endUserNamed(change, claims.sub)
  requireSession(known, '/jwt')
  requireAllowed('vouch', known)
  const verified_at = known.verified_at ?? change.now
  const fields = await fieldsOf(change, claims, known)
  const endUser = change.rows.update(endUsers, known, { ...fields, verified_at })
  change.rows.guard(endUsers, endUser)
  const adopted = await adopt(change, input.previous_token ?? null, endUser)
  return openSession(change, adopted, {
    created_by: 'jwt',
    conversation_id: null,
    lifetime_seconds: defaultSeconds,
  })
}

/**
 * Merges the visitor of an anonymous session into the end user who has signed in. The visitor's sessions end at once:
 * somebody else may have started one of them and left its token in this browser.
 */
async function adopt(change: Change, token: string | null, endUser: EndUser): Promise<EndUser> {
  const isOfHere =
    token !== null && hasShape('end_user_token', token) && tenantOfToken(token) === change.tenantId
  const session = isOfHere
    ? await findOpenSession(change.db, change.tenantId, tokenHash(token), change.now)
    : null
  const visitor = session && (await change.rows.find(endUsers, session.holder_id))
  if (!visitor || visitor.id === endUser.id || visitor.external_id !== null) return endUser
  if (decide('adopt', identityStateOf(visitor)) !== 'yes') return endUser
  const open = await findOpenSessions(change.db, change.tenantId, visitor.id, change.now)
  for (const each of open) revoke(change, each)
  return merge(change, visitor, endUser).end_user
}

/** Ends a session in a minute, unless it ends earlier. */
function shorten(change: Change, session: Session): Session {
  const end = plusSeconds(change.now, overlapSeconds)
  return session.expires_at > end ? change.rows.update(sessions, session, { expires_at: end }, null) : session
}

/** A renewal ends the oldest sessions of an end user who has many: all of them must be revocable by one request. */
async function endOldest(change: Change, { id }: EndUser): Promise<void> {
  const open = await findOpenSessions(change.db, change.tenantId, id, change.now)
  const others = open.filter((session) => session.id !== tokenHolderOf(change.ctx)!.sessionId)
  for (const session of others.slice(0, Math.max(0, others.length - maxRenewed))) revoke(change, session)
}

/** Opens a session for a visitor whom nobody knows. What the visitor says of himself is never verified. */
export function startAnonymousSession(change: Change, { name, email, language }: Visitor): SessionWithToken {
  const visitor = change.rows.create(
    endUsers,
    newEndUser(change, {
      name: name ?? null,
      language: language ?? null,
      emails: email == null ? [] : [{ address: email, verified: false }],
    }),
  )
  return openSession(change, visitor, {
    created_by: 'anonymous',
    conversation_id: null,
    lifetime_seconds: anonymousSeconds,
  })
}

/** Opens the next session of the end user whose token was presented. */
export async function renewSession(change: Change): Promise<SessionWithToken> {
  const { sessionId } = tokenHolderOf(change.ctx)!
  const former = await change.rows.load(sessions, sessionId)
  if (former.revoked_at !== null) throw invalidIdentity('revoked')
  if (former.expires_at <= change.now) throw invalidIdentity('expired')
  const endUser = (await change.rows.find(endUsers, former.holder_id))!
  requireSession(endUser, '')
  change.rows.guard(endUsers, endUser)
  // With its version, so that of a renewal and a revocation at the same time the second runs again.
  change.rows.bumpVersion(sessions, shorten(change, former), null)
  await endOldest(change, endUser)
  const { created_by, conversation_id, lifetime_seconds } = former
  // The same owner, in whose space idempotency keys and cursors are, also after a merge.
  const owner = { id: former.end_user_id, holder: endUser.id }
  return openSession(change, owner, { created_by, conversation_id, lifetime_seconds })
}

/** Revokes a session at once; it stays readable. */
export async function revokeSession(change: Change, id: string): Promise<void> {
  revoke(change, await change.rows.load(sessions, id))
}

/** Revokes all sessions of an end user. */
export async function revokeSessionsOf(change: Change, endUserId: string): Promise<void> {
  const endUser = await change.rows.load(endUsers, endUserId)
  await endSessionsOf(change, endUser)
}

export async function endSessionsOf(change: Change, { id }: EndUser): Promise<void> {
  const open = await findOpenSessions(change.db, change.tenantId, id, change.now)
  for (const session of open) revoke(change, session)
}

export function revoke(change: Change, session: Session): void {
  if (!session.revoked_at)
    change.rows.update(sessions, session, { revoked_at: change.now }, 'end_user_session.revoked')
}
