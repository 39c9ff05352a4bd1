/*
 * Unsent text in the storage of the browser, which all tabs share. A browser may refuse to store; then the text is in
 * the memory of the tab alone, and a reload loses it.
 */

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** @returns false if the browser refuses */
export function writeStored(name: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}

/** The names that begin so. */
export function storedNames(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  } catch {
    return []
  }
}
