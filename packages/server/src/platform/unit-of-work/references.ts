import { type FieldError, invalidBody } from '../kernel/errors.ts'
import { uuidOf } from '../kernel/ids.ts'
import { nounOf } from '../kernel/names.ts'
import type { Change } from './change.ts'
import type { Entity, ResourceRow } from './entity.ts'

/** Resolves the ids of a request body to objects. `check` reports all invalid ones at once. */
export class References {
  readonly #change: Change
  readonly #faults: FieldError[] = []

  constructor(change: Change) {
    this.#change = change
  }

  /**
   * Returns the object with this id; null for no id, and for an id that cannot be used.
   * @param kept the current value of the field, which stays valid after its object was archived
   */
  async to<Row extends ResourceRow & { archived?: boolean }>(
    entity: Entity<Row>,
    pointer: string,
    id: string | null | undefined,
    kept: string | null = null,
  ): Promise<Row | null> {
    if (id == null) return null
    const uuid = uuidOf(entity.prefix, id)
    const row = uuid === null ? null : await this.#change.rows.find(entity, uuid)
    const noun = nounOf(entity.type)
    if (!row) {
      this.fault({ pointer, code: 'not_found', detail: `must be the id of an existing ${noun}` })
      return null
    }
    if (!row.archived || row.id === kept) return row
    this.fault({ pointer, code: 'not_allowed', detail: `must not refer to an archived ${noun}` })
    return null
  }

  /** Adds another error, which `check` reports together with those of the references. */
  fault(fault: FieldError): void {
    this.#faults.push(fault)
  }

  /** @throws ApiError `validation_failed` */
  check(): void {
    if (this.#faults.length > 0) throw invalidBody(...this.#faults)
  }
}
