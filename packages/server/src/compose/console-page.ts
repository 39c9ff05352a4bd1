import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** The directory of the built page of the console, in a checkout and in the npm package. */
export const consolePage = join(import.meta.dirname, '../../../console/dist')

/** False in a checkout whose packages were installed without the console's. */
export const isConsoleInstalled = (): Promise<boolean> =>
  access(join(consolePage, 'index.html')).then(
    () => true,
    () => false,
  )
