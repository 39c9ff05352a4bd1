/** Each run of characters is searched once: a long text takes time in proportion to its length. */
const addresses = /\b(?:https?:\/\/|mailto:)[^\s<>"]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi
const schemes = ['http:', 'https:', 'mailto:']
const punctuation = ".,;:!?'*_"

/** Punctuation after an address belongs to the sentence. So does a bracket, unless the address opens one. */
function trimmed(address: string): string {
  const ends = address.includes('(') ? punctuation : `${punctuation})`
  let end = address.length
  while (end > 0 && ends.includes(address[end - 1]!)) end--
  return address.slice(0, end)
}

function hrefOf(address: string): string | null {
  const href = /^(https?|mailto):/i.test(address) ? address : `mailto:${address}`
  return URL.canParse(href) && schemes.includes(new URL(href).protocol) ? href : null
}

/** Makes links of the web and e-mail addresses in the texts of an element. Code stays as it is. */
export function linkAddresses(root: HTMLElement): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (text.parentElement?.closest('a, code, pre')) continue
    const parts: (string | Node)[] = []
    let end = 0
    for (const { 0: found, index } of text.data.matchAll(addresses)) {
      const address = trimmed(found)
      const href = hrefOf(address)
      if (!href) continue
      const link = root.ownerDocument.createElement('a')
      link.setAttribute('href', href)
      link.textContent = address
      parts.push(text.data.slice(end, index), link)
      end = index + address.length
    }
    if (parts.length > 0) text.replaceWith(...parts, text.data.slice(end))
  }
}
