/*
 * The address under which clients reach this server (`BACKLINE_PUBLIC_URL`). One process serves one address, which it
 * learns once, at its start: objects that are serialized far from any request contain absolute URLs.
 */

let base = 'http://127.0.0.1:8080'

/** @param url without a slash at its end */
export const setPublicUrl = (url: string): void => {
  base = url
}

/** The absolute URL of a path of this server. */
export const publicUrl = (path: string): string => base + path
