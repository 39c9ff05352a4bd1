import { lazyModule } from '../../app/lazy.tsx'
import { Loading } from '../../design/States.tsx'

const filter = lazyModule(() => import('./pages.ts'), <Loading lines={1} />)

/** Loaded once the list is there: the first row does not wait for it. */
export const load = filter.load
export const FilterSteps = filter((m) => m.FilterSteps)
export const FilterBar = filter((m) => m.FilterBar)
