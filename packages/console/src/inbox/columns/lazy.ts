import { lazyModule } from '../../app/lazy.tsx'

const columns = lazyModule(() => import('./Columns.tsx'))

/** Loaded for the first view that has columns. */
export const ColumnCells = columns((m) => m.ColumnCells)
export const ColumnHeadings = columns((m) => m.ColumnHeadings)
