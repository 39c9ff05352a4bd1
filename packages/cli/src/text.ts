/** Clients choose names: characters that move the cursor, colour or reorder the line are escaped. */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )

/** Columns as wide as their widest cell. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `a`, `a and b`, `a, b and c` */
export const listOf = (items: string[], word = 'and'): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`

/** The first few names of many. */
export const fewOf = (names: string[], most = 3): string =>
  names.length > most + 1
    ? `${names.slice(0, most).join(', ')} and ${names.length - most} more`
    : listOf(names)

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Masks keys that were typed in the wrong place, because logs keep output. */
export const withoutKeys = (text: string): string => text.replace(/(bkl_(?:live|test)_)\w+/g, '$1…')
