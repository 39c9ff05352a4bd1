import { crud } from '../../../platform/resource/crud.ts'
import { createIdentityKey, deleteIdentityKey, updateIdentityKey } from './actions.ts'
import { identityKeyOrders, identityKeyTable } from './queries.ts'
import {
  IdentityKeyPatch,
  identityKeyExample,
  identityKeyWire,
  identityKeyWithSecretWire,
  NewIdentityKey,
} from './schema.ts'

export const routes = crud({
  path: '/identity_keys',
  family: 'identity_keys',
  prefix: 'idk',
  noun: 'identity key',
  wire: identityKeyWire,
  table: identityKeyTable,
  orders: identityKeyOrders,
  create: {
    description:
      'An identity key verifies the JWTs that your server signs for people who have signed in. Several keys at once allow rotation; a JWT that names none by `kid` is tried with the ten newest. An RSA key has 2,048 to 8,192 bits and an odd exponent from 3 to 2^32. The secret of an `HS256` key is shown only once, in this response.',
    body: NewIdentityKey,
    example: {
      name: identityKeyExample.name,
      algorithm: 'HS256',
      issuer: identityKeyExample.issuer,
      audience: identityKeyExample.audience,
    },
    reply: identityKeyWithSecretWire,
    handle: createIdentityKey,
  },
  list: { description: 'Lists the keys that verify JWTs, without their secrets.' },
  read: { description: 'Returns an identity key without its secret.' },
  update: {
    description: 'Algorithm and public key cannot be changed: create another key, then delete this one.',
    body: IdentityKeyPatch,
    example: { audience: null },
    replyExample: { ...identityKeyExample, audience: null, version: 2 },
    handle: (change, patch, id) => updateIdentityKey(change, id, patch),
  },
  remove: {
    description: 'JWTs of the key are refused from now on. Sessions that were exchanged for them go on.',
    handle: deleteIdentityKey,
  },
})
