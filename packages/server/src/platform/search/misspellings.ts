import { editDistance } from '../kernel/spelling.ts'

/** Shorter words are too similar to others. */
const shortest = 4
const longest = 32
/** The number of edits in a typical misspelling: one, or two in a long word. */
const editsIn = (word: string): number => (word.length < 8 ? 1 : 2)
const maxSuggestions = 5

/** Can this word be a misspelling of another one? */
export const isSpellable = (word: string): boolean => word.length >= shortest && word.length <= longest

/** Groups of three characters with marked ends. Similar words share most of them. */
export function trigrams(word: string): string[] {
  const padded = `--${word}-`
  return [...new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)))]
}

/** The known words that may have been meant, most similar first. */
export const meantBy = (word: string, known: string[]): string[] =>
  known
    .map((each) => ({ each, edits: editDistance(word, each) }))
    .filter(({ edits }) => edits > 0 && edits <= editsIn(word))
    .sort((one, other) => one.edits - other.edits || (one.each < other.each ? -1 : 1))
    .slice(0, maxSuggestions)
    .map(({ each }) => each)
