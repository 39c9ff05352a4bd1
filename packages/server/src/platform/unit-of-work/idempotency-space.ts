/*
 * Idempotency keys are unique within a space. Those of secret keys are stored as the client sent them. Others are
 * stored behind the name of their space, so that nobody can take up or replay another's: the separator occurs in no
 * key.
 */
const separator = '\u001f'

export const keyInSpace = (space: string | null, key: string): string =>
  space === null ? key : `${space}${separator}${key}`

/** The key as the client sent it. */
export const sentKey = (stored: string): string => stored.slice(stored.lastIndexOf(separator) + 1)
