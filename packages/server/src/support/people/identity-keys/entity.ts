import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type IdentityKey, identityKeyTable } from './queries.ts'
import { identityKeyWire } from './schema.ts'

const events = ['identity_key.created', 'identity_key.updated', 'identity_key.deleted'] as const

export const identityKeys: Entity<IdentityKey, (typeof events)[number]> = {
  type: 'identity_key',
  prefix: declareIds('identity_key', 'idk'),
  events,
  table: identityKeyTable,
  wire: identityKeyWire,
}
