/** Longer links are text. */
const maxLink = 8_192

/** Browsers ignore these within an address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are ignored
const ignored = /[\u0000-\u001f\u007f]+/g

/** The address of a link that a reader may follow: of the web, mail or telephone; null for any other. */
export function linkOf(address: string): string | null {
  if (address.length > maxLink) return null
  const text = address.replace(ignored, '').trim()
  if (/^(?:mailto|tel):\S/i.test(text)) return text
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
}
