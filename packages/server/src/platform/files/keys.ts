const form = /^[A-Za-z0-9][A-Za-z0-9.-]*(?:\/[A-Za-z0-9][A-Za-z0-9.-]*)*$/

/** Returns the key. @throws Error for a key that the server does not make: it could leave the directory */
export function checkedKey(key: string): string {
  if (form.test(key) && key.length <= 512) return key
  throw new Error(`${JSON.stringify(key)} is not a key of a file store`)
}
