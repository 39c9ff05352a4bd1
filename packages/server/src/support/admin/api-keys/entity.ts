import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type ApiKey, apiKeyTable } from './queries.ts'
import { apiKeyWire } from './schema.ts'

const events = ['api_key.created', 'api_key.rotated', 'api_key.revoked'] as const

export const apiKeys: Entity<ApiKey, (typeof events)[number]> = {
  type: 'api_key',
  prefix: declareIds('api_key', 'key'),
  events,
  table: apiKeyTable,
  wire: apiKeyWire,
}
