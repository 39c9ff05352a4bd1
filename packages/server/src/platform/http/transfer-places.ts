/** The transfers of this process that are under way, by what they are counted for. */
export type Places = {
  /**
   * Takes a place for each name.
   * @param taken names with the maximum of each
   * @returns the function that releases them; null if there is no place
   */
  enter(taken: [name: string, most: number][]): (() => void) | null
}

export function openPlaces(): Places {
  const counts = new Map<string, number>()
  const change = (name: string, by: number) => {
    const count = (counts.get(name) ?? 0) + by
    if (count > 0) counts.set(name, count)
    else counts.delete(name)
  }
  return {
    enter(taken) {
      if (taken.some(([name, most]) => (counts.get(name) ?? 0) >= most)) return null
      for (const [name] of taken) change(name, 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        for (const [name] of taken) change(name, -1)
      }
    },
  }
}
