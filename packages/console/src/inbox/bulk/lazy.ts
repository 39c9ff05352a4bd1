import { lazyModule } from '../../app/lazy.tsx'

const bulk = lazyModule(() => import('./pages.ts'))

/** Loaded once the list is there: the first row does not wait for it. */
export const Runs = Object.assign(
  bulk((m) => m.Runs),
  { load: bulk.load },
)
export const SelectionBar = Object.assign(
  bulk((m) => m.SelectionBar),
  { load: bulk.load },
)
