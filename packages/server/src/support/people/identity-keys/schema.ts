import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  type Members,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
  Type,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { algorithms, readPublicKey } from './public-keys.ts'
import type { IdentityKey } from './queries.ts'

const fields = {
  name: Name(100, { description: 'What signs with the key. Need not be unique.' }),
  algorithm: Enum(algorithms, {
    description:
      'The only algorithm that the key verifies, whatever a JWT says: `HS256` with a secret of this server, `RS256`, `ES256` (P-256) or `EdDSA` (Ed25519) with your public key.',
  }),
  issuer: Nullable(Text(1, 255), { description: 'The `iss` that JWTs must have; null for any or none.' }),
  audience: Nullable(Text(1, 255), {
    description: 'A value that must be in the `aud` of JWTs; null for any or none.',
  }),
}

const shown = {
  id: Id('idk', { description: 'The id, which JWTs can name as `kid`.' }),
  object: Enum(['identity_key']),
  ...fields,
  public_key: Nullable(Text(1, 16_384), { description: 'The public key in PEM; null for `HS256`.' }),
  ...revision,
}

export const identityKeyExample = {
  id: 'idk_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'identity_key',
  name: 'Shop backend',
  algorithm: 'HS256',
  public_key: null,
  issuer: 'https://shop.example.com',
  audience: 'backline',
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  version: 1,
}

const present = (row: IdentityKey) => ({ ...row, id: typeId('idk', row.id), object: 'identity_key' })

export const identityKeyWire = defineWire<IdentityKey>({
  name: 'IdentityKey',
  schema: Shape(shown),
  example: identityKeyExample,
  present,
})

export type IdentityKeyWithSecret = IdentityKey & { secret: string | null }

/** The only response with the secret. */
export const identityKeyWithSecretWire = defineWire<IdentityKeyWithSecret>({
  name: 'IdentityKeyWithSecret',
  schema: Shape({
    ...shown,
    secret: Nullable(Text(1, 100), {
      description:
        'The secret of an `HS256` key, shown only once. The HMAC key is the UTF-8 bytes of this text. Null for other algorithms.',
    }),
  }),
  example: { ...identityKeyExample, secret: 'idsec_0000000000000000000000000000000000000000000' },
  present,
})

/** PEM or JWK. A JWK is an object, or its JSON text. */
const PublicKey = () =>
  Type.Unsafe<string | Record<string, unknown> | null>({
    type: ['string', 'object', 'null'],
    minLength: 1,
    maxLength: 16_384,
    pattern: '^[^\\u0000\\ud800-\\udfff]*$',
    maxProperties: 30,
    additionalProperties: true,
    description:
      'Your public key in PEM (SPKI, or an X.509 certificate), or as a JWK; RSA keys have at least 2048 bits. Required unless the algorithm is `HS256`, whose secret the server makes.',
  })

const members = Shape({
  name: fields.name,
  algorithm: fields.algorithm,
  public_key: Optional(PublicKey()),
  issuer: Optional(fields.issuer),
  audience: Optional(fields.audience),
})

export const NewIdentityKey = WithCheck(
  members,
  ({ algorithm, public_key = null }) => {
    const read = readPublicKey(public_key, algorithm)
    return 'fault' in read ? [{ pointer: '/public_key', ...read.fault }] : []
  },
  ['algorithm', 'public_key'],
)
export type NewIdentityKey = Members<typeof NewIdentityKey>

export const IdentityKeyPatch = PartialShape({
  name: fields.name,
  issuer: fields.issuer,
  audience: fields.audience,
})
export type IdentityKeyPatch = Members<typeof IdentityKeyPatch>
