import { LRUCache } from 'lru-cache'
import type { Db } from '../../../platform/postgres/database.ts'
import { cacheOf } from '../../../platform/postgres/process-state.ts'
import { type Facts, rememberFacts } from '../../../platform/unit-of-work/memory.ts'
import {
  allCustomFields,
  type CustomField,
  fieldGenerations,
  generationOfCustomFields,
  type Subject,
} from './queries.ts'

/** The custom fields of an environment, by the objects that have them, in their order. */
export type Definitions = Readonly<Record<Subject, readonly CustomField[]>>

const nothing: Definitions = { conversation: [], end_user: [], company: [] }

/** Stands for the custom fields where nothing stored is read: each name may be one. */
export const anyFields: readonly CustomField[] = []
export const anyDefinitions: Definitions = {
  conversation: anyFields,
  end_user: anyFields,
  company: anyFields,
}

/**
 * The fields of environments. A generation identifies their content, until a connection is lost: after a failover, a
 * generation may be assigned again.
 */
const newCache = () => new LRUCache<string, Facts<Definitions>>({ max: 1_000 })

/** The custom fields as they are now: costs a read of one number, which concurrent requests share. */
export const definitionsOf = async (db: Db, tenantId: string): Promise<Definitions> =>
  (await readDefinitions(db, tenantId)).value

/** The custom fields that a write is decided upon; it is written only if they are still the same then. */
export const knownDefinitions = rememberFacts<Definitions>(fieldGenerations, readDefinitions)

async function readDefinitions(db: Db, tenantId: string): Promise<Facts<Definitions>> {
  // Before the generation: if a connection is lost meanwhile, what is read is not kept for the next request.
  const cache = cacheOf(db, newCache)
  const generation = await generationOfCustomFields(db, tenantId)
  if (generation === 0) return { generation, value: nothing }
  const known = cache.get(tenantId)
  if (known?.generation === generation) return known
  // Fields that are newer than the generation that was read are read again with the next generation.
  const all = await allCustomFields(db, tenantId)
  const of = (subject: Subject) => all.filter(({ applies_to }) => applies_to === subject)
  const facts = {
    generation,
    value: { conversation: of('conversation'), end_user: of('end_user'), company: of('company') },
  }
  cache.set(tenantId, facts)
  return facts
}
