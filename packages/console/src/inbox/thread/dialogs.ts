import { lazyModule } from '../../app/lazy.tsx'

const dialogs = lazyModule(() => import('./pages.ts'))

/** Parts that a message shows on demand alone. Their code is loaded then. */
export const EditDialog = dialogs((m) => m.EditDialog)
export const RedactDialog = dialogs((m) => m.RedactDialog)
export const RevisionsDialog = dialogs((m) => m.RevisionsDialog)
export const Viewer = dialogs((m) => m.Viewer)
