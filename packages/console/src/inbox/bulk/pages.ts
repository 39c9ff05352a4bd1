export { Runs } from './Runs.tsx'
export { SelectionBar } from './SelectionBar.tsx'
