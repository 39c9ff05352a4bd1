/** A fact that reactions need and no row stores, such as the reason: of a change, or of one row of it. */
export class ChangeFact<Value> {
  readonly #values = new WeakMap<object, Map<string, Value>>()

  /** @param rowId the row that the value is about; empty for the change as a whole */
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
