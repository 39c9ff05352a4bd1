import { isNamed, patternOf } from '../model/mentions.ts'

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

/**
 * Replaces what a pattern finds in the texts of an element. Code and links stay as they are.
 * @param elementOf the element in place of the first characters of what is found, as many as it has; null for none
 */
function replaceTexts(root: HTMLElement, pattern: RegExp, elementOf: (found: string) => HTMLElement | null) {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (text.parentElement?.closest('a, code, pre')) continue
    const parts: (string | Node)[] = []
    let end = 0
    for (const { 0: found, index } of text.data.matchAll(pattern)) {
      const element = elementOf(found)
      if (!element) continue
      parts.push(text.data.slice(end, index), element)
      end = index + element.textContent.length
    }
    if (parts.length > 0) text.replaceWith(...parts, text.data.slice(end))
  }
}

/** Makes links of the web and e-mail addresses in the texts of an element. */
export const linkAddresses = (root: HTMLElement): void =>
  replaceTexts(root, addresses, (found) => {
    const address = trimmed(found)
    const href = hrefOf(address)
    if (!href) return null
    const link = root.ownerDocument.createElement('a')
    link.setAttribute('href', href)
    link.textContent = address
    return link
  })

export type MentionedName = { name: string; isOwn: boolean }

/** Marks the names after `@` in the texts of an element. */
export function markMentions(root: HTMLElement, mentioned: MentionedName[]): void {
  const pattern = patternOf(mentioned.map(({ name }) => name))
  if (!pattern) return
  replaceTexts(root, pattern, (found) => {
    const mark = root.ownerDocument.createElement('mark')
    if (mentioned.some(({ name, isOwn }) => isOwn && isNamed(name, found))) mark.dataset.own = ''
    mark.textContent = found
    return mark
  })
}
