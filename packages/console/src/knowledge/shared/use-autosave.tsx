import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { Autosave, type AutosaveOptions, NotSavedError, type Snapshot } from './autosave.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { SaveState } from './SaveState.tsx'
import { texts } from './texts.ts'

/** The fields in words, for those that two people have changed. */
type Told<F> = { labels: Record<keyof F, string>; valueText(name: keyof F, value: F[keyof F]): string }

export type TextEdit<Item extends { version: number }, F extends Record<string, unknown>> = {
  autosave: Autosave<Item, F>
  snapshot: Snapshot<Item, F>
  /** Tells a failure of what is done with the text, and with text that could not be saved before. */
  run(act: () => Promise<unknown>): Promise<void>
  isBusy: boolean
  /** Whether the text is safe. */
  state: ReactNode
  /** Lets the writer choose where two people have changed the same. */
  dialog: ReactNode
}

/** The text of one item while a person edits it, for as long as the component is on the page. */
export function useAutosave<Item extends { version: number }, F extends Record<string, unknown>>(
  options: AutosaveOptions<Item, F>,
  { labels, valueText }: Told<F>,
): TextEdit<Item, F> {
  const { item, fieldsOf } = options
  const text = useTexts(texts)
  const toast = useToast()
  const [autosave] = useState(() => new Autosave(options))
  const [isComparing, setComparing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => autosave.receive(item), [autosave, item])
  useEffect(() => () => autosave.leave(), [autosave])
  const snapshot = useSyncExternalStore(autosave.subscribe, autosave.snapshot)
  const { phase, wasRestored, conflicts } = snapshot
  // biome-ignore lint/correctness/useExhaustiveDependencies: The message is shown once.
  useEffect(() => {
    if (wasRestored) toast.done({ title: text.kept })
  }, [wasRestored])
  useEffect(() => {
    if (phase === 'conflict') setComparing(true)
  }, [phase])

  async function run(act: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    try {
      await act()
    } catch (error) {
      const isUnsaved = error instanceof NotSavedError
      if (isUnsaved && autosave.snapshot().phase === 'conflict') return setComparing(true)
      const isRefused = isUnsaved && autosave.faults.count > 0
      const detail = isRefused ? text.fixFirst : reasonOf(isUnsaved ? error.cause : error)
      toast.failed({ title: text.failed, detail })
    } finally {
      setBusy(false)
    }
  }

  return {
    autosave,
    snapshot,
    run,
    isBusy,
    state: <SaveState snapshot={snapshot} onCompare={() => setComparing(true)} />,
    dialog: (
      <ConflictDialog
        isOpen={isComparing && phase === 'conflict'}
        onClose={() => setComparing(false)}
        conflicts={conflicts.map((name) => ({
          name: String(name),
          label: labels[name],
          mine: valueText(name, snapshot.fields[name]),
          theirs: valueText(name, fieldsOf(snapshot.item)[name]),
        }))}
        onResolve={(mine) => {
          setComparing(false)
          autosave.resolve(mine)
        }}
      />
    ),
  }
}
