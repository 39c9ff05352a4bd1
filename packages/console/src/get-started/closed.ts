import { readStored, writeStored } from '../browser/stored.ts'
import type { Environment } from '../data/environment.tsx'

const storedAs = ({ id }: Pick<Environment['operator'], 'id'>): string => `backline.get_started_closed.${id}`

/** Whether an operator has closed the first steps for good, in this browser. */
export const isStartClosed = (operator: Pick<Environment['operator'], 'id'>): boolean =>
  readStored(storedAs(operator)) !== null

export const closeStart = (operator: Pick<Environment['operator'], 'id'>): void =>
  void writeStored(storedAs(operator), 'true')
