/** The parts of an error response (RFC 9457) that commands print. */
export type Problem = {
  code: string
  detail: string
  params: Record<string, unknown>
  errors: ({ detail: string } & ({ pointer: string } | { parameter: string } | { header: string }))[]
}

/** Null if something other than the API responded, such as a proxy. */
export function problemIn(mediaType: string | null, text: string): Problem | null {
  if (!mediaType?.startsWith('application/problem+json')) return null
  try {
    const problem = JSON.parse(text) as Partial<Problem>
    return { code: 'unknown', detail: '', params: {}, errors: [], ...problem }
  } catch {
    return null
  }
}

/** One line: each fault with its field, parameter or header, or the detail of the problem. */
export const sentenceOf = ({ detail, errors }: Problem, nameOf = (parameter: string) => parameter): string =>
  errors
    .map((fault) => {
      if ('parameter' in fault) return `${nameOf(fault.parameter)} ${fault.detail}`
      return `${'pointer' in fault ? fault.pointer || 'the body' : fault.header} ${fault.detail}`
    })
    .join('; ') || detail
