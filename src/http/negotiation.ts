import { ApiError } from '../lib/errors.ts'

/** @throws ApiError `not_acceptable` when the `Accept` header rules out all of `offered` (RFC 9110 section 12.5.1) */
export function requireAcceptable(accept: string | undefined, offered: readonly string[]): void {
  if (accept === undefined || accept === '*/*' || accept === offered[0]) return
  if (!offered.some((type) => quality(accept, type) > 0)) {
    throw new ApiError('not_acceptable', { available: offered })
  }
}

/** True when the client would rather have HTML, as a browser does. */
export const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined && quality(accept, 'text/html') > quality(accept, 'application/json')

/** The weight that an `Accept` header gives a media type: that of its most specific range, 0 without one. */
function quality(accept: string, type: string): number {
  const [main] = type.split('/')
  let best = { specificity: -1, weight: 0 }
  for (const item of accept.split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const specificity = range === type ? 2 : range === `${main}/*` ? 1 : range === '*/*' ? 0 : -1
    if (specificity > best.specificity) best = { specificity, weight: weightOf(parameters) }
  }
  return best.specificity < 0 ? 0 : best.weight
}

function weightOf(parameters: string[]): number {
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = q === undefined ? 1 : Number(q.slice(2))
  return Number.isNaN(weight) ? 1 : weight
}
