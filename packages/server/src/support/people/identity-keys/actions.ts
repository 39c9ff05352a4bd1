import { randomBytes } from 'node:crypto'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { identityKeys } from './entity.ts'
import { readPublicKey } from './public-keys.ts'
import type { IdentityKey } from './queries.ts'
import type { IdentityKeyPatch, IdentityKeyWithSecret, NewIdentityKey } from './schema.ts'

/** Creates a key. Only the result contains the secret of an HS256 key; the database stores it encrypted. */
export async function createIdentityKey(
  change: Change,
  input: NewIdentityKey,
): Promise<IdentityKeyWithSecret> {
  const { name, algorithm, issuer = null, audience = null } = input
  const read = readPublicKey(input.public_key ?? null, algorithm)
  const public_key = 'pem' in read ? read.pem : null
  const stamp = change.stamp()
  const secret = algorithm === 'HS256' ? `idsec_${randomBytes(32).toString('base64url')}` : null
  const sealed_secret = secret === null ? null : await change.ctx.services.secretBox.seal(secret, stamp.id)
  const key = { ...stamp, name, algorithm, public_key, sealed_secret, issuer, audience }
  return { ...change.rows.create(identityKeys, key), secret }
}

export async function updateIdentityKey(
  change: Change,
  id: string,
  patch: IdentityKeyPatch,
): Promise<IdentityKey> {
  return change.rows.update(identityKeys, await change.rows.load(identityKeys, id), patch)
}

/** Sessions that the key has opened go on. */
export async function deleteIdentityKey(change: Change, id: string): Promise<void> {
  change.rows.remove(identityKeys, await change.rows.load(identityKeys, id))
}
