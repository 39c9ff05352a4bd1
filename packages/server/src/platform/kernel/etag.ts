/** The strong entity tag of a resource's version (RFC 9110 section 8.8.3). */
export const etagOf = (version: number): string => `"${version}"`

/** `If-Match`: strong comparison, so a weak tag never matches (RFC 9110 section 13.1.1). */
export const matchesVersion = (header: string, version: number): boolean =>
  tagsOf(header).some((tag) => tag === '*' || tag === etagOf(version))

/** `If-None-Match`: weak comparison (RFC 9110 section 13.1.2). */
export const matchesWeakly = (header: string, etag: string): boolean =>
  tagsOf(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)

/** True if a header has a tag without the quotes that RFC 9110 section 8.8.3 requires. */
export const isUnquoted = (header: string): boolean =>
  tagsOf(header).some((tag) => tag !== '*' && !/^(W\/)?".*"$/.test(tag))

const tagsOf = (header: string) => header.split(',').map((tag) => tag.trim())
