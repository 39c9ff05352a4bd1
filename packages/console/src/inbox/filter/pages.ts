export { FilterBar } from './FilterBar.tsx'
export { FilterButton } from './FilterButton.tsx'
