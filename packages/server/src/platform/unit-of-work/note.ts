/**
 * A fact about a change, or about one row of it, which its reactions need and no row stores: why it was made, or what
 * was reserved for it.
 */
export class Note<Value> {
  readonly #values = new WeakMap<object, Map<string, Value>>()

  /** @param rowId of the row that it is about; none for a fact about the change as a whole */
  write(change: object, value: Value, rowId = ''): void {
    const values = this.#values.get(change) ?? new Map<string, Value>()
    this.#values.set(change, values.set(rowId, value))
  }

  read(change: object, rowId = ''): Value | undefined {
    return this.#values.get(change)?.get(rowId)
  }

  erase(change: object, rowId = ''): void {
    this.#values.get(change)?.delete(rowId)
  }
}
