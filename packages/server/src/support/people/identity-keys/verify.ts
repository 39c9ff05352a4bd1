import { createPublicKey, createSecretKey } from 'node:crypto'
import type { Instant } from '../../../platform/kernel/clock.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { type Claims, type VerificationKey, verifyJwt } from './jwt.ts'
import { faultOf } from './public-keys.ts'
import { type IdentityKey, identityKeyTable, newestKeys } from './queries.ts'

/** Verifies a JWT by the identity keys of the environment. @throws ApiError `identity_invalid` */
export const verifyIdentity = (ctx: Ctx, jwt: string, now: Instant): Promise<Claims> =>
  verifyJwt(
    jwt,
    async (kid) => usable(await Promise.all((await keysFor(ctx, kid)).map((key) => toVerify(ctx, key)))),
    now,
  )

const usable = (keys: (VerificationKey | null)[]) => keys.filter((key) => key !== null)

async function keysFor({ db, env }: Ctx, kid: string | null): Promise<IdentityKey[]> {
  if (kid === null) return newestKeys(db, env.tenantId)
  const id = uuidOf('idk', kid)
  const key = id && (await identityKeyTable.find(db, env.tenantId, id))
  return key ? [key] : []
}

/** Null for a public key that is no longer accepted, and was when it was created. */
async function toVerify({ services }: Ctx, key: IdentityKey): Promise<VerificationKey | null> {
  const { id, algorithm, public_key, sealed_secret, issuer, audience } = key
  const parties = { algorithm, issuer, audience }
  if (algorithm === 'HS256') {
    const secret = Buffer.from(await services.secretBox.open(sealed_secret!, id))
    return { ...parties, key: createSecretKey(secret) }
  }
  const publicKey = createPublicKey(public_key!)
  return faultOf(publicKey, algorithm) ? null : { ...parties, key: publicKey }
}
