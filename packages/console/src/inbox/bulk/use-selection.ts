import { useMemo, useRef, useState } from 'react'

export type Selection = {
  /** All that the view lists, loaded or not. */
  isAll: boolean
  /** The selected rows, in the order of the list. */
  ids: string[]
  has(id: string): boolean
  toggle(id: string): void
  /** Selects the rows from the last one that was selected up to this one. */
  extendTo(id: string): void
  selectLoaded(): void
  selectAll(): void
  clear(): void
}

const none: ReadonlySet<string> = new Set()

/** The conversations of a list that an action is for. What leaves the list is not selected any more. */
export function useSelection(items: { id: string }[]): Selection {
  const [chosen, setChosen] = useState(none)
  const [isAll, setAll] = useState(false)
  const anchor = useRef<string | null>(null)
  const loaded = items.map(({ id }) => id)
  const latest = useRef({ loaded, isAll, chosen })
  latest.current = { loaded, isAll, chosen }

  const acts = useMemo(() => {
    const choose = (ids: Iterable<string>) => {
      setAll(false)
      setChosen(new Set(ids))
    }
    return {
      toggle(id: string) {
        const now = latest.current
        anchor.current = id
        const next = new Set(now.isAll ? now.loaded : now.chosen)
        if (!next.delete(id)) next.add(id)
        choose(next)
      },
      extendTo(id: string) {
        const now = latest.current
        const to = now.loaded.indexOf(id)
        const from = anchor.current === null ? to : now.loaded.indexOf(anchor.current)
        if (to < 0) return
        const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
        anchor.current = id
        choose([...now.chosen, ...now.loaded.slice(first, last + 1)])
      },
      selectLoaded: () => choose(latest.current.loaded),
      selectAll: () => setAll(true),
      clear() {
        anchor.current = null
        choose(none)
      },
    }
  }, [])
  const ids = isAll ? loaded : loaded.filter((id) => chosen.has(id))
  return { ...acts, isAll, ids, has: (id) => isAll || chosen.has(id) }
}
