/** Reads a variable, or the fallback if it is not set. An invalid one is reported with `expected`. */
export type Setting = <Value>(
  name: string,
  fallback: string,
  parse: (text: string) => Value | null,
  expected: string,
) => Value

export const wholeNumber = (minimum: number, maximum: number) => (text: string) =>
  /^\d{1,10}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum ? Number(text) : null

export const oneOf =
  <Value extends string>(...values: readonly Value[]) =>
  (text: string): Value | null =>
    values.find((each) => each === text) ?? null

export const parseVisible = (text: string): string | null => (/^[\x21-\x7e]{1,512}$/.test(text) ? text : null)
