import type { Unsaved, UnsavedStore } from './autosave.ts'

/** Unsaved text in the storage of the browser. A browser may refuse to store; then a reload loses it. */
export const storeIn = <F>(name: string): UnsavedStore<F> => ({
  read(): Unsaved<F> | null {
    try {
      return JSON.parse(localStorage.getItem(name) ?? 'null')
    } catch {
      return null
    }
  },
  write(unsaved) {
    try {
      localStorage.setItem(name, JSON.stringify(unsaved))
    } catch {
      localStorage.removeItem(name) // an older text would be worse than none
    }
  },
  clear: () => localStorage.removeItem(name),
})
