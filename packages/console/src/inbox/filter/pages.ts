export { FilterBar } from './FilterBar.tsx'
export { FilterSteps } from './FilterSteps.tsx'
