import { nameKey } from '../kernel/names.ts'
import { type Sql, sql } from '../postgres/sql.ts'

/**
 * The texts of a field that are compared in another form than the one that objects show: names and addresses are stored
 * with a key that equal ones share, and `some` of their columns yields the key.
 */
export type Folding = 'name' | 'address'

const keys: Record<Folding, (text: string) => string> = {
  name: nameKey,
  address: (text) => text.toLowerCase(),
}

/** The key by which a text is compared; the text itself without folding. */
export const keyOf = (folding: Folding | undefined, text: string): string =>
  folding ? keys[folding](text) : text

/**
 * A text without regard to case. JavaScript and databases have the same lower-case letters, but for these three, which
 * are replaced first: the final sigma depends on its place, and `İ` has one code point or two.
 */
export const caseless = (text: string): string =>
  text.replaceAll(/[Σς]/g, 'σ').replaceAll('İ', 'i').toLowerCase()

/** The same in SQL. */
export const caselessIn = (text: Sql): Sql => sql`lower(translate(${text}, 'Σςİ', 'σσi'))`
