import { LRUCache } from 'lru-cache'
import type { Db } from '../../../platform/postgres/database.ts'
import type { LineType } from './params.ts'
import { type Known, knownObjects, unknown } from './queries.ts'

/** Objects that few lines refer to are not worth the memory. */
const isRemembered = (type: LineType) => type !== 'conversation' && type !== 'message'

/**
 * Finds the objects that lines refer to. Those that a part makes count for it, and for others once it is written: until
 * then another import may be faster.
 */
export class Resolver {
  readonly source: string
  readonly #known = new LRUCache<string, Known>({ max: 50_000 })
  readonly #made = new Map<string, Known>()

  constructor(source: string) {
    this.source = source
  }

  /** Called before each part. @param isWritten whether the part before was written */
  begin(isWritten: boolean): void {
    if (isWritten)
      for (const [key, known] of this.#made)
        if (isRemembered(key.slice(0, key.indexOf(' ')) as LineType)) this.#known.set(key, known)
    this.#made.clear()
  }

  /** The present part makes an object. */
  made(type: LineType, externalId: string, id: string): void {
    this.#made.set(keyOf(type, externalId), { id, isMapped: true, isTaken: false })
  }

  /** The number of objects that the present part has made; `resetTo` takes the rest back. */
  mark(): number {
    return this.#made.size
  }

  resetTo(mark: number): void {
    for (const key of [...this.#made.keys()].slice(mark)) this.#made.delete(key)
  }

  /** Objects by external ids; all of them are in the result. */
  async find(
    db: Db,
    tenantId: string,
    type: LineType,
    externalIds: Iterable<string>,
  ): Promise<Map<string, Known>> {
    const found = new Map<string, Known>()
    const asked: string[] = []
    for (const id of new Set(externalIds)) {
      const known = this.#made.get(keyOf(type, id)) ?? this.#known.get(keyOf(type, id))
      if (known) found.set(id, known)
      else asked.push(id)
    }
    const read = await knownObjects(db, tenantId, { source: this.source, type }, asked)
    for (const id of asked) {
      const known = read.get(id) ?? unknown
      found.set(id, known)
      if (known.id !== null && isRemembered(type)) this.#known.set(keyOf(type, id), known)
    }
    return found
  }
}

const keyOf = (type: LineType, externalId: string) => `${type} ${externalId}`
