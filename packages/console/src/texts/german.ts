declare global {
  /** The file of the German words, set by the build (`german-words.ts`); undefined if the texts have them. */
  var germanFile: string | undefined
}

/** The words of the file, once they are loaded (`language.tsx`). */
export const german: { words?: string[] } = {}

/** A text itself, or that of a place in the German words. */
export const textAt = <Text>(text: Text): Text =>
  typeof text === 'number' ? (german.words?.[text] as Text) : text
