import { CommandError } from '../errors.ts'
import { type FetchState, openFolder } from './folder.ts'
import type { SourceClient } from './http.ts'
import type { Source } from './source.ts'
import { openWriter } from './writer.ts'

export type FetchOptions = {
  folder: string
  client: SourceClient
  /** The address of the account, without a slash at the end. */
  base: string
  since: string | null
  ownIds: boolean
  signal: AbortSignal
  /** Called as objects are read. */
  progress(stage: string, state: FetchState): void
}

/**
 * Copies what a source has into the folder, from where an earlier run ended. A run that begins after one was complete
 * adds what is new. @throws CommandError when it is stopped, or the source refuses
 */
export async function fetchAll(source: Source, options: FetchOptions): Promise<FetchState> {
  const { client, base, since, ownIds, signal, progress } = options
  const identity = { source: source.name, account: base, options: { since, own_ids: ownIds } }
  const folder = openFolder(options.folder, identity)
  try {
    const { state } = folder
    let current = ''
    const out = openWriter(folder, source, client, base, () => progress(current, state))
    const stages = source.stages({ client, out, since, ownIds, base })
    for (const [i, { name, walk }] of stages.entries()) {
      if (i < state.stage) continue
      current = name
      for await (const cursor of walk(state.cursors[name] ?? null)) {
        folder.commit(name, cursor)
        if (signal.aborted)
          throw new CommandError('cancelled', 'stopped; run the same command again to continue')
      }
      folder.enter(i + 1)
    }
    folder.enter(0)
    return state
  } finally {
    folder.close()
  }
}
