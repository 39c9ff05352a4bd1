import type { CustomValue, Value } from './queries.ts'

/** The values of an object as the API shows them. */
export const shownValues = (values: CustomValue[]): Record<string, Value> =>
  Object.fromEntries(values.map(({ key, value }) => [key, value]))

/** The values that end users may read. */
export const valuesForEndUser = (values: CustomValue[]): Record<string, Value> =>
  shownValues(values.filter(({ access }) => access !== 'none'))
