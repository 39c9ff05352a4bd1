/** Lets so many in at a time under each name; the others wait in their order. */
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
    /** Names are as many as customers care to name: those that nobody uses are forgotten. */
    get size() {
      return names.size
    },
  }
}
