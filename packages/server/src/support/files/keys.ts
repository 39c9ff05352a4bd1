/*
 * The keys of the bytes in the store. A client uploads to one key. `complete` copies what is there to a key of its own,
 * which no client can write, and judges the copy. So no later upload changes a file, and the keys of all bytes that can
 * exist are known without listing the store. Files of an environment share a directory, so that concurrent writers
 * share its sync.
 */

/** Where the client uploads the bytes. */
export const uploadKey = (tenantId: string, fileId: string): string => `${tenantId}/${fileId}.upload`

/** The copy with this number, from 1. */
export const copyKey = (tenantId: string, fileId: string, copy: number): string =>
  `${tenantId}/${fileId}.${copy}`
