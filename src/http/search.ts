import { ApiError } from '../lib/errors.ts'
import { queryTokens } from '../lib/search-text.ts'
import { Optional, Text } from './schema.ts'

/** The parameter of a search. */
export const Query = (description: string) =>
  Optional(Text(1, 500, { description, examples: ['card declined'] }))

/** @throws ApiError 400 for a query in which there is nothing to look for */
export function requireWords(query: string): void {
  if (queryTokens(query).last !== null) return
  const fault = { parameter: 'q', code: 'bad_format', detail: 'must contain a letter or a digit' } as const
  throw new ApiError('invalid_query', {}, { errors: [fault] })
}
