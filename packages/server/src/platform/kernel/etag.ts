import { createHash } from 'node:crypto'

/**
 * The strong entity tag (RFC 9110 section 8.8.3) of a version, `"3"`, of a text, or of both, `"3-…"`.
 * @param shown the text of a response that shows more than the version identifies; null if the version identifies it
 */
export const etagOf = (version: number | null, shown: string | null = null): string =>
  `"${[version, shown && digestOf(shown)].filter((part) => part !== null).join('-')}"`

/**
 * `If-Match`: strong comparison, so a weak tag never matches (RFC 9110 section 13.1.1). A change is judged by the
 * version alone: what a response included besides is not what the change replaces.
 */
export const matchesVersion = (header: string, version: number): boolean =>
  tagsOf(header).some((tag) => tag === '*' || tag.replace(/^("\d+)-[\w-]+"$/, '$1"') === etagOf(version))

/** `If-None-Match`: weak comparison (RFC 9110 section 13.1.2). */
export const matchesWeakly = (header: string, etag: string): boolean =>
  tagsOf(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)

/** True if a header has a tag without the quotes that RFC 9110 section 8.8.3 requires. */
export const isUnquoted = (header: string): boolean =>
  tagsOf(header).some((tag) => tag !== '*' && !/^(W\/)?".*"$/.test(tag))

const tagsOf = (header: string) => header.split(',').map((tag) => tag.trim())

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)
