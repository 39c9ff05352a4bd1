/** Limits the concurrent holders of each name; the others wait in order. */
export function openTurns(most: number) {
  const names = new Map<string, { inside: number; waiting: (() => void)[] }>()
  return {
    async take(name: string): Promise<void> {
      const turns = names.get(name) ?? { inside: 0, waiting: [] }
      names.set(name, turns)
      if (turns.inside < most) turns.inside++
      else await new Promise<void>((enter) => turns.waiting.push(enter))
    },
    giveBack(name: string): void {
      const turns = names.get(name)!
      const next = turns.waiting.shift()
      if (next) next()
      else if (--turns.inside === 0) names.delete(name)
    },
    /** The number of names in use. Unused names are removed, because customers choose them. */
    get size() {
      return names.size
    },
  }
}
