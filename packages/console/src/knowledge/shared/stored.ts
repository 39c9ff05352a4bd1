/** Unsaved text in the storage of the browser. A browser may refuse to store; then a reload loses it. */
export type Stored<F> = { base: F; fields: F }

export function readStored<F>(name: string): Stored<F> | null {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

export function writeStored<F>(name: string, stored: Stored<F>): void {
  try {
    localStorage.setItem(name, JSON.stringify(stored))
  } catch {
    localStorage.removeItem(name) // an older text would be worse than none
  }
}

export function clearStored(name: string): void {
  localStorage.removeItem(name)
}
