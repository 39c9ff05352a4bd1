import { useEffect, useState, useSyncExternalStore } from 'react'
import { Draft, type DraftOptions, type Snapshot } from './draft.ts'

/** The draft of one item for as long as the component is on the page, and what it is now. */
export function useDraft<Item extends { version: number }, F extends Record<string, unknown>>(
  options: DraftOptions<Item, F>,
): [draft: Draft<Item, F>, snapshot: Snapshot<Item, F>] {
  const { item } = options
  const [draft] = useState(() => new Draft(options))
  useEffect(() => draft.receive(item), [draft, item])
  useEffect(() => () => draft.leave(), [draft])
  return [draft, useSyncExternalStore(draft.subscribe, draft.snapshot)]
}
