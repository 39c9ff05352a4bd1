import { createPublicKey, createSecretKey } from 'node:crypto'
import type { Instant } from '../../../platform/kernel/clock.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { type Claims, type VerificationKey, verifyJwt } from './jwt.ts'
import { type IdentityKey, identityKeyTable, newestKeys } from './queries.ts'

/** Verifies a JWT by the identity keys of the environment. @throws ApiError `identity_invalid` */
export const verifyIdentity = (ctx: Ctx, jwt: string, now: Instant): Promise<Claims> =>
  verifyJwt(jwt, async (kid) => Promise.all((await keysFor(ctx, kid)).map((key) => toVerify(ctx, key))), now)

async function keysFor({ db, env }: Ctx, kid: string | null): Promise<IdentityKey[]> {
  if (kid === null) return newestKeys(db, env.tenantId)
  const id = uuidOf('idk', kid)
  const key = id && (await identityKeyTable.find(db, env.tenantId, id))
  return key ? [key] : []
}

async function toVerify({ services }: Ctx, key: IdentityKey): Promise<VerificationKey> {
  const { id, algorithm, public_key, sealed_secret, issuer, audience } = key
  return {
    algorithm,
    key: sealed_secret
      ? createSecretKey(Buffer.from(await services.secretBox.open(sealed_secret, id)))
      : createPublicKey(public_key!),
    issuer,
    audience,
  }
}
