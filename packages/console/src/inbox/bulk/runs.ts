import type { MacroActionInput } from '@backline/sdk'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { createStore } from '../../browser/store.ts'
import { readStored, writeStored } from '../../browser/stored.ts'
import { useEnvironment } from '../../data/environment.tsx'

/** A bulk change that somebody has started: this page follows it, also after a reload and in other tabs. */
export type Run = {
  /** An undo is a job for each group of former values. */
  jobIds: string[]
  /** The dry run before it, which knows the former values. */
  previewId: string | null
  actions: MacroActionInput[]
  /** The name of the macro; null for single actions. */
  macro: string | null
  isUndo: boolean
  startedMs: number
}

const prefix = 'backline.bulk.'
/** A run that has ended is forgotten after a while. */
const shownForMs = 60 * 60_000

const changes = createStore(0, () => {
  addEventListener('storage', changed)
  return () => removeEventListener('storage', changed)
})
const changed = () => changes.set(changes.get() + 1)

function parse(stored: string | null): Run[] {
  try {
    const runs: Run[] = JSON.parse(stored ?? '[]')
    return runs.filter(({ startedMs }) => Date.now() - startedMs < shownForMs)
  } catch {
    return []
  }
}

/** Without storage, the runs of this tab. */
const inMemory = new Map<string, string>()
const read = (key: string): string | null => readStored(key) ?? inMemory.get(key) ?? null

export function useRuns() {
  const { name, operator } = useEnvironment()
  const key = `${prefix}${name}.${operator.id}`
  const stored = useSyncExternalStore(changes.subscribe, () => read(key))
  const runs = useMemo(() => parse(stored), [stored])
  const change = useCallback(
    (next: (runs: Run[]) => Run[]) => {
      const text = JSON.stringify(next(parse(read(key))))
      if (!writeStored(key, text)) inMemory.set(key, text)
      changed()
    },
    [key],
  )
  return {
    runs,
    add: useCallback((run: Run) => change((all) => [...all, run]), [change]),
    remove: useCallback(
      ({ jobIds }: Run) => change((all) => all.filter((run) => run.jobIds[0] !== jobIds[0])),
      [change],
    ),
  }
}
