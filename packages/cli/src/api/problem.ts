import type { Problem } from '@backline/sdk/types.generated.ts'

/** One line: each fault with its field, parameter or header, or the detail of the problem. */
export const sentenceOf = (
  { detail, errors }: Problem,
  nameOf = (parameter: string): string => parameter,
): string =>
  errors
    .map(({ pointer, parameter, header, detail }) => {
      const name = parameter === undefined ? (pointer ?? header) : nameOf(parameter)
      return `${name || 'the body'} ${detail}`
    })
    .join('; ') || detail
