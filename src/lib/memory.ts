/** What was worked out, by its key; of more than `most`, those that were worked out first are forgotten. */
export function memory<Value>(most: number) {
  const known = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => known.get(key),
    set(key: string, value: Value): Value {
      if (known.size >= most && !known.has(key)) known.delete(known.keys().next().value!)
      known.set(key, value)
      return value
    },
    forget: (key: string): boolean => known.delete(key),
  }
}
