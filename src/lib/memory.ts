/**
 * What was worked out, by its key. What was not asked for while `least` others came is forgotten; so up to twice as many are known.
 * @param weigh how much a value counts for; one, when left out
 */
export function memory<Value>(least: number, weigh: (value: Value) => number = () => 1) {
  let [young, old] = [new Map<string, Value>(), new Map<string, Value>()]
  let weight = 0

  function set(key: string, value: Value): Value {
    const before = young.get(key)
    weight += weigh(value) - (before === undefined ? 0 : weigh(before))
    young.set(key, value)
    if (weight >= least) [young, old, weight] = [new Map(), young, 0]
    return value
  }

  return {
    get(key: string): Value | undefined {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      return older === undefined ? undefined : set(key, older)
    },
    set,
    forget: (key: string): boolean => [young.delete(key), old.delete(key)].includes(true),
  }
}
