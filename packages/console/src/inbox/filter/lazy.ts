import { lazyModule } from '../../app/lazy.tsx'

const filter = lazyModule(() => import('./pages.ts'))

/** Loaded once the list is there: the first row does not wait for it. */
export const FilterButton = Object.assign(
  filter((m) => m.FilterButton),
  { load: filter.load },
)
export const FilterBar = filter((m) => m.FilterBar)
