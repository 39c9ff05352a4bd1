import { ApiError } from '../kernel/errors.ts'
import { Optional, Text } from '../resource/schema.ts'
import { queryTokens } from './search-text.ts'

/** The query parameter of a search. */
export const Query = (description: string) =>
  Optional(Text(1, 500, { description, examples: ['card declined'] }))

/** @throws ApiError 400 for a query without a letter or digit */
export function requireWords(query: string): void {
  if (queryTokens(query).last !== null) return
  const fault = { parameter: 'q', code: 'bad_format', detail: 'must contain a letter or a digit' } as const
  throw new ApiError('invalid_query', {}, { errors: [fault] })
}
