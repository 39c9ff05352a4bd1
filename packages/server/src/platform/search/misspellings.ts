import { editDistance } from '../kernel/edit-distance.ts'

/** Shorter words are too much like others. */
const shortest = 4
const longest = 32
/** As many edits as somebody makes who knows the word: one, and two in a long word. */
const editsIn = (word: string): number => (word.length < 8 ? 1 : 2)
const maxSuggestions = 5

/** Can this be taken for a misspelling of another word? */
export const isSpellable = (word: string): boolean => word.length >= shortest && word.length <= longest

/** Groups of three characters, those at its ends marked: words that are alike share most of them. */
export function trigrams(word: string): string[] {
  const padded = `--${word}-`
  return [...new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)))]
}

/** Of some words those that may have been meant, the most similar first. */
export const meantBy = (word: string, known: string[]): string[] =>
  known
    .map((each) => ({ each, edits: editDistance(word, each) }))
    .filter(({ edits }) => edits > 0 && edits <= editsIn(word))
    .sort((one, other) => one.edits - other.edits || (one.each < other.each ? -1 : 1))
    .slice(0, maxSuggestions)
    .map(({ each }) => each)
