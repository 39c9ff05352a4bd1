export { Companies } from './Companies.tsx'
export { People } from './People.tsx'
