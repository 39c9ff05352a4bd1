/** The values that a process keeps about a database, by the functions that make them. */
export type ProcessState = Map<() => unknown, { losses: number; value: unknown }>

/** Returns the value of this kind for a database, which is made on the first call. */
export function stateOf<Value>({ state }: { state: ProcessState }, make: () => Value): Value {
  const kept = state.get(make) ?? { losses: 0, value: make() }
  state.set(make, kept)
  return kept.value as Value
}

/**
 * As `stateOf`, and made again after a lost connection: another server may answer, with other rows under the same
 * versions.
 */
export function cacheOf<Value>(
  { state, losses }: { state: ProcessState; losses(): number },
  make: () => Value,
): Value {
  let kept = state.get(make)
  if (kept?.losses !== losses()) {
    kept = { losses: losses(), value: make() }
    state.set(make, kept)
  }
  return kept.value as Value
}
