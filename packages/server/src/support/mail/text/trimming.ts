/** Removes the given characters from both ends, in time linear in the length of the text. */
export function trimmed(text: string, characters: string): string {
  let [start, end] = [0, text.length]
  while (start < end && characters.includes(text[start]!)) start++
  while (end > start && characters.includes(text[end - 1]!)) end--
  return text.slice(start, end)
}
