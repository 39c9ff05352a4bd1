export { EditDialog } from './EditDialog.tsx'
export { RedactDialog } from './RedactDialog.tsx'
export { RevisionsDialog } from './RevisionsDialog.tsx'
export { Viewer } from './Viewer.tsx'
